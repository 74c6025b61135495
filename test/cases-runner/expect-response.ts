import { expect } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { OpenCase, Ran } from "./open-case.ts";
import { type Case, type CaseAnswer, honour } from "./read-case.ts";

export interface ResponseContext {
  readonly given: Case;
  readonly opened: OpenCase;
  readonly ran: Ran;
}

export async function expectResponse(expected: JsonObject, context: ResponseContext): Promise<void> {
  const { structuredContent } = context.ran.result;
  // The front of mcp/ sends the text in its place.
  if (structuredContent !== undefined) expect(text(context)).toBe(JSON.stringify(structuredContent));
  await honour(expected, CHECKS, context);
}

const text = ({ ran }: ResponseContext) =>
  ran.result.content.map((block) => (block.type === "text" ? block.text : "")).join("");

const CHECKS: Readonly<Record<string, (value: never, context: ResponseContext) => void | Promise<void>>> = {
  is_error: (isError: boolean, context) => expect(context.ran.result.isError ?? false, text(context)).toBe(isError),
  jsonrpc_error: (isOne: false, { ran }) => expect([isOne, Array.isArray(ran.result.content)]).toEqual([false, true]),
  text: (wanted: string, context) => expect(text(context)).toBe(wanted),
  text_contains: (parts: string | readonly string[], context) => {
    for (const part of [parts].flat()) expect(text(context)).toContain(part);
  },
  text_nonempty: (_: true, context) => expect(text(context).trim()).not.toBe(""),
  text_max_chars: (most: number, context) => expect(text(context).length).toBeLessThanOrEqual(most),
  text_is_valid_json_or_marked: (_: true, context) => expect(isJsonObject(JSON.parse(text(context)))).toBe(true),
  mentions_total: (total: number, context) => expect(text(context)).toMatch(new RegExp(`\\b${total}\\b`)),
  structured: (wanted: Json, { ran }) => expect(ran.result.structuredContent).toEqual(wanted),
  structured_is_object_or_absent: (_: true, { ran }) => {
    const structured = ran.result.structuredContent as Json | undefined;
    expect(structured === undefined || isJsonObject(structured)).toBe(true);
  },
  output_schema_root: (what: string, { opened }) => {
    expect(what).toBe("object or absent");
    expect([undefined, "object"]).toContain(opened.tool.outputSchema?.type);
  },
  content: (blocks: readonly JsonObject[], { ran }) => {
    for (const block of blocks) expect(ran.result.content).toContainEqual(block);
  },
  returns_within_ms: (most: number, { ran }) => expect(ran.ms).toBeLessThan(most),
  upstream_requests: (count: number, { ran }) => expect(ran.requests).toHaveLength(count),
  also: async (others: Further | readonly Further[], context) => {
    for (const other of [others].flat() as Further[]) {
      const { status, headers, body, body_base64: base64, stream, ...expected } = other;
      const answer: CaseAnswer = {
        ...(status !== undefined && { status }),
        ...((headers ?? context.given.upstream?.headers) && {
          headers: headers ?? context.given.upstream?.headers ?? {},
        }),
        ...(body !== undefined && { body }),
        ...(base64 !== undefined && { body_base64: base64 }),
        ...(stream !== undefined && { stream }),
      };
      const ran = await context.opened.call(context.given.args ?? {}, answer);
      await expectResponse(expected, { ...context, ran });
    }
  },
};

type Further = CaseAnswer & JsonObject;
