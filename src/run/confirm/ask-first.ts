import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../model/json.ts";
import type { CursorKeys } from "../cursor/cursor-keys.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { applyFilter } from "../filter/apply-filter.ts";
import type { ResolvedFilter } from "../list/list-read.ts";
import type { Shaped } from "../shape/shaped.ts";
import { runSteps, type StepsRun } from "../steps/run-steps.ts";
import { type Confirmation, expiryOf, sealConfirmation } from "./confirm-token.ts";
import { digestConfirmed } from "./digest-confirmed.ts";
import { digestRequest, digestTexts } from "./digest-request.ts";
import { openWrites, type Writes } from "./open-writes.ts";
import { firstWrite, type PlannedWrite, planStepWrites, planWrite } from "./plan-writes.ts";
import type { Answered } from "./read-confirmation.ts";
import { showWrites, writeQuestion } from "./show-writes.ts";
import type { UsedOnce } from "./used-once.ts";
import { writeText } from "./write-text.ts";

export interface AskFirst {
  readonly asking: Asking;
  readonly filter: ResolvedFilter;
  /** The moment at which relative defaults were resolved. */
  readonly now: Date;
  readonly answered: Answered;
  readonly confirmKeys: () => CursorKeys;
  readonly usedOnce: UsedOnce;
}

export type Decision =
  /** Nothing may be done yet: the reply that asks. */
  | { readonly kind: "ask"; readonly shaped: Shaped }
  /** `before` is what the steps gave that had to run to know it: they are not run again, so that what was agreed to is what is sent. */
  | { readonly kind: "go"; readonly writes?: Writes; readonly before?: StepsRun };

/**
 * Decides whether a call may write: at once where the tool asks nobody or there is nothing to write, after a yes to these very requests, or not
 * yet. Runs what reads above the first write. Throws what running and planning throws.
 */
export async function askFirst(ask: AskFirst): Promise<Decision> {
  const { asking, answered } = ask;
  if (asking.tool.confirm === undefined) return { kind: "go" };
  const { writes, before } = await lookAhead(ask);
  const known = before === undefined ? {} : { before };
  if (writes.length === 0) return { kind: "go", writes: openWrites([], ""), ...known };
  const digests = { call: digestConfirmed(asking, ask.filter), requests: digestWrites(writes) };
  const why = await refusalOf(answered, digests, ask);
  if (why === undefined && answered.kind === "yes")
    return { kind: "go", writes: openWrites(writes, answered.confirmation.id), ...known };
  const made = asking.outside.now();
  const asked = asking.caller.canAsk === true ? "person" : "caller";
  const id = randomBytes(16).toString("base64url");
  const confirmation: Confirmation = { id, now: ask.now, made, asked, mark: ask.usedOnce.mark(), ...digests };
  return { kind: "ask", shaped: writeAsking(confirmation, writes, before, why, ask) };
}

async function lookAhead({ asking, filter }: AskFirst): Promise<{ writes: PlannedWrite[]; before?: StepsRun }> {
  const { plan } = asking.tool;
  switch (plan.kind) {
    case "access":
    case "explore":
    case "group":
      return { writes: [] };
    case "call":
      return { writes: await planWrite(applyFilter(plan.call, filter.condition, asking), asking) };
    case "steps": {
      const before = await runSteps(plan.steps.slice(0, firstWrite(plan.steps)), asking);
      return { writes: await planStepWrites(plan.steps, before, asking), before };
    }
    default:
      return plan satisfies never;
  }
}

function digestWrites(writes: readonly PlannedWrite[]): string {
  return digestTexts(
    writes.map((one) => (one.kind === "open" ? `${one.step} ${one.operation}` : digestRequest(one.request))),
  );
}

/** Why an answer does not count, for whoever gave it; undefined where it does or there is none. What counts is used up by this. */
async function refusalOf(
  answered: Answered,
  { call, requests }: Pick<Confirmation, "call" | "requests">,
  { asking, usedOnce }: AskFirst,
): Promise<string | undefined> {
  switch (answered.kind) {
    case "nothing":
      return undefined;
    case "bad":
      return answered.why;
    case "yes": {
      const { confirmation } = answered;
      if (confirmation.call !== call)
        return "The confirmation was for a call with other arguments, or by another caller.";
      if (confirmation.requests !== requests) return "What would be sent has changed since it was confirmed.";
      const { id, mark } = confirmation;
      const isFirst = await usedOnce.use({ id, until: expiryOf(confirmation), mark }, asking.outside.now());
      return isFirst ? undefined : "The confirmation was used already; it counts once.";
    }
    default:
      return answered satisfies never;
  }
}

function writeAsking(
  confirmation: Confirmation,
  writes: readonly PlannedWrite[],
  before: StepsRun | undefined,
  why: string | undefined,
  { asking, confirmKeys }: AskFirst,
): Shaped {
  const { tool, access, roots } = asking;
  const steps = before === undefined ? {} : { steps: before.results };
  const text = access.hider.text(writeText(tool.confirm!.text, { ...roots, ...steps }));
  const requests = showWrites(writes, access, tool.shape.budget);
  const token = sealConfirmation(confirmKeys(), confirmation);
  const isPerson = confirmation.asked === "person";
  const question: JsonObject = {
    ...(!isPerson && { confirm: token }),
    text,
    requests,
    expires: expiryOf(confirmation).toISOString(),
  };
  const note = ["Nothing was done yet.", ...(why === undefined ? [] : [why]), isPerson ? ASKED : HOW_TO_CONFIRM].join(
    " ",
  );
  const whole = writeQuestion(why === undefined ? text : `${why}\n\n${text}`, requests);
  return { structured: { confirmation: question, note }, confirmation: { question: whole, token } };
}

const ASKED = "A person is being asked.";
const HOW_TO_CONFIRM =
  "Show the user `text` and `requests`. If they agree, call the tool again within five minutes with the same arguments and `confirm`, whole and unchanged; it counts once.";
