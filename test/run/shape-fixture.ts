import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Field, Shape } from "../../src/model/tool.ts";
import type { Expression, Value } from "../../src/model/value.ts";
import type { Roots } from "../../src/run/expressions/evaluate.ts";
import { listColumns } from "../../src/run/shape/list-columns.ts";
import { shapeReply } from "../../src/run/shape/shape-reply.ts";
import { writeReply } from "../../src/run/shape/write-reply.ts";

export const expression = (jmespath: string): Expression => ({ jmespath });
export const value = (jmespath: string): Value => ({ kind: "expression", expression: expression(jmespath) });
export const column = (name: string, more: Partial<Extract<Field, { kind: "column" }>> = {}): Field => ({
  kind: "column",
  name,
  path: expression(name),
  ...more,
});

type ListShape = Extract<Shape, { kind: "list" }>;
export const list = (more: Partial<ListShape> = {}): ListShape => ({
  kind: "list",
  rows: expression("rows"),
  budget: 25_000,
  ...more,
});

export function rootsOf(input: JsonObject = {}): Roots {
  return { input, pins: {} };
}

export interface Reply {
  readonly text: string;
  readonly structured: JsonObject;
}

/** What a tool of this shape replies to a JSON body; the text is that of the structured reply, or this throws. */
export function replyTo(shape: Shape, body: Json, input: JsonObject = {}): Reply {
  const roots = rootsOf(input);
  const columns = shape.kind !== "value" && shape.fields ? listColumns(shape.fields, roots) : undefined;
  const limit = typeof input.limit === "number" ? input.limit : undefined;
  const shaped = shapeReply({ name: "t", shape }, columns, { kind: "json", value: body }, roots, limit);
  const reply = writeReply(shaped, true);
  if (reply.isError || !reply.structured) throw new Error("There is no structured reply.");
  return { text: reply.text, structured: reply.structured };
}

export function dataOf(reply: Reply): readonly Json[] {
  return reply.structured.data as readonly Json[];
}
