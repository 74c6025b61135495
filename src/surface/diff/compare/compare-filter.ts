import type { ManifestFilter, ManifestFilterField } from "../../manifest-format.ts";
import type { Change } from "../change.ts";
import {
  bounds,
  type CompareKey,
  compareKeys,
  differ,
  type KeyTable,
  members,
  presence,
  skip,
} from "./compare-keys.ts";
import { change, into, type Spot } from "./make-change.ts";

/** Nothing is offered, and nothing always holds. */
const NONE: ManifestFilter = { offered: false, depth: 0, dialects: [], fields: {} };

/** What callers may filter by, and what always holds. */
export const compareFilter: CompareKey<ManifestFilter> = function* (before = NONE, after = NONE, spot) {
  if (before.offered !== after.offered) {
    const rule = after.offered ? "filter_added" : "filter_removed";
    yield change(rule, into(spot, "offered"), before.offered, after.offered, "that callers may filter");
  }
  yield* compareKeys(before, after, before.offered && after.offered ? OFFERED : HIDDEN, spot);
};

/** What holds whether callers may filter or not. */
const COMMON = {
  offered: skip,
  always: members("filter_always_added", "filter_always_removed", "what always holds"),
} as const;

const HIDDEN: KeyTable<ManifestFilter> = {
  ...COMMON,
  depth: skip,
  dialects: skip,
  fields: skip,
  from: skip,
  required: skip,
};

const OFFERED: KeyTable<ManifestFilter> = {
  ...COMMON,
  depth: bounds("filter_depth_lowered", "filter_depth_raised", "how deep conditions may be nested"),
  dialects: differ("filter_dialect_changed", "the language in which filters are sent"),
  fields: compareFields,
  from: presence(
    { added: "filter_from_added", removed: "filter_from_removed", changed: "filter_from_changed" },
    "the list of further fields",
  ),
  required: presence(
    { added: "filter_required", removed: "filter_optional", changed: "unclassified_change" },
    "that a filter must be given",
  ),
};

function* compareFields(
  before: ManifestFilter["fields"] = {},
  after: ManifestFilter["fields"] = {},
  spot: Spot,
): Iterable<Change> {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is, at] = [old.get(name), now.get(name), into(spot, name)];
    if (was === undefined) yield change("filter_field_added", at, was, is, `the filter field \`${name}\``);
    else if (is === undefined) yield change("filter_field_removed", at, was, is, `the filter field \`${name}\``);
    else yield* compareKeys(was, is, fieldKeys(name), at);
  }
}

function fieldKeys(name: string): KeyTable<ManifestFilterField> {
  return {
    type: differ("filter_field_type_changed", `the type of the filter field \`${name}\``),
    nullable: differ("filter_nulls_changed", `whether rows may lack \`${name}\``),
    ops: members("filter_op_added", "filter_op_removed", `what \`${name}\` can be compared by`),
    values: compareValues(name),
  };
}

/** Without a list any value is taken. */
function compareValues(name: string): CompareKey<readonly string[]> {
  const what = `the values of the filter field \`${name}\``;
  return function* (before, after, spot) {
    if (before !== undefined && after !== undefined)
      yield* members("filter_values_added", "filter_values_removed", what)(before, after, spot);
    else if (before !== after)
      yield change(after === undefined ? "filter_values_added" : "filter_values_removed", spot, before, after, what);
  };
}
