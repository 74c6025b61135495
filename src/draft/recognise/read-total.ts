import { pathStep } from "../shape/path-step.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { View, ViewSchema } from "../survey/view-schema.ts";
import { foldName } from "../word/nouns.ts";

const TOTAL =
  /^(total|totalcount|totalresults|totalitems|totalrecords|totalrows|totalelements|totalsize|counttotal|resultcount|odatacount)$/;

/** Where a list states how many rows there are in all. `count` counts them only where a whole page is named beside it. */
export function readTotal({ body }: Fact, viewOf: ViewSchema): string | undefined {
  if (body.kind !== "rows" || body.around === undefined) return undefined;
  const names = new Set([...body.around.properties.keys()].map(foldName));
  const isDjango = names.has("count") && names.has("next") && names.has("previous");
  return findTotal(body.around, isDjango, viewOf, 0);
}

function findTotal(around: View, isDjango: boolean, viewOf: ViewSchema, depth: number): string | undefined {
  for (const [name, schema] of around.properties) {
    const { type } = viewOf(schema);
    if (type !== "integer" && type !== "number") continue;
    const folded = foldName(name);
    if (TOTAL.test(folded) || (isDjango && folded === "count")) return pathStep(name);
  }
  if (depth > 0) return undefined;
  for (const [name, schema] of around.properties) {
    if (!/meta|pag|paging|pagination/i.test(name)) continue;
    const inner = findTotal(viewOf(schema), false, viewOf, depth + 1);
    if (inner !== undefined) return `${pathStep(name)}.${inner}`;
  }
  return undefined;
}
