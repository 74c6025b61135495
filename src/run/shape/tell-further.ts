import type { ReplyBody } from "../../model/exchange.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import { measureLeftOut, tellLeftOut } from "../steps/tell-left-out.ts";
import { hasFurtherRows } from "./find-further.ts";
import type { Omission } from "./omit.ts";
import type { Shaped } from "./shaped.ts";

type Headers = Parameters<typeof hasFurtherRows>[2];

/**
 * The reply that `shapeWith` makes of a body that is shown as it comes; where its head says that it is one page of several, so does the reply. What a
 * body says of its own pages is shown with it.
 */
export function tellFurther<S extends Shape>(
  shape: S,
  body: ReplyBody,
  headers: Headers,
  shapeWith: (shape: S) => Shaped,
): Shaped {
  const isWhole = shape.kind === "object" && shape.fields === undefined && body.kind === "json";
  const left = isWhole && body.cut === undefined ? findFurther(body.value, headers) : [];
  if (left.length === 0) return shapeWith(shape);
  return tellLeftOut(shapeWith({ ...shape, budget: Math.max(0, shape.budget - measureLeftOut(left)) }), left);
}

function findFurther(value: Json, headers: Headers): Omission[] {
  const [path, list, ...others] = Array.isArray(value) ? ["value", value] : listsIn(value);
  if (!Array.isArray(list) || others.length > 0 || !hasFurtherRows(null, list.length, headers)) return [];
  return [{ what: "rows", path: String(path), kept: `${list.length}, and the upstream has more` }];
}

function listsIn(value: Json): readonly Json[] {
  return isJsonObject(value)
    ? Object.entries(value)
        .filter(([, inner]) => Array.isArray(inner))
        .flat()
    : [];
}
