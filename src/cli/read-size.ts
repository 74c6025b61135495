import { UsageError } from "./command.ts";

const BYTES = new Map([
  ["", 1],
  ["B", 1],
  ["kB", 1_000],
  ["MB", 1_000_000],
  ["GB", 1_000_000_000],
]);

/** Bytes of `64MB`, as sizes are written in a curation; 1 kB is 1,000. Throws `UsageError`. */
export function readSize(text: string, option: string): number {
  const [, number = "", unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?) ?(B|kB|MB|GB)?$/.exec(text) ?? [];
  const bytes = Math.round(Number(number) * (BYTES.get(unit) ?? 0));
  if (bytes >= 1) return bytes;
  throw new UsageError(
    `--${option} ${text} is no size: write for example 64MB (B, kB, MB or GB; 1 kB is 1,000 bytes).`,
  );
}
