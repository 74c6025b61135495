import type { Call, OperationPlan } from "../../model/call.ts";
import type { Ending } from "../../model/ending.ts";
import type { Caller, RunEvent, UpstreamReply } from "../../model/exchange.ts";
import { onlyReads } from "../../model/only-reads.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import { checkBody } from "../arguments/check-body.ts";
import type { Writes } from "../confirm/open-writes.ts";
import { prepareRequest } from "../confirm/prepare-request.ts";
import type { Masked } from "../confirm/watch-masked.ts";
import { explainError, explainSuccess, ruleSuccesses } from "../errors/explain-error.ts";
import type { Stage } from "../errors/explain-throw.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { hideBody } from "../hide-body.ts";
import type { Access } from "../open-access.ts";
import type { Outside } from "../outside.ts";
import type { WantRows } from "../rows/rows-wanted.ts";
import type { Slots } from "./limit-concurrency.ts";
import { readByHead } from "./read-by-head.ts";
import { sendRequest } from "./send-request.ts";
import type { Replaced } from "./watch-replaced.ts";

/** What all requests of one call of a tool have in common. */
export interface Asking {
  readonly tool: Tool;
  readonly toolset: Toolset;
  readonly slots: Slots;
  readonly access: Access;
  readonly caller: Caller;
  readonly outside: Outside;
  /** In milliseconds of `performance.now()`. */
  readonly deadlineAt: number;
  /** Arguments in the caller's form: what an error's `when` reads. */
  readonly roots: Roots;
  /** Arguments in the upstream's form: what bindings read. */
  readonly wire: Roots;
  /** What was agreed to, of a tool that asks before it writes; without it such a tool sends nothing that writes. */
  readonly writes?: Writes;
  /** Told of secrets that answers held; what writes is held against it. */
  readonly masked?: Masked;
  /** Told of bytes of answers that were no text. */
  readonly replaced?: Replaced;
  /** Told when the upstream has answered: what fails from then on is the answer's fault. */
  reach(stage: Stage): void;
}

export interface Answer extends UpstreamReply {
  /** What was asked, without credentials: links in the answer are relative to it. */
  readonly url?: string;
}

/**
 * Sends one call and gives the answer, its body without secrets; `rows` is all that is needed of a large one. Throws ToolError, for an answer that is a
 * failure too.
 */
export type Ask = (call: Call, rows?: WantRows) => Promise<Answer>;

export function openAsk(asking: Asking): Ask {
  const isReadWhole = asking.caller.showsAnswers === true || ruleSuccesses(asking.tool.errors).length > 0;
  return async (call, rows) => {
    const { toolset, access, wire, outside } = asking;
    const operation = toolset.operations[call.operation]!;
    if (asking.caller.onlyReads === true && !onlyReads(operation))
      throw new Error(`${operation.key} was not sent: it may change something, and this caller only reads.`);
    if (operation.body?.check !== undefined) await checkBody(call, operation, wire);
    const request = prepareRequest(call, operation, asking);
    const answer = await sendRequest(request, sendingOf(asking, operation, isReadWhole ? undefined : rows));
    asking.reach("reply");
    const { status, headers, bytes } = answer;
    const read = status < 300 ? readByHead(answer, request.url, outside.now(), choosesWords(asking)) : answer.body;
    const reply: Answer = { status, headers, bytes, body: hideBody(read, access.hider), url: request.url };
    // Unless something is hidden in it, JSON stays the very same.
    if (read.kind === "json" && reply.body !== read) asking.masked?.note();
    if (read.kind === "text" && reply.body.kind === "text" && reply.body.text !== read.text) asking.masked?.note();
    if ("replaced" in answer.body) asking.replaced?.note();
    throwFailure(reply, operation, asking);
    return reply;
  };
}

/** Whatever comes, the reply has the author's own words. */
function choosesWords({ tool: { plan, shape } }: Asking): boolean {
  return plan.kind === "call" && shape.kind === "value";
}

function sendingOf(
  { tool, toolset, slots, access, caller, outside, deadlineAt }: Asking,
  operation: OperationPlan,
  rows: WantRows | undefined,
) {
  const { credentials } = access.upstream;
  return {
    tool: tool.name,
    egress: outside.egress,
    pool: access.pool,
    ...(caller.id !== undefined && { caller: caller.id }),
    authorize: async (plain: Parameters<Outside["authorize"]>[0], signal: Ending) => {
      const { timeoutMs } = toolset.upstream;
      const { subjectToken } = caller;
      const authorizing = {
        egress: outside.egress,
        signal,
        timeoutMs,
        ...(subjectToken !== undefined && { subjectToken }),
      };
      const authorized = await outside.authorize(plain, operation.security, credentials, authorizing);
      access.hider.add(authorized.secrets);
      return authorized;
    },
    observe: (event: RunEvent) => {
      outside.observe(event);
      caller.observe?.(event);
    },
    ...(caller.headers && { headers: caller.headers }),
    ...(rows !== undefined && { rows }),
    isFree: access.hider.isFree,
    now: outside.now,
    slots: { take: (signal: Ending) => slots.take(signal, caller.id) },
    cancel: caller.signal,
    deadlineAt,
    limits: toolset.upstream,
  };
}

function throwFailure(reply: UpstreamReply, { safe }: OperationPlan, { tool, toolset, outside, roots }: Asking): void {
  const failure = { reply, safe, rules: tool.errors, errors: toolset.upstream.errors, roots, now: outside.now() };
  if (reply.status >= 300) throw explainError(failure);
  const failed = explainSuccess(failure);
  if (failed) throw failed;
}
