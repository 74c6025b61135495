import type { Api } from "../../model/api.ts";
import { ownValue } from "../../model/json.ts";
import type { Said } from "../../model/said.ts";
import type { Schema } from "../../model/schema.ts";
import {
  type Alternative,
  itemOf,
  listAlternatives,
  propertyNames,
  propertyOf,
} from "../expressions/list-alternatives.ts";
import { unionOf } from "../expressions/type-algebra.ts";
import { isNever } from "../types/is-never.ts";
import { digestInside } from "./digest-inside.ts";

/**
 * What is said of a value, and of what the outline leaves out of it (what is deeper, or beyond its names, and values under any name) a digest, by which
 * it is known that something there is another.
 */
export function sayBelow(type: Schema, said: Said, api: Api): Said {
  const alternatives = listAlternatives(type, api);
  const objects = alternatives.filter((one) => one.type === "object");
  const lists = alternatives.filter((one) => one.type === "array");
  const typeOf = (name: string) => unionOf(objects.flatMap((one) => propertyOf(one, name) ?? []));
  const itemType = unionOf(lists.map((one) => itemOf(one)));
  const { properties = {}, items } = said;
  const names = [...new Set(objects.flatMap(propertyNames))].filter((name) => ownValue(properties, name) === undefined);
  // Of an object whose names are all told it is known which of them must be there.
  const isTold = names.length === 0 && objects.flatMap(propertyNames).length > 0;
  const untold = [
    // What the alternatives of a schema do not tell, as it is too large or refers to itself.
    ...(alternatives.some((one) => one.type === "any") ? [["", type] as const] : []),
    ...names.map((name) => [`.${name}`, typeOf(name)] as const),
    ...objects.flatMap(mapsOf),
    ...(lists.length > 0 && items === undefined ? [["[]", itemType] as const, ...lists.flatMap(itemRules)] : []),
  ];
  const below = digestInside([...untold, ...(isTold ? [] : objects.flatMap(ownRules))], api);
  const inside = Object.entries(properties).map(([name, one]) => [name, sayBelow(typeOf(name), one, api)] as const);
  return {
    ...said,
    ...(inside.length > 0 && { properties: Object.fromEntries(inside) }),
    ...(items !== undefined && { items: sayBelow(itemType, items, api) }),
    ...(below !== undefined && { below }),
  };
}

/** What is asked of an object as a whole. */
function ownRules({ parts }: Alternative): readonly (readonly [string, Schema])[] {
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))];
  return [
    ...(required.length > 0 ? [["{}", { required }] as const] : []),
    ...parts.flatMap((part) => rulesOf("{}", part, OBJECT_RULES)),
    ...parts.flatMap(({ additionalProperties: further }) =>
      further !== undefined && isNever(further) ? [["{}", { additionalProperties: further }] as const] : [],
    ),
  ];
}

function itemRules({ parts }: Alternative): readonly (readonly [string, Schema])[] {
  return parts.flatMap((part) => rulesOf("[]", part, LIST_RULES));
}

const OBJECT_RULES = [
  "minProperties",
  "maxProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "not",
];
const LIST_RULES = ["minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"];

/** One each, however many parts say them together. */
function rulesOf(name: string, part: Schema, keywords: readonly string[]): (readonly [string, Schema])[] {
  return Object.entries(part).flatMap(([key, rule]) =>
    keywords.includes(key) ? [[name, { [key]: rule }] as const] : [],
  );
}

function mapsOf({ parts }: Alternative): readonly (readonly [string, Schema])[] {
  return parts.flatMap(({ additionalProperties, patternProperties = {} }) => [
    ...(additionalProperties === undefined || isNever(additionalProperties)
      ? []
      : [["*", additionalProperties] as const]),
    ...Object.entries(patternProperties).map(([pattern, schema]) => [`*${pattern}`, schema] as const),
  ]);
}
