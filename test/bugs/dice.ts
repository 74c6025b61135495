import { createHash } from "node:crypto";

/** The same words give the same number, from 0 up to 1. */
export function roll(...words: readonly (string | number)[]): number {
  let state = 2166136261;
  for (const character of words.join("/")) state = Math.imul(state ^ character.charCodeAt(0), 16777619);
  state ^= state >>> 15;
  state = Math.imul(state, 0x2c1b3c6d);
  state ^= state >>> 12;
  state = Math.imul(state, 0x297a2d39);
  return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32;
}

export function pick<T>(from: readonly T[], ...words: readonly (string | number)[]): T {
  return from[Math.floor(roll(...words) * from.length)]!;
}

/** A UUID of version 5's form, the same for the same name. */
export function uuidOf(name: string): string {
  const hex = createHash("sha1").update(name).digest("hex");
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join("-");
}
