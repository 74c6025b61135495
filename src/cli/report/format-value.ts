import { groupDigits } from "../../model/counted.ts";

/** Figures for a person; what is not known is a dash. */
export const percent = (share: number | null): string => (share === null ? "-" : `${(share * 100).toFixed(1)} %`);

export function milliseconds(value: number | null): string {
  return value === null ? "-" : decimal(value, value < 100);
}

/** `2.5 MB`; 1 kB = 1,000 bytes. */
export function bytes(value: number): string {
  const [unit, size] = UNITS.find(([, least]) => Math.abs(value) >= least) ?? ["B", 1];
  return `${decimal(value / size, size > 1)} ${unit}`;
}

const UNITS = [
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
] as const;

/** Whole, or with a tenth where there is one. */
function decimal(value: number, hasTenth: boolean): string {
  const [whole = "", tenth] = String(hasTenth ? Math.round(value * 10) / 10 : Math.round(value)).split(".");
  return `${groupDigits(Number(whole))}${tenth === undefined ? "" : `.${tenth}`}`;
}
