import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ShapeLimits, ValueTemplate } from "../../model/shape.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { cutToFit, SMALLEST_BUDGET } from "./cut-to-fit.ts";
import { isMisfit } from "./is-misfit.ts";
import { jsonBytes } from "./json-bytes.ts";
import type { Column } from "./list-columns.ts";
import { mergeOmissions, type Omission } from "./omit.ts";
import { keepMost, type OpenRest, openRest, tellRest } from "./open-rest.ts";
import { presentRow } from "./present.ts";
import { projectRow } from "./project.ts";
import { refuseMisfit } from "./refuse-body.ts";
import type { Shaped } from "./shaped.ts";
import { tellWithheld, type WhyPartial, withholdSums } from "./withhold-sums.ts";

/** The body as an object, or the fields that were selected from it. Throws ToolError `upstream_bad_response` where none finds anything. */
export function shapeObject(
  columns: readonly Column[] | undefined,
  body: Json,
  roots: Roots,
  { budget, rest }: ShapeLimits,
): Shaped {
  const rests = openRest(rest, body, roots);
  if (!columns) return fitObject(body, [], budget, rests);
  const projected = projectRow(body, columns, roots);
  if (isMisfit(body, projected.row)) throw refuseMisfit(columns, body, "answer");
  const shown = presentRow(projected.row, columns);
  return fitObject(shown.row, mergeOmissions([...projected.omitted, ...shown.omitted]), budget, rests);
}

/** What the template's expressions give over `current`, without the sums over lists that are not whole. */
export function shapeValue(
  template: ValueTemplate,
  current: Json,
  roots: Roots,
  { budget, rest }: ShapeLimits,
  partial: WhyPartial = () => undefined,
): Shaped {
  const omitted: Omission[] = [];
  const fill = (part: ValueTemplate, path: readonly string[]): Json => {
    if (part.kind === "object")
      return Object.fromEntries(part.entries.map(([name, value]) => [name, fill(value, [...path, name])]));
    const withheld = withholdSums(part.expression, partial);
    if (withheld !== undefined) omitted.push(tellWithheld(path.join("."), withheld));
    return evaluateExpression(part.expression, current, roots, withheld?.cells);
  };
  const value = fill(template, []);
  return fitObject(value, mergeOmissions(omitted), budget, openRest(rest, current, roots));
}

/** A value that is no object stands under `value`; `omitted` comes first, where it is there at all. */
function fitObject(whole: Json, clipped: readonly Omission[], budget: number, rests: readonly OpenRest[]): Shaped {
  const bound = Math.max(budget, SMALLEST_BUDGET);
  const { value, lost } = withoutProto(whole);
  const build = (kept: Json, inside: readonly Omission[]): JsonObject => {
    const omitted = tellRest([...lost, ...clipped, ...inside], value, kept, rests).map((one) => ({ ...one }));
    const told = omitted.length > 0 ? { omitted } : {};
    if (!isJsonObject(value)) return { ...told, value: kept };
    const object = isJsonObject(kept) ? kept : {};
    return omitted.length > 0 ? { ...told, ...without(object, "omitted") } : object;
  };
  const most = keepMost(value, rests);
  const uncut = build(most, []);
  if (jsonBytes(uncut) <= bound) return { structured: uncut };
  return { structured: cutToFit(most, isJsonObject(most) ? "" : "value", bound, build) };
}

/** The protocol's library drops a property of this name from structured content, and the text must say the same. */
function withoutProto(value: Json): { readonly value: Json; readonly lost: readonly Omission[] } {
  if (!isJsonObject(value) || !Object.hasOwn(value, "__proto__")) return { value, lost: [] };
  const lost = [{ what: "properties", path: "__proto__", kept: "nothing: no reply can hold it" }] as const;
  return { value: without(value, "__proto__"), lost };
}

/** What was left out must be said, even to an upstream's own property of that name. */
function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
