import type { Call } from "../../model/call.ts";
import { FILTER_OPS, type FilterField } from "../../model/filter.ts";
import type { ToolFilter } from "../../model/tool.ts";
import type { ManifestFilter, ManifestFilterField } from "../manifest-format.ts";

/** What callers may filter by and what is always filtered by; `calls` are those of the tool. */
export function describeFilter(
  { offered, depth, fields, from, always, required }: ToolFilter,
  calls: readonly Call[],
  keyOf: (call: Call) => string,
): ManifestFilter {
  const dialects = calls.flatMap(({ filter }) => (filter === undefined ? [] : [filter.target.dialect]));
  return {
    offered,
    depth,
    dialects: [...new Set(dialects)].toSorted(),
    // Where callers have no filter, its fields are only how `always` is written.
    fields: Object.fromEntries(offered ? fields.map((field) => [field.name, describeField(field)]) : []),
    ...(offered && from !== undefined && { from: keyOf(from.call) }),
    ...(always.length > 0 && { always: always.map(([key]) => key).toSorted() }),
    ...(required !== undefined && { required }),
  };
}

function describeField({ type, nullable, ops = FILTER_OPS, values }: FilterField): ManifestFilterField {
  return {
    type,
    nullable,
    ops: ops.toSorted(),
    ...(values !== undefined && { values: values.map(({ text }) => text) }),
  };
}
