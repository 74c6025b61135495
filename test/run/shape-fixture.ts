import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Field, Shape } from "../../src/model/shape.ts";
import type { Expression, Value } from "../../src/model/value.ts";
import type { Roots } from "../../src/run/expressions/evaluate.ts";
import type { ListRead, Position } from "../../src/run/list/list-read.ts";
import { hasFurtherRows } from "../../src/run/shape/find-further.ts";
import { findRows } from "../../src/run/shape/find-rows.ts";
import { listColumns } from "../../src/run/shape/list-columns.ts";
import { type ListContext, shapeList } from "../../src/run/shape/shape-list.ts";
import { shapeReply } from "../../src/run/shape/shape-reply.ts";
import type { Shaped } from "../../src/run/shape/shaped.ts";
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
  if (shape.kind === "list") {
    const rows = findRows(shape.rows, body, roots);
    return replyWith(shape, whole(rows, { body, unreachable: hasFurtherRows(body, rows.length, new Map()) }), input);
  }
  const columns = shape.kind !== "value" && shape.fields ? listColumns(shape.fields, roots) : undefined;
  return written(shapeReply({ name: "t" }, shape, columns, { kind: "json", value: body }, roots));
}

/** What a list replies to the rows that were read; by default no page token leads on. */
export function replyWith(
  shape: ListShape,
  read: ListRead,
  input: JsonObject = {},
  context: Partial<ListContext> = {},
): Reply {
  const roots = rootsOf(input);
  const columns = shape.fields ? listColumns(shape.fields, roots) : undefined;
  const limit = typeof input.limit === "number" ? { limit: input.limit } : {};
  return written(shapeList(shape, columns, read, roots, { ...NO_TOKENS, ...limit, ...context }));
}

const NO_TOKENS: ListContext = {
  canGoOn: false,
  tokenBytes: 0,
  tokenFor: () => {
    throw new Error("No token was asked for.");
  },
};

/** Tokens that can be read here: the position as JSON, padded to the length that is announced. */
export const TOKENS = {
  canGoOn: true,
  tokenBytes: 120,
  tokenFor: (position: Position, anchor: string) =>
    Buffer.from(JSON.stringify({ position, anchor })).toString("base64url").padEnd(120, "."),
} satisfies Partial<ListContext>;

export function openToken(token: Json | undefined): { readonly position: Position; readonly anchor: string } {
  const text = Buffer.from(String(token).replace(/\.+$/, ""), "base64url").toString();
  return JSON.parse(text) as { position: Position; anchor: string };
}

export function whole(rows: readonly Json[], more: Partial<Extract<ListRead, { kind: "whole" }>> = {}): ListRead {
  return { kind: "whole", rows, body: { rows }, unreachable: false, ...more };
}

type Part = Extract<ListRead, { kind: "part" }>;

/** Rows from `at` on of an upstream that counts them; `more` come behind these. */
export function part(rows: readonly Json[], more: Partial<Part> & { readonly at?: number } = {}): ListRead {
  const { at = 0, ...rest } = more;
  const after = (shown: number): Position => ({
    kind: "page",
    page: { kind: "number", number: at + shown },
    skip: 0,
  });
  const complete = at === 0 && rest.more !== true;
  return {
    kind: "part",
    rows,
    body: { rows },
    unreachable: false,
    complete,
    more: false,
    drifted: false,
    after,
    ...rest,
  };
}

function written(shaped: Shaped): Reply {
  const reply = writeReply(shaped, true);
  if (reply.isError || !reply.structured) throw new Error("There is no structured reply.");
  return { text: reply.text, structured: reply.structured };
}

export function dataOf(reply: Reply): readonly Json[] {
  return reply.structured.data as readonly Json[];
}
