const BYTES = { B: 1, kB: 1_000, MB: 1_000_000, GB: 1_000_000_000 } as const;
export const SIZE = /^(\d{1,9}(?:\.\d{1,3})?) ?(B|kB|MB|GB)$/;

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Longer than nothing: in no time nothing is done. */
export const DURATION = /^(?=[\d.]*[1-9])(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m|h|d)$/;

/** Bytes of `8kB` or `20MB`; 1 kB is 1,000. */
export function bytesOf(size: string): number {
  return measure(size, SIZE, BYTES);
}

/** Milliseconds of `20s`, `15m` or `500ms`. */
export function millisecondsOf(duration: string): number {
  return measure(duration, DURATION, MILLISECONDS);
}

function measure(text: string, pattern: RegExp, units: Readonly<Record<string, number>>): number {
  const [, amount, unit] = pattern.exec(text) ?? [];
  return Math.ceil(Number(amount) * (units[unit ?? ""] ?? Number.NaN));
}
