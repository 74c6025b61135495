/** Does what is asked for at once, but never more often than every `ms`: what is asked for meanwhile is done once, when the time is over. */
export interface Paced {
  ask(): void;
  stop(): void;
}

export function atMostEvery(ms: number, work: () => void): Paced {
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;
  let isStopped = false;
  const run = (): void => {
    isAsked = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isAsked) run();
    }, ms).unref();
    work();
  };
  return {
    ask: () => {
      if (isStopped) return;
      if (timer === undefined) run();
      else isAsked = true;
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
