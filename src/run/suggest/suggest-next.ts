import { ExpressionFailed, ToolError } from "../../model/errors.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import type { Suggestion, Tool, Toolset } from "../../model/tool.ts";
import { evaluateExpression, evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { isTrue } from "../is-true.ts";
import { jsonBytes } from "../shape/json-bytes.ts";
import type { Shaped } from "../shape/shaped.ts";

/** What suggestions are made of beside the reply. */
export interface Suggesting {
  readonly tool: Pick<Tool, "suggest">;
  readonly toolset: Pick<Toolset, "tools">;
  readonly roots: Roots;
}

/** Contract section 4. */
const MOST = 3;
/** The most of a budget that suggestions may take. */
const SHARE = 3;

/**
 * The reply that `shapeWith` makes of the shape, with the tool's suggestions in it as `next`; all within the budget, of which they take a third
 * at most. A hint never fails a reply: what cannot be evaluated, or leads to no tool of the toolset, is not suggested.
 */
export function suggestNext<S extends Shape>(
  shape: S,
  { tool: { suggest = [] }, toolset, roots }: Suggesting,
  shapeWith: (shape: S) => Shaped,
): Shaped {
  const whole = shapeWith(shape);
  if (suggest.length === 0) return whole;
  const isList = shape.kind === "list";
  const nextOf = ({ structured }: Shaped) =>
    chooseFitting(fillAll(suggest, structured, isList, toolset, roots), shape.budget);
  const next = nextOf(whole);
  const told = addNext(whole, next);
  if (next.length === 0 || jsonBytes(told.structured) <= shape.budget) return told;
  const less = shapeWith({ ...shape, budget: Math.max(0, shape.budget - nextBytes(next)) });
  const again = addNext(less, nextOf(less));
  return jsonBytes(again.structured) <= shape.budget ? again : whole;
}

/** `,"next":[…]` */
function nextBytes(next: readonly JsonObject[]): number {
  return jsonBytes({ next }) + 1;
}

function chooseFitting(next: readonly JsonObject[], budget: number): readonly JsonObject[] {
  const fits = next.findLastIndex((_, at) => nextBytes(next.slice(0, at + 1)) <= budget / SHARE);
  return next.slice(0, fits + 1);
}

/** Beside what is an upstream's own `next` there is none of ours. */
function addNext(shaped: Shaped, next: readonly JsonObject[]): Shaped {
  const { structured, text: _made, ...further } = shaped;
  if (next.length === 0 || Object.hasOwn(structured, "next")) return shaped;
  const { omitted, ...rest } = structured;
  if (!Object.hasOwn(structured, "rowCount"))
    return { ...further, structured: { ...(omitted !== undefined && { omitted }), next, ...rest } };
  const { data, ...head } = structured;
  return { ...further, structured: { ...head, next, ...(data !== undefined && { data }) } };
}

function fillAll(
  suggest: readonly Suggestion[],
  reply: JsonObject,
  isList: boolean,
  { tools }: Suggesting["toolset"],
  roots: Roots,
): readonly JsonObject[] {
  const item: Json = isList ? firstRow(reply) : reply;
  const filled: JsonObject[] = [];
  for (const one of suggest) {
    const target = tools.find(({ name }) => name === one.tool);
    const made = target && fill(one, target, reply, { ...roots, item });
    if (made !== undefined) filled.push(made);
    if (filled.length === MOST) break;
  }
  return filled;
}

function firstRow({ data }: JsonObject): Json {
  return Array.isArray(data) ? ((data as readonly Json[])[0] ?? null) : null;
}

function fill(
  { tool, args, when, why, ofItem }: Suggestion,
  target: Pick<Tool, "inputSchema" | "group">,
  reply: JsonObject,
  roots: Roots,
): JsonObject | undefined {
  if (ofItem === true && (roots.item ?? null) === null) return undefined;
  try {
    if (when !== undefined && !isTrue(evaluateExpression(when, reply, roots))) return undefined;
    const given = args.map(([name, value]) => [name, evaluateValue(value, roots)] as const);
    const lacking = given.some(([name, value]) => value === null && target.inputSchema.required?.includes(name));
    if (lacking) return undefined;
    const known = given.filter(([, value]) => value !== null);
    const { group } = target;
    if (group === undefined) return { tool, args: Object.fromEntries(known), why };
    return { tool: group.tool, args: Object.fromEntries([[group.discriminator, group.action], ...known]), why };
  } catch (error) {
    if (error instanceof ExpressionFailed || error instanceof ToolError) return undefined;
    throw error;
  }
}
