import { FILTER_OPS, type FilterField, type FilterOp, type FilterTemplates } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import { listPlaceholders, type PlaceholderName } from "./fill-template.ts";

/**
 * Seventh door of the room. What is wrong in an author's templates for the dialects `json` and `text`: a sentence each, for `compile` to report. A
 * template with such a fault is never written: it would drop a part of the filter.
 */
export function listTemplateFaults(templates: FilterTemplates): readonly string[] {
  const groups = (["all", "any", "none"] as const).flatMap((key) => {
    const template = templates[key];
    return template === undefined || holds(template, "conditions") ? [] : [`\`${key}\` must hold {conditions}.`];
  });
  const single =
    templates.single === undefined || holds(templates.single, "field") ? [] : ["`single` must hold {field}."];
  const ops = FILTER_OPS.flatMap((op) => {
    const template = templates.ops?.[op];
    if (template === undefined || template === null || isWord(template)) return [];
    if (!holds(template, "field")) return [`\`ops.${op}\` must hold {field}.`];
    return isWhole(template, op) ? [] : [`\`ops.${op}\` ${needs(op)}.`];
  });
  const isEmpty = templates.single === undefined && templates.ops === undefined;
  return [...(isEmpty ? ["`single` is needed: how one condition is written."] : []), ...single, ...groups, ...ops];
}

/** The same of the templates of one field's `ops`. */
export function listFieldTemplateFaults({ templates = {} }: FilterField): readonly string[] {
  return FILTER_OPS.flatMap((op) => {
    const template = templates[op];
    return template === undefined || isWhole(template, op) ? [] : [`\`ops.${op}\` ${needs(op)}.`];
  });
}

/** Whether a template of one operator says all that there is to say: its value, its values, or that there are none. */
export function isWhole(template: Json, op: FilterOp): boolean {
  const takesList = op === "in" || op === "not_in";
  const takesNothing = op === "is_null" || op === "is_not_null";
  return holds(template, "values") === takesList && holds(template, "value") === (!takesList && !takesNothing);
}

function needs(op: FilterOp): string {
  if (op === "in" || op === "not_in") return "must hold {values}, and not {value}";
  return op === "is_null" || op === "is_not_null"
    ? "can hold neither {value} nor {values}"
    : "must hold {value}, and not {values}";
}

/** A word for an operator, not a template. */
export function isWord(template: Json): boolean {
  return typeof template === "string" && listPlaceholders(template).length === 0;
}

export function holds(template: Json, name: PlaceholderName): boolean {
  return listPlaceholders(template).some((placeholder) => placeholder.name === name);
}
