import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../model/json.ts";
import { onceFor } from "../model/once-for.ts";
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
  does: readonly object[],
): Buffer {
  // Its keys are sorted, as those in it are.
  const bound = [
    `"arguments":${canonicalJson(args)}`,
    `"caller":${JSON.stringify(caller.id ?? null)}`,
    `"does":[${does.map(textOf).join(",")}]`,
    `"filter":${canonicalJson(plain(condition))}`,
    `"key":${textOf(caller.key)}`,
    `"pins":${textOf(access.pins)}`,
    `"server":${JSON.stringify(toolset.server.name)}`,
    `"tool":${JSON.stringify(tool.name)}`,
  ];
  return createHash("sha256")
    .update(`{${bound.join(",")}}`)
    .digest();
}

/** The canonical text of an object that many calls have in common, made once. */
const textOf = onceFor((shared: object) => canonicalJson(plain(shared)));

/** Data of ours without what is undefined in it. */
function plain(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
