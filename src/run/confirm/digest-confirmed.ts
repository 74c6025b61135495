import { type BoundCall, digestBound } from "../digest-bound.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import type { ResolvedFilter } from "../list/list-read.ts";

/** A digest of the call that a confirmation is bound to, every argument in its resolved form. */
export function digestConfirmed(asking: BoundCall & Pick<Asking, "roots">, filter: ResolvedFilter): string {
  const { tool, roots } = asking;
  return digestBound(asking, filter, roots.input, [tool.plan, tool.confirm ?? {}]).toString("base64url");
}
