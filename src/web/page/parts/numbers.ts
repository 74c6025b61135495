import { counted } from "../../../model/counted.ts";
import type { Cost } from "../../page-data.ts";

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const formatCount = (count: number): string => WHOLE.format(count);

/** `about 1,234 tokens` where they were counted in part. */
export function formatTokens({ tokens, isEstimate }: Cost): string {
  return `${isEstimate === true ? "about " : ""}${counted(tokens, "token")}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${SHORT.format(bytes / 1_000)} kB` : `${SHORT.format(bytes / 1_000_000)} MB`;
}

export function formatMs(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 1_000 ? `${SHORT.format(ms)} ms` : `${SHORT.format(ms / 1_000)} s`;
}

/** How large a part is of the whole, `0.04` as `4 %`; small ones are not made nothing. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return "–";
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 0.1 ? "< 0.1 %" : `${SHORT.format(percent)} %`;
}

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
