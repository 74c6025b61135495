import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../model/json.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import type { ResolvedFilter } from "../list/list-read.ts";

/**
 * A digest of the call that a confirmation is bound to: server, tool, the caller's key, pins, the filter as it is applied, every argument in its
 * resolved form, and what the tool does (a curation that changed may do something else).
 */
export function digestConfirmed(
  { tool, toolset, caller, access, roots }: Pick<Asking, "tool" | "toolset" | "caller" | "access" | "roots">,
  { condition }: ResolvedFilter,
): string {
  const bound: JsonObject = {
    server: toolset.server.name,
    tool: tool.name,
    key: caller.key,
    pins: access.pins,
    filter: plain(condition),
    arguments: roots.input,
    does: plain([tool.plan, tool.confirm]),
  };
  return createHash("sha256").update(canonicalJson(bound)).digest("base64url");
}

/** Data of ours without what is undefined in it. */
function plain(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
