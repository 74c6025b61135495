export interface Difference {
  readonly head: string;
  readonly gone: string;
  readonly come: string;
  readonly tail: string;
}

/** The one stretch in which two texts differ, from word to word. */
export function findDifference(before: string, after: string): Difference {
  const [old, fresh] = [words(before), words(after)];
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  const room = Math.min(old.length, fresh.length) - head;
  while (tail < room && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  return {
    head: old.slice(0, head).join(""),
    gone: old.slice(head, old.length - tail).join(""),
    come: fresh.slice(head, fresh.length - tail).join(""),
    tail: old.slice(old.length - tail).join(""),
  };
}

const words = (text: string): readonly string[] => text.split(/(\s+)/);
