import { ToolError } from "../../model/errors.ts";
import type { ToolReply } from "../../model/exchange.ts";
import type { Explorer } from "../../model/explorer.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Plan, Toolset } from "../../model/tool.ts";
import { type Arguments, validateArguments } from "../arguments/validate-arguments.ts";
import type { ToolCall } from "../call-tool.ts";
import { digestCall } from "../cursor/digest-call.ts";
import { checkBound, openPageToken } from "../cursor/open-page-token.ts";
import { sealPageToken } from "../cursor/seal-page-token.ts";
import { shapeReply } from "../shape/shape-reply.ts";
import type { Shaped } from "../shape/shaped.ts";
import { writeReply } from "../shape/write-reply.ts";
import { findOperation } from "./find-operation.ts";
import { searchOperations } from "./search-operations.ts";

export interface Exploring {
  readonly explorer: Explorer;
  /** Calls the one tool of a toolset that the explorer opened, by the same path as any other tool. */
  callAlone(toolset: Toolset, args: JsonObject): Promise<ToolReply>;
}

/** Kept for what stands around the rows of a page. */
const AROUND_BYTES = 1_000;

/** One call of one of the three tools of `explore`. Throws ToolError. */
export async function exploreApi(
  call: ToolCall,
  { does }: Extract<Plan, { kind: "explore" }>,
  raw: unknown,
  { explorer, callAlone }: Exploring,
): Promise<ToolReply> {
  const { tool, toolset, access, outside, pinned } = call;
  const given = await validateArguments(tool, pinned, raw, { now: outside.now(), pins: access.pins });
  const { structured } = toolset.server;
  switch (does) {
    case "search":
      return writeReply(await search(call, given, raw, explorer), structured);
    case "describe":
      return writeReply(await describe(call, given, explorer), structured);
    case "call": {
      const { opened } = await findOperation(explorer, textOf(given, "operation"));
      return callAlone(opened.toolset, readPairs(given.values.get("arguments")));
    }
    default:
      return does satisfies never;
  }
}

async function search(call: ToolCall, given: Arguments, raw: unknown, explorer: Explorer): Promise<Shaped> {
  const token = openPageToken(call, raw);
  const digest = digestCall(call, given, {});
  if (token !== undefined) checkBound(token, digest);
  const from = token?.position.kind === "row" ? token.position.at : 0;
  const limit = given.values.get("limit");
  const budget = call.tool.shape.budget - AROUND_BYTES;
  const asked = { query: textOf(given, "query"), limit: typeof limit === "number" ? limit : 10, from, budget };
  const { rows, next } = await searchOperations(explorer, asked);
  const now = call.outside.now();
  const sealed = (at: number) =>
    sealPageToken(call.cursorKeys(), { position: { kind: "row", at }, now, made: now, digest });
  const note = noteOf(rows.length, from, next);
  return {
    structured: {
      rowCount: rows.length,
      hasMore: next !== undefined,
      ...(next !== undefined && { nextPageToken: sealed(next) }),
      ...(note !== undefined && { note }),
      data: rows,
    },
  };
}

function noteOf(shown: number, from: number, next: number | undefined): string | undefined {
  if (next !== undefined) return "Best matches first. More: nextPageToken as `pageToken`, or other words.";
  return shown === 0 && from === 0
    ? "No read-only operation has any of these words; an empty query lists all."
    : undefined;
}

async function describe({ tool }: ToolCall, given: Arguments, explorer: Explorer): Promise<Shaped> {
  const { operation, opened } = await findOperation(explorer, textOf(given, "operation"));
  const { description, returns } = opened;
  const alone = opened.toolset.tools[0];
  const value = {
    operation: operation.name,
    sends: `${operation.method} ${operation.path}`,
    ...(description !== "" && { does: description }),
    arguments: (alone?.inputSchema ?? {}) as unknown as Json,
    ...(returns !== "" && { returns }),
  };
  const { shape } = tool;
  if (shape.kind === "list") throw new Error("What describes an operation is no list.");
  return shapeReply(tool, shape, undefined, { kind: "json", value }, { input: {}, pins: {} });
}

function textOf({ values }: Arguments, name: string): string {
  const value = values.get(name);
  return typeof value === "string" ? value : "";
}

/** The arguments by name. Throws ToolError where one stands twice: which of the two counts would be a guess. */
function readPairs(pairs: Json | undefined): JsonObject {
  const list = Array.isArray(pairs) ? (pairs as readonly { readonly name: string; readonly value: string }[]) : [];
  const read = new Map<string, string>();
  for (const [at, { name, value }] of list.entries()) {
    if (read.has(name)) throw doubled(name, at);
    read.set(name, value);
  }
  return Object.fromEntries(read);
}

function doubled(name: string, at: number): ToolError {
  return new ToolError("invalid_arguments", {
    message: `\`${name.slice(0, 64)}\` stands twice among the arguments.`,
    recover: "Give each name once; several values are one value, a JSON list.",
    path: `arguments[${at}].name`,
    retryable: false,
  });
}
