import type { JsonObject } from "../../model/json.ts";
import { jsonBytes } from "../shape/json-bytes.ts";
import { mergeOmissions, type Omission } from "../shape/omit.ts";
import type { Shaped } from "../shape/shaped.ts";

const SHARE = 3;
const MOST_ENTRIES = 10;

/** What the steps left out, each place once, in no more than a third of a reply's budget: beyond that it is counted. */
export function boundLeftOut(omitted: readonly Omission[], budget: number): readonly Omission[] {
  for (let most = MOST_ENTRIES; most > 1; most -= 1) {
    const merged = mergeOmissions(omitted, most);
    if (jsonBytes(asJson(merged)) <= budget / SHARE) return merged;
  }
  return mergeOmissions(omitted, 1);
}

/** The bytes that telling it takes in a reply. */
export function measureLeftOut(omitted: readonly Omission[]): number {
  return omitted.length === 0 ? 0 : jsonBytes({ omitted: asJson(omitted) }) + 1;
}

/** Says it first in a reply that was shaped without it. */
export function tellLeftOut({ structured, ...further }: Shaped, left: readonly Omission[]): Shaped {
  if (left.length === 0) return { structured, ...further };
  const { omitted, ...rest } = structured;
  const own = Array.isArray(omitted) ? (omitted as readonly JsonObject[]) : [];
  return {
    ...(further.blocks && { blocks: further.blocks }),
    structured: { omitted: [...asJson(left), ...own], ...rest },
  };
}

function asJson(omitted: readonly Omission[]): JsonObject[] {
  return omitted.map((one) => ({ ...one }));
}
