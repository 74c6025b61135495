import type { FilterParameter, FilterTarget } from "../../model/filter.ts";
import { ALL_TYPES, capabilities, type Dialect, type Leaf } from "../dialect.ts";
import { leavesOf } from "../fit-groups.ts";
import { writeParameters } from "../write-parameters.ts";

/** By its recommendations (jsonapi.org, "Filtering"): `filter[name]=value`, or several values with commas between them, all of which hold. */
export function openJsonApi({ parameter = "filter" }: FilterTarget): Dialect {
  const nameOf = (leaf: Leaf) => `${parameter}[${leaf.field.to}]`;
  return {
    name: "json-api",
    capabilities: capabilities({ eq: ALL_TYPES, in: ALL_TYPES }),
    groups: { shape: "all", depth: 1 },
    limits: {},
    nullOnNegation: "drop",
    fieldNames: /^[^[\]\p{C}]+$/u,
    insertion: "parameter",
    takesControls: false,
    plain: { eq: "{value}", in: "{values}" },
    refuseValue: ({ text }) =>
      text.includes(",") ? "A comma would be taken as the end of a value by json-api." : undefined,
    write: (clause) =>
      writeParameters(leavesOf(clause), (leaf) => writeLeaf(leaf, nameOf(leaf)), {
        base: nameOf,
        join: (name, key) => `${name}[${key}]`,
      }),
  };
}

function writeLeaf(leaf: Leaf, name: string): FilterParameter {
  if (leaf.kind === "member") return [name, leaf.values.map(({ text }) => text).join(",")];
  return [name, leaf.kind === "compare" ? leaf.value.text : ""];
}
