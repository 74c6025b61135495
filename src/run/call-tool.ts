import type { Caller, UpstreamReply } from "../model/exchange.ts";
import type { OperationPlan, Tool, Toolset } from "../model/tool.ts";
import { checkBody } from "./arguments/check-body.ts";
import type { PinnedNames } from "./arguments/pinned-names.ts";
import { type Arguments, validateArguments } from "./arguments/validate-arguments.ts";
import { explainError, explainSuccess } from "./errors/explain-error.ts";
import type { Stage } from "./errors/explain-throw.ts";
import type { Slots } from "./exchange/limit-concurrency.ts";
import { sendRequest } from "./exchange/send-request.ts";
import type { Roots } from "./expressions/evaluate.ts";
import { hideBody } from "./hide-body.ts";
import type { Access } from "./open-access.ts";
import type { Outside } from "./outside.ts";
import { planRequest } from "./request/plan-request.ts";
import { listColumns } from "./shape/list-columns.ts";
import { shapeReply } from "./shape/shape-reply.ts";
import type { Shaped } from "./shape/shaped.ts";

/** One call of one tool, and what was made for it beforehand. */
export interface ToolCall {
  readonly tool: Tool;
  readonly pinned: PinnedNames;
  readonly toolset: Toolset;
  readonly slots: Slots;
  readonly access: Access;
  readonly caller: Caller;
  readonly outside: Outside;
  /** Told when the upstream has answered: what fails from then on is the answer's fault. */
  reach(stage: Stage): void;
}

/** Validate, plan, send, shape. Throws ToolError, or whatever else went wrong. */
export async function callTool(call: ToolCall, raw: unknown): Promise<Shaped> {
  const { tool, access, outside } = call;
  const deadlineAt = performance.now() + tool.deadlineMs;
  const given = await validateArguments(tool, call.pinned, raw, { now: outside.now(), pins: access.pins });
  const roots: Roots = { input: Object.fromEntries(given.values), pins: access.pins };
  // Before anything is sent: a column that cannot be shown is the caller's to correct.
  const columns = columnsOf(tool, roots);
  const { body, headers } = tool.plan.kind === "access" ? NOTHING : await ask(call, given, roots, deadlineAt);
  call.reach("reply");
  const shaped = shapeReply(tool, columns, body, roots, given.limit, headers.get("link"));
  return tool.plan.kind === "access" ? { structured: { note: ACCESS_NOTE, ...shaped.structured } } : shaped;
}

/** What a tool reads of an answer. */
type Answer = Pick<UpstreamReply, "body" | "headers">;

const NOTHING: Answer = { body: { kind: "json", value: {} }, headers: new Map() };
const ACCESS_NOTE = "These values hold for every call of every tool of this server, and no argument changes them.";

function columnsOf({ shape }: Tool, roots: Roots) {
  return shape.kind !== "value" && shape.fields ? listColumns(shape.fields, roots) : undefined;
}

/** Sends the tool's request and gives the answer, its body without secrets. Throws ToolError for an answer that is a failure. */
async function ask(call: ToolCall, given: Arguments, roots: Roots, deadlineAt: number): Promise<Answer> {
  const { tool, toolset, access, outside } = call;
  if (tool.plan.kind !== "call") return NOTHING;
  const operation = toolset.operations[tool.plan.call.operation]!;
  const wire: Roots = { input: Object.fromEntries(given.wire), pins: access.pins };
  await checkBody(tool.plan.call, operation, wire);
  const request = planRequest(tool.plan.call, operation, access.upstream, wire);
  const { credentials } = access.upstream;
  const answer = await sendRequest(request, {
    tool: tool.name,
    egress: outside.egress,
    authorize: async (plain, signal) => {
      const { timeoutMs } = toolset.upstream;
      const authorizing = { egress: outside.egress, signal, timeoutMs };
      const authorized = await outside.authorize(plain, operation.security, credentials, authorizing);
      access.hider.add(authorized.secrets);
      return authorized;
    },
    observe: outside.observe,
    now: outside.now,
    slots: call.slots,
    cancel: call.caller.signal,
    deadlineAt,
    limits: toolset.upstream,
  });
  call.reach("reply");
  const reply = { ...answer, body: hideBody(answer.body, access.hider) };
  throwFailure(reply, operation, call, roots);
  return reply;
}

function throwFailure(
  reply: UpstreamReply,
  { safe }: OperationPlan,
  { tool, toolset, outside }: ToolCall,
  roots: Roots,
) {
  const failure = { reply, safe, rules: tool.errors, errors: toolset.upstream.errors, roots, now: outside.now() };
  if (reply.status >= 300) throw explainError(failure);
  const failed = explainSuccess(failure);
  if (failed) throw failed;
}
