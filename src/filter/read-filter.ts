import type { Condition, FilterField } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import type { FilterFault } from "./filter-fault.ts";
import { type Reading, readNode } from "./read-node.ts";
import type { Convert } from "./read-value.ts";

export type { FilterFault } from "./filter-fault.ts";
export type { Convert } from "./read-value.ts";

/** What a filter is read against. */
export interface FilterRules {
  readonly fields: ReadonlyMap<string, FilterField>;
  /** How deep groups may be nested: 1 is one group of conditions, 0 one condition alone. */
  readonly depth: number;
  /** Where the filter stands in the arguments; `filter` unless said. */
  readonly path?: string;
  /** Needed where a field has `as`. */
  readonly convert?: Convert;
}

export type FilterReading =
  | { readonly condition?: Condition; readonly faults?: undefined }
  | { readonly faults: readonly FilterFault[] };

/**
 * Second door of the room. Reads a caller's `filter` argument (contract section 3) into a condition, its values typed by their fields and in the
 * upstream's form: `kind: single` with `field`, `op` and `value` or `values`, or `kind: composite` with `match` and 1 to 10 `conditions`; at
 * most 25 conditions together. `kind` may be left out, numbers and booleans may stand for their texts, a null property counts as absent, and
 * the whole may come as JSON text. Neither condition nor faults where there is no filter. Every fault is listed, as data of a tool error:
 * `invalid_arguments`, `unknown_fields`, or `filter_not_expressible` for an operator that the field does not have.
 */
export function readFilter(raw: unknown, rules: FilterRules): FilterReading {
  const { path = "filter" } = rules;
  const whole = typeof raw === "string" ? parseText(raw) : raw;
  if (whole === undefined || whole === null) return {};
  const { fields, depth, convert } = rules;
  const reading: Reading = { fields, depth, convert, faults: [], leaves: 0 };
  const condition = readNode(whole as Json, path, 0, reading);
  if (reading.leaves > MOST_LEAVES) {
    const message = `\`${path}\` holds ${reading.leaves} conditions; at most ${MOST_LEAVES} can be asked at once.`;
    reading.faults.push({ code: "invalid_arguments", path, message });
  }
  return reading.faults.length > 0 || condition === undefined ? { faults: reading.faults } : { condition };
}

const MOST_LEAVES = 25;

/** Some clients send an object as its JSON text. What is none is refused as the text that it is. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
