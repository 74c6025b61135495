import { createHash } from "node:crypto";

const SEED = "ledger-1";

/** 32 hexadecimal digits that depend on the seed and the key alone. */
export const fingerprint = (key: string): string => createHash("md5").update(`${SEED}/${key}`).digest("hex");

/** A number from 0 to `sides` - 1 that depends on the seed and the key alone. */
export const dice = (key: string, sides: number): number => Number.parseInt(fingerprint(key).slice(0, 8), 16) % sides;

/** The element that `index` falls on when the list is repeated without end. */
export const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
