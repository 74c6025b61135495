import { parseValue, ROOTS } from "../../curation/expression.ts";
import type { FilterEntry } from "../../curation/format.ts";
import { splitKey } from "../../filter/join-always.ts";
import type { FilterOp } from "../../model/filter.ts";
import type { ToolFilter } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { isSource } from "./read-fields.ts";

/** The conditions that no caller sees. */
export function readAlways({ always = {} }: Pick<FilterEntry, "always">): ToolFilter["always"] {
  return Object.entries(always).map(([key, raw]) => {
    // What cannot be parsed was refused when the file was read.
    const value: Value = parseValue(raw, ROOTS.call).value ?? { kind: "literal", value: null };
    return [key, value] as const;
  });
}

/** The field and the operator of a key of `always`. */
export function readAlwaysKey(
  key: string,
  { fields = {} }: Pick<FilterEntry, "fields">,
): { name: string; op?: FilterOp } {
  const declared = Object.entries(fields).flatMap(([name, entry]) => (isSource(entry) ? [] : [name]));
  return splitKey(key, new Set(declared));
}

/** The pins that a call with this filter carries: each stands whole in a condition of equality that always holds. */
export function pinsOfAlways(filter: FilterEntry | undefined): ReadonlySet<string> {
  if (filter === undefined) return new Set();
  const carried = readAlways(filter).flatMap(([key, value]) => {
    const { op = "eq" } = readAlwaysKey(key, filter);
    const pin = wholePin(value);
    return op === "eq" && pin !== undefined ? [pin] : [];
  });
  return new Set(carried);
}

/** The pin that a value is, as in `${pins.org}`; undefined where it is more than that. */
export function wholePin(value: Value): string | undefined {
  if (value.kind !== "expression") return undefined;
  const [, plain, quoted] =
    /^\s*(?:\$\s*\.\s*)?pins\s*\.\s*(?:([A-Za-z_]\w*)|"([^"\\]+)")\s*$/.exec(value.expression.jmespath) ?? [];
  return plain ?? quoted;
}

/** Whether a condition is there in every call: its value is never null. */
export function isCertain(value: Value): boolean {
  return value.kind === "literal" ? value.value !== null : wholePin(value) !== undefined;
}
