import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../model/json.ts";
import type { Arguments } from "../arguments/validate-arguments.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import type { ResolvedFilter } from "../list/list-read.ts";

/** Of a SHA-256. Nobody gains by a call with the same digest: whoever could make one could make that call itself. */
const BYTES = 12;
/** What may differ from page to page, and what is counted in its resolved form. */
const ASIDE = new Set(["limit", "pageToken", "filter"]);

/**
 * A digest of all that a page token is bound to: server, tool, the caller's key, pins, the filter as it is applied, every other argument but
 * `limit`, and how the tool reads its list (a curation that changed may read it otherwise).
 */
export function digestCall(
  { tool, toolset, caller, access }: Pick<Asking, "tool" | "toolset" | "caller" | "access">,
  given: Arguments,
  { condition }: ResolvedFilter,
): string {
  const bound: JsonObject = {
    server: toolset.server.name,
    tool: tool.name,
    key: caller.key,
    pins: access.pins,
    filter: plain(condition),
    arguments: Object.fromEntries([...given.values].filter(([name]) => !ASIDE.has(name))),
    list: plain([tool.plan, tool.shape]),
  };
  return createHash("sha256").update(canonicalJson(bound)).digest().subarray(0, BYTES).toString("base64url");
}

/** Data of ours without what is undefined in it. */
function plain(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
}
