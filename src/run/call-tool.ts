import type { Tool } from "../model/tool.ts";
import type { PinnedNames } from "./arguments/pinned-names.ts";
import { validateArguments } from "./arguments/validate-arguments.ts";
import { askFirst, type Decision } from "./confirm/ask-first.ts";
import { confirmedAt, readConfirmation } from "./confirm/read-confirmation.ts";
import type { UsedOnce } from "./confirm/used-once.ts";
import { watchMasked } from "./confirm/watch-masked.ts";
import type { CursorKeys } from "./cursor/cursor-keys.ts";
import { digestCall } from "./cursor/digest-call.ts";
import { checkBound, openPageToken } from "./cursor/open-page-token.ts";
import type { Ask, Asking } from "./exchange/ask-upstream.ts";
import { watchReplaced } from "./exchange/watch-replaced.ts";
import type { Roots } from "./expressions/evaluate.ts";
import type { Path } from "./expressions/list-sums.ts";
import { applyFilter } from "./filter/apply-filter.ts";
import { checkListedValues } from "./filter/check-listed-values.ts";
import { resolveFilter } from "./filter/resolve-filter.ts";
import { askById } from "./identify/ask-by-id.ts";
import { identifyArguments } from "./identify/identify-arguments.ts";
import { replyWithList } from "./list/reply-with-list.ts";
import { type Column, listColumns } from "./shape/list-columns.ts";
import { type OtherShape, shapeReply } from "./shape/shape-reply.ts";
import type { Shaped } from "./shape/shaped.ts";
import { tellFurther } from "./shape/tell-further.ts";
import { tellReplaced } from "./shape/tell-replaced.ts";
import { sayPartial } from "./shape/withhold-sums.ts";
import { replyWithSteps, spreadsSteps } from "./steps/reply-with-steps.ts";
import { runSteps } from "./steps/run-steps.ts";
import { suggestNext } from "./suggest/suggest-next.ts";

/** One call of one tool, and what was made for it beforehand. */
export interface ToolCall extends Omit<Asking, "deadlineAt" | "roots" | "wire" | "writes"> {
  readonly pinned: PinnedNames;
  readonly cursorKeys: () => CursorKeys;
  readonly confirmKeys: () => CursorKeys;
  readonly usedOnce: UsedOnce;
  /** Of an action of a group: the arguments that only other actions take. */
  readonly elsewhere?: ReadonlyMap<string, readonly string[]>;
}

/** Validate, plan, send, shape. Throws ToolError, or whatever else went wrong. */
export async function callTool(call: ToolCall, raw: unknown): Promise<Shaped> {
  const { tool, toolset, slots, access, caller, outside, cursorKeys, reach } = call;
  const deadlineAt = performance.now() + tool.deadlineMs;
  const token = openPageToken(call, raw);
  const answered = readConfirmation(call, raw);
  const now = token?.now ?? confirmedAt(answered) ?? outside.now();
  const written = await validateArguments(tool, call.pinned, raw, {
    now,
    pins: access.pins,
    ...(call.elsewhere !== undefined && { elsewhere: call.elsewhere }),
  });
  const masked = watchMasked();
  const replaced = watchReplaced();
  const calling = { tool, toolset, slots, access, caller, outside, deadlineAt, masked, replaced, reach };
  const given = namesThings(tool) ? await identifyArguments(written, calling) : written;
  const roots: Roots = { input: Object.fromEntries(given.values), pins: access.pins };
  const wire: Roots = { input: Object.fromEntries(given.wire), pins: access.pins };
  // Before anything is sent: a column that cannot be shown is the caller's to correct.
  const columns = columnsOf(tool, roots);
  if (tool.plan.kind === "access") return describeAccess(tool, columns, roots);
  const reading: Asking = { roots, wire, ...calling };
  const filter = tool.filter === undefined ? {} : await resolveFilter(given, reading);
  if (hasLists(tool)) await checkListedValues(given, reading);
  const { confirmKeys, usedOnce } = call;
  const first = { asking: reading, filter, now, answered, confirmKeys, usedOnce };
  const decision: Decision = tool.confirm === undefined ? { kind: "go" } : await askFirst(first);
  if (decision.kind === "ask") return decision.shaped;
  const asking = decision.writes === undefined ? reading : { ...reading, writes: decision.writes };
  if (tool.plan.kind === "steps") {
    // A token of another call must not be worth a run of all steps.
    if (token !== undefined) checkBound(token, digestCall(asking, given, filter));
    const run = await runSteps(tool.plan.steps, asking, decision.before);
    const told = { given, columns, filter, now, cursorKeys, asking, ...(token !== undefined && { token }) };
    return replyWithSteps(tool.plan.steps, run, told);
  }
  if (tool.plan.kind !== "call") throw new Error(`${tool.name} has no request of its own.`);
  const ask = askById(asking);
  const send: Ask = async (one, rows) => ask(applyFilter(one, filter.condition, asking), rows);
  if (tool.shape.kind === "list") {
    const list = { shape: tool.shape, call: tool.plan.call, columns, given, filter, now, asking, cursorKeys, send };
    return replyWithList({ ...list, ...(token !== undefined && { token }) });
  }
  const { body, headers } = await send(tool.plan.call);
  const partial = (path: Path) => (body.kind === "json" ? sayPartial(body.value, path, headers) : undefined);
  const shapeWith = (shape: OtherShape) => shapeReply(tool, shape, columns, body, roots, partial);
  const tellMore = (shape: OtherShape) => tellFurther(shape, body, headers, shapeWith);
  return suggestNext(tool.shape, asking, (shape) => tellReplaced(shape, replaced.isSeen(), tellMore));
}

// What a tool has none of is not waited for: each wait is a turn of its own, and most tools have nothing to ask about.

function namesThings({ inputs }: Tool): boolean {
  return inputs.some(({ identified }) => identified !== undefined);
}

function hasLists({ inputs }: Tool): boolean {
  return inputs.some(({ valuesFrom }) => valuesFrom !== undefined);
}

const ACCESS_NOTE = "These values hold for every call of every tool of this server, and no argument changes them.";

function describeAccess(tool: Tool, columns: readonly Column[] | undefined, roots: Roots): Shaped {
  if (tool.shape.kind === "list") throw new Error("What describes the access is no list.");
  const shaped = shapeReply(tool, tool.shape, columns, { kind: "json", value: {} }, roots);
  return { structured: { note: ACCESS_NOTE, ...shaped.structured } };
}

function columnsOf({ shape }: Tool, roots: Roots): readonly Column[] | undefined {
  return shape.kind !== "value" && shape.fields && !spreadsSteps(shape.fields)
    ? listColumns(shape.fields, roots)
    : undefined;
}
