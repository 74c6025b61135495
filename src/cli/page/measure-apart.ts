import type { Toolset } from "../../model/tool.ts";
import type { Cost } from "../../web/page-data.ts";
import type { MeasuredList } from "./measure-page.ts";
import { openMeasuring } from "./open-measuring.ts";

const measure = openMeasuring();
const known = new WeakMap<Toolset, Promise<MeasuredList>>();

/** What a tool list costs, and what each client makes of it. Measured once for a toolset. */
export function measureOnce(seen: Toolset): Promise<MeasuredList> {
  const made = known.get(seen) ?? (measure({ kind: "list", seen }) as Promise<MeasuredList>);
  known.set(seen, made);
  // One that failed is asked for again.
  made.catch(() => known.delete(seen));
  return made;
}

const MOST_COUNTED = 1_000_000;

/** The cost of a text of any length: of a long one the beginning is counted, and the rest taken to be like it. */
export async function measureText(text: string): Promise<Cost> {
  const bytes = Buffer.byteLength(text);
  const counted = text.slice(0, MOST_COUNTED);
  const tokens = (await measure({ kind: "tokens", text: counted })) as number;
  if (counted.length === text.length) return { tokens, bytes };
  return { tokens: Math.round((tokens * text.length) / counted.length), bytes, isEstimate: true };
}
