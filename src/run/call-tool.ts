import type { Call } from "../model/call.ts";
import type { Tool } from "../model/tool.ts";
import type { PinnedNames } from "./arguments/pinned-names.ts";
import { validateArguments } from "./arguments/validate-arguments.ts";
import type { CursorKeys } from "./cursor/cursor-keys.ts";
import { openPageToken } from "./cursor/open-page-token.ts";
import { type Asking, openAsk } from "./exchange/ask-upstream.ts";
import type { Roots } from "./expressions/evaluate.ts";
import { applyFilter } from "./filter/apply-filter.ts";
import { checkListedValues } from "./filter/check-listed-values.ts";
import { resolveFilter } from "./filter/resolve-filter.ts";
import { replyWithList } from "./list/reply-with-list.ts";
import { type Column, listColumns } from "./shape/list-columns.ts";
import { shapeReply } from "./shape/shape-reply.ts";
import type { Shaped } from "./shape/shaped.ts";

/** One call of one tool, and what was made for it beforehand. */
export interface ToolCall extends Omit<Asking, "deadlineAt" | "roots" | "wire"> {
  readonly pinned: PinnedNames;
  readonly cursorKeys: () => CursorKeys;
}

/** Validate, plan, send, shape. Throws ToolError, or whatever else went wrong. */
export async function callTool(call: ToolCall, raw: unknown): Promise<Shaped> {
  const { tool, access, outside, cursorKeys } = call;
  const deadlineAt = performance.now() + tool.deadlineMs;
  const token = openPageToken(call, raw);
  const now = token?.now ?? outside.now();
  const given = await validateArguments(tool, call.pinned, raw, { now, pins: access.pins });
  const roots: Roots = { input: Object.fromEntries(given.values), pins: access.pins };
  const wire: Roots = { input: Object.fromEntries(given.wire), pins: access.pins };
  // Before anything is sent: a column that cannot be shown is the caller's to correct.
  const columns = columnsOf(tool, roots);
  if (tool.plan.kind === "access") return describeAccess(tool, columns, roots);
  if (tool.plan.kind === "steps") throw new Error("Steps cannot be run yet.");
  const asking: Asking = { ...call, deadlineAt, roots, wire };
  const filter = await resolveFilter(given, asking);
  await checkListedValues(given, asking);
  const ask = openAsk(asking);
  const send = async (one: Call) => ask(applyFilter(one, filter.condition, asking));
  if (tool.shape.kind === "list") {
    const list = { shape: tool.shape, call: tool.plan.call, columns, given, filter, now, asking, cursorKeys, send };
    return replyWithList({ ...list, ...(token !== undefined && { token }) });
  }
  const { body } = await send(tool.plan.call);
  return shapeReply(tool, tool.shape, columns, body, roots);
}

const ACCESS_NOTE = "These values hold for every call of every tool of this server, and no argument changes them.";

function describeAccess(tool: Tool, columns: readonly Column[] | undefined, roots: Roots): Shaped {
  if (tool.shape.kind === "list") throw new Error("What describes the access is no list.");
  const shaped = shapeReply(tool, tool.shape, columns, { kind: "json", value: {} }, roots);
  return { structured: { note: ACCESS_NOTE, ...shaped.structured } };
}

function columnsOf({ shape }: Tool, roots: Roots): readonly Column[] | undefined {
  return shape.kind !== "value" && shape.fields ? listColumns(shape.fields, roots) : undefined;
}
