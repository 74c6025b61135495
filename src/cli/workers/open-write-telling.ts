import type { WorkerAnswers } from "./messages.ts";
import type { Channel } from "./open-channel.ts";

/**
 * Tells workers that the upstream of a server was written to. One that has not heard of the last time yet is told once more when it has, however much was
 * written meanwhile, so that nothing piles up for one that hangs.
 */
export function openWriteTelling(): (channel: Channel<WorkerAnswers>, server: string) => void {
  /** By server: whether it was written to since it was told. */
  const telling = new WeakMap<Channel<WorkerAnswers>, Map<string, boolean>>();
  const tell = (channel: Channel<WorkerAnswers>, server: string): void => {
    const own = telling.get(channel) ?? new Map<string, boolean>();
    telling.set(channel, own);
    const isOnItsWay = own.has(server);
    own.set(server, isOnItsWay);
    if (isOnItsWay) return;
    const heard = (): void => {
      const isAgain = own.get(server) === true;
      own.delete(server);
      if (isAgain) tell(channel, server);
    };
    // One that has ended hears of nothing more.
    channel.ask("wrote", server).then(heard, () => own.delete(server));
  };
  return tell;
}
