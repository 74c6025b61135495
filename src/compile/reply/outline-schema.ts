import type { Api } from "../../model/api.ts";
import { namesSaid, type Said } from "../../model/said.ts";
import type { PortableSchema, Schema } from "../../model/schema.ts";
import { isRequired, itemOf, listAlternatives, propertyNames, propertyOf } from "../expressions/list-alternatives.ts";
import { unionOf } from "../expressions/type-algebra.ts";
import { sayValue } from "./say-value.ts";

/** Names as every client takes them in a schema; others are left out, which an open schema allows. */
const OUTLINED_NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const MOST_NAMES = 40;
const DEEPEST = 3;

/**
 * The names in a reply, as deep as few tokens allow: three levels if that makes at most 40 names, else two, else the first names of one.
 * It declares no types: any value below may be null, or not what the spec promised, and an output schema that does not hold loses the
 * whole reply. `chosen`: so many names at the root are the author's own, and stand in any case.
 */
export function outlineSchema(type: Schema, api: Api, chosen = 0): PortableSchema {
  return namesSaid(outlineReply(type, api, chosen));
}

/** The same names, with what the spec says of each. */
export function outlineReply(type: Schema, api: Api, chosen = 0): Said {
  const most = Math.max(MOST_NAMES, chosen);
  for (let depth = DEEPEST; depth > 1; depth -= 1) {
    const budget = { left: most };
    const found = outline(type, depth, budget, api);
    if (budget.left >= 0) return found;
  }
  return outline(type, 1, { left: most }, api);
}

/** Stops naming when the budget is used up; `left` is then negative. At depth 0 nothing is named any more. */
function outline(type: Schema, depth: number, budget: { left: number }, api: Api): Said {
  const alternatives = listAlternatives(type, api);
  const lists = alternatives.filter((one) => one.type === "array");
  const itemType = unionOf(lists.map((one) => itemOf(one)));
  if (depth <= 0) {
    const items = depth === 0 && lists.length > 0 ? outline(itemType, -1, budget, api) : {};
    return { ...sayValue(alternatives), ...(!isEmpty(items) && { items }) };
  }
  const objects = alternatives.filter((one) => one.type === "object");
  const properties: [string, Said][] = [];
  for (const name of new Set(objects.flatMap(propertyNames))) {
    if (!OUTLINED_NAME.test(name) || name === "__proto__") continue;
    budget.left -= 1;
    if (budget.left < 0) break;
    const below = outline(unionOf(objects.flatMap((one) => propertyOf(one, name) ?? [])), depth - 1, budget, api);
    const isAlways = objects.every((one) => isRequired(one, name));
    properties.push([name, isAlways ? below : { optional: true, ...below }]);
  }
  const items = lists.length === 0 ? {} : outline(itemType, depth - 1, budget, api);
  return {
    ...sayValue(alternatives),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(!isEmpty(items) && { items }),
  };
}

function isEmpty(said: Said): boolean {
  return Object.keys(said).length === 0;
}
