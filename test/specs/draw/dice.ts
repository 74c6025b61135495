/** A seeded source of choices: the same seed gives the same choices on every machine. */
export interface Dice {
  /** An integer from 0 up to but not including `sides`. */
  roll(sides: number): number;
  /** True in `share` of all cases. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** For sources of choices of others. */
  seed(): number;
}

/** Mulberry32 over FNV-1a of the text. */
export function throwDice(text: string): Dice {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const roll = (sides: number) => Math.floor(next() * sides);
  return {
    roll,
    chance: (share) => next() < share,
    pick: (list) => list[roll(list.length)]!,
    seed: () => roll(2 ** 31),
  };
}
