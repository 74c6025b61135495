/** Figures for a person; what is not known is a dash. */
export const count = (value: number): string => value.toLocaleString("en-US");

export const percent = (share: number | null): string => (share === null ? "-" : `${(share * 100).toFixed(1)} %`);

export function milliseconds(value: number | null): string {
  if (value === null) return "-";
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** `2.5 MB`; 1 kB = 1,000 bytes. */
export function bytes(value: number): string {
  const [unit, size] = UNITS.find(([, least]) => Math.abs(value) >= least) ?? ["B", 1];
  return `${(value / size).toLocaleString("en-US", { maximumFractionDigits: size === 1 ? 0 : 1 })} ${unit}`;
}

const UNITS = [
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
] as const;
