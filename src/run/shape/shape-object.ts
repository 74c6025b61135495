import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ValueTemplate } from "../../model/shape.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { cutToFit, SMALLEST_BUDGET } from "./cut-to-fit.ts";
import { jsonBytes } from "./json-bytes.ts";
import type { Column } from "./list-columns.ts";
import { mergeOmissions, type Omission } from "./omit.ts";
import { presentRow } from "./present.ts";
import { projectRow } from "./project.ts";
import type { Shaped } from "./shaped.ts";

/** The body as an object, or the fields that were selected from it. */
export function shapeObject(columns: readonly Column[] | undefined, body: Json, roots: Roots, budget: number): Shaped {
  if (!columns) return fitObject(body, [], budget);
  const projected = projectRow(body, columns, roots);
  const shown = presentRow(projected.row, columns);
  return fitObject(shown.row, mergeOmissions([...projected.omitted, ...shown.omitted]), budget);
}

/** What the template's expressions give over `current`. */
export function shapeValue(template: ValueTemplate, current: Json, roots: Roots, budget: number): Shaped {
  return fitObject(fillTemplate(template, current, roots), [], budget);
}

function fillTemplate(template: ValueTemplate, current: Json, roots: Roots): Json {
  if (template.kind === "expression") return evaluateExpression(template.expression, current, roots);
  return Object.fromEntries(template.entries.map(([name, value]) => [name, fillTemplate(value, current, roots)]));
}

/** A value that is no object stands under `value`; `omitted` comes first, where it is there at all. */
function fitObject(whole: Json, clipped: readonly Omission[], budget: number): Shaped {
  const bound = Math.max(budget, SMALLEST_BUDGET);
  const { value, lost } = withoutProto(whole);
  const build = (kept: Json, inside: readonly Omission[]): JsonObject => {
    const omitted = [...lost, ...clipped, ...inside].map((one) => ({ ...one }));
    const told = omitted.length > 0 ? { omitted } : {};
    if (!isJsonObject(value)) return { ...told, value: kept };
    const object = isJsonObject(kept) ? kept : {};
    return omitted.length > 0 ? { ...told, ...without(object, "omitted") } : object;
  };
  const uncut = build(value, []);
  if (jsonBytes(uncut) <= bound) return { structured: uncut };
  return { structured: cutToFit(value, isJsonObject(value) ? "" : "value", bound, build) };
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
