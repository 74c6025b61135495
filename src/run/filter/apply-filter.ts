import { writeFilter } from "../../filter/write-filter.ts";
import type { Call } from "../../model/call.ts";
import type { Condition } from "../../model/filter.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { bindFilter } from "./bind-filter.ts";
import { checkLanding } from "./check-landing.ts";
import { explainWriting } from "./explain-filter.ts";

/**
 * The call with the filter written in its own language and laid on as further bindings, never pinned. Throws ToolError `filter_not_expressible` where
 * that would change what the filter means or set what something else sets, and an Error where the call has no place for a filter: nothing is
 * ever sent without it.
 */
export function applyFilter(
  call: Call,
  condition: Condition | undefined,
  { tool, toolset, access, wire }: Pick<Asking, "tool" | "toolset" | "access" | "wire">,
): Call {
  if (condition === undefined) return call;
  const operation = toolset.operations[call.operation]!;
  const { filter, bindings } = call;
  if (filter === undefined) throw new Error(`${operation.key} has no place for the filter of ${tool.name}.`);
  return explainWriting(tool.filter?.always ?? [], () => {
    const added = bindFilter(writeFilter(condition, filter.target), { filter, condition, operation });
    checkLanding(added, { operation, bindings, upstream: access.upstream, wire });
    return { ...call, bindings: [...bindings, ...added] };
  });
}
