import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../model/json.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Asking } from "./exchange/ask-upstream.ts";
import type { ResolvedFilter } from "./list/list-read.ts";

/** Whose call it is, and of what: server, tool, the caller, its key and pins. */
export type BoundCall = Pick<Asking, "tool" | "toolset" | "caller" | "access">;

/**
 * The SHA-256 of what a token is bound to: whose call it is, the filter as it is applied, the arguments, and what the tool does with them (a
 * curation that changed may do something else).
 */
export function digestBound(
  { tool, toolset, caller, access }: BoundCall,
  { condition }: ResolvedFilter,
  args: JsonObject,
  does: readonly unknown[],
): Buffer {
  const bound: JsonObject = {
    server: toolset.server.name,
    tool: tool.name,
    caller: caller.id ?? null,
    key: caller.key,
    pins: access.pins,
    filter: plain(condition),
    arguments: args,
    does: plain(does),
  };
  return createHash("sha256").update(canonicalJson(bound)).digest();
}

/** Data of ours without what is undefined in it. */
function plain(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
