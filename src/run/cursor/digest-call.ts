import type { Arguments } from "../arguments/validate-arguments.ts";
import { type BoundCall, digestBound } from "../digest-bound.ts";
import type { ResolvedFilter } from "../list/list-read.ts";

/** Of a SHA-256. Nobody gains by a call with the same digest: whoever could make one could make that call itself. */
const BYTES = 12;
/** As long as each of them. */
export const ANY_DIGEST = Buffer.alloc(BYTES).toString("base64url");
/** What may differ from page to page, and what is counted in its resolved form. */
const ASIDE = new Set(["limit", "pageToken", "filter"]);

/** A digest of the call that a page token is bound to, every argument but `limit`. */
export function digestCall(asking: BoundCall, given: Arguments, filter: ResolvedFilter): string {
  const { tool } = asking;
  const args = Object.fromEntries([...given.values].filter(([name]) => !ASIDE.has(name)));
  return digestBound(asking, filter, args, [tool.plan, tool.shape]).subarray(0, BYTES).toString("base64url");
}
