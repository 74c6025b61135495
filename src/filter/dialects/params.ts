import type { WrittenFilter } from "../../model/filter.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { isJsonObject } from "../../model/json.ts";
import { ALL_TYPES, capabilities, type Dialect, type Leaf, type LeafClause, templateOf } from "../dialect.ts";
import { leavesOf } from "../fit-groups.ts";
import { fillRaw, secondOfAKind } from "../write-parameters.ts";

/**
 * Plain parameters, each at the place that its field names (`to: query.created/gte`), all of which hold. A parameter is taken as equality;
 * anything else is said by a template of the author: a text (`gte: ">={value}"`), the list itself (`in: "{values}"`), or an object
 * (`gte: {gte: "{value}"}`), several of which may stand at one place.
 */
export const params: Dialect = {
  name: "params",
  capabilities: capabilities({ eq: ALL_TYPES }),
  groups: { shape: "all", depth: 1 },
  limits: {},
  nullOnNegation: undefined,
  fieldNames: /./su,
  insertion: "raw",
  takesControls: false,
  plain: { eq: "{value}" },
  write: (clause) => writePlaces(leavesOf(clause)),
};

function writePlaces(leaves: readonly LeafClause[]): WrittenFilter {
  const places = new Map<string, Json>();
  for (const { leaf } of leaves) {
    const { to } = leaf.field;
    const value = fillRaw(templateOf(leaf) ?? plainTemplate(leaf), leaf);
    const before = places.get(to);
    places.set(to, before === undefined ? value : mergeObjects(before, value, leaf));
  }
  return { kind: "places", values: [...places].map(([to, value]) => ({ to, value })) };
}

/** Where a list stands for `in`, one value is a list of one: how its items are kept apart is the place's own. */
function plainTemplate({ field }: Leaf): Json {
  return field.templates?.in === "{values}" ? ["{value}"] : "{value}";
}

/** Two conditions at one place only stand beside each other as properties of different names. */
function mergeObjects(one: Json, other: Json, leaf: Leaf): JsonObject {
  if (!isJsonObject(one) || !isJsonObject(other) || Object.keys(other).some((key) => Object.hasOwn(one, key)))
    throw secondOfAKind(leaf);
  return { ...one, ...other };
}
