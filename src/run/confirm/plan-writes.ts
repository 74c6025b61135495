import type { Call } from "../../model/call.ts";
import type { UpstreamRequest } from "../../model/exchange.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { Expression } from "../../model/value.ts";
import { checkBody } from "../arguments/check-body.ts";
import { holds } from "../errors/holds.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { evaluateExpression } from "../expressions/evaluate.ts";
import { planRequest } from "../request/plan-request.ts";
import type { StepsRun } from "../steps/run-steps.ts";

/** A request that writes and is going to be sent; what it says is open where that depends on answers that only come after a write. */
export type PlannedWrite =
  | { readonly kind: "certain"; readonly request: UpstreamRequest }
  | { readonly kind: "open"; readonly operation: string; readonly step: string };

type Sending = Pick<Asking, "toolset" | "access" | "roots" | "wire" | "masked">;

/** The request of a tool of one operation, its filter laid on; none where it only reads. */
export async function planWrite(call: Call, sending: Sending): Promise<PlannedWrite[]> {
  return sending.toolset.operations[call.operation]!.safe ? [] : [await planCertain(call, sending)];
}

/** Where the first step stands that does not only read; none where there is no such step. */
export function firstWrite(steps: readonly Step[]): number | undefined {
  const at = steps.findIndex((step) => step.kind === "call" && !step.safe);
  return at < 0 ? undefined : at;
}

/**
 * The requests of all steps that write, in their order, as far as what the steps above the first of them gave tells. Throws what planning and
 * evaluating throws.
 */
export async function planStepWrites(
  steps: readonly Step[],
  before: StepsRun,
  sending: Sending,
): Promise<PlannedWrite[]> {
  const known: Known = { roots: { ...before.results }, wire: { ...before.wire } };
  const writes: PlannedWrite[] = [];
  for (const step of steps.slice(firstWrite(steps) ?? steps.length)) {
    const at: Sending = {
      ...sending,
      roots: { ...sending.roots, steps: known.roots },
      wire: { ...sending.wire, steps: known.wire },
    };
    const ahead = await lookAhead(step, at);
    writes.push(...ahead.writes);
    for (const form of ["roots", "wire"] as const) {
      const told = ahead.given === undefined ? { get: refuseToTell } : { value: ahead.given[form] };
      Object.defineProperty(known[form], step.id, { ...told, enumerable: true });
    }
  }
  return writes;
}

/** What steps give, with arguments in the caller's form and in the upstream's. */
interface Known {
  readonly roots: JsonObject;
  readonly wire: JsonObject;
}

interface Ahead {
  readonly writes: readonly PlannedWrite[];
  /** What the step gives, where that is known before it runs. */
  readonly given?: { readonly roots: Json; readonly wire: Json };
}

async function lookAhead(step: Step, at: Sending): Promise<Ahead> {
  const evaluate = (expression: Expression) => ({
    roots: evaluateExpression(expression, at.roots, at.roots),
    wire: evaluateExpression(expression, at.wire, at.wire),
  });
  try {
    if (step.when !== undefined && !holds(step.when, at.roots, at.roots))
      return { writes: [], given: { roots: null, wire: null } };
    if (step.kind === "value") return { writes: [], given: evaluate(step.value) };
    if (step.safe) return { writes: [] };
    const writes: PlannedWrite[] = [];
    for (const one of itemsOf(step, at)) writes.push(await planCertain(step.call, one));
    return { writes };
  } catch (error) {
    if (!(error instanceof NotKnownYet)) throw error;
    if (step.kind === "value" || step.safe) return { writes: [] };
    return { writes: [{ kind: "open", operation: at.toolset.operations[step.call.operation]!.key, step: step.id }] };
  }
}

/** What each request of a step reads: what is sent is made of arguments in the upstream's form. */
function itemsOf({ forEach }: CallStep, at: Sending): readonly Sending[] {
  if (forEach === undefined) return [at];
  const list = evaluateExpression(forEach.list, at.wire, at.wire);
  const items: readonly Json[] = Array.isArray(list) ? list.slice(0, forEach.max) : [];
  return items.map((item) => ({ ...at, wire: { ...at.wire, item } }));
}

async function planCertain(call: Call, { toolset, access, wire, masked }: Sending): Promise<PlannedWrite> {
  const operation = toolset.operations[call.operation]!;
  await checkBody(call, operation, wire);
  const request = planRequest(call, operation, access.upstream, wire);
  masked?.check(request);
  return { kind: "certain", request };
}

/** An expression reads what a step is still going to give. */
class NotKnownYet extends Error {
  readonly code = "NOT_KNOWN_YET";
}

function refuseToTell(): never {
  throw new NotKnownYet();
}
