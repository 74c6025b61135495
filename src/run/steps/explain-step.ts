import { ToolError, type ToolErrorDetail } from "../../model/errors.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { Tool } from "../../model/tool.ts";
import { explainThrow, type Stage } from "../errors/explain-throw.ts";
import type { Roots } from "../expressions/evaluate.ts";
import { givenToStep, readsSteps } from "./given-to-step.ts";
import type { Effects } from "./note-effects.ts";

export interface StepFailure {
  readonly error: unknown;
  readonly step: Step;
  readonly stage: Stage;
  /** What the failed request read. */
  readonly roots: Roots;
}

const LOOK_FIRST =
  "Do not call this tool again as it is: that would repeat what took effect. Look with a tool that reads at what is there now, and do only what is still missing.";
const CHECK_OR_TELL =
  "Check the identifiers in the arguments. If they are right, tell the user that the API's answers do not lead on here.";

/** The tool error of one step's failure, as if it were the tool's own: for an optional step it says what was left out. */
export function explainFailure({ error, step, stage }: StepFailure, { inputs }: Pick<Tool, "inputs">): ToolError {
  const explained = explainThrow(error, stage);
  if (explained.code !== "invalid_arguments" || step.kind !== "call") return explained;
  const name = explained.detail.path?.split(/[.[]/)[0];
  if (inputs.some((input) => input.name === name)) return explained;
  if (!readsSteps(step)) return nameList(explained, step);
  // What is missing was to come from an earlier step, and no argument is it.
  const { message } = explained.detail;
  return new ToolError(
    "upstream_bad_response",
    { message: `What earlier steps gave does not fit: ${message}`, recover: CHECK_OR_TELL, retryable: false },
    { cause: explained.cause ?? explained },
  );
}

/** What is wrong with an item of an argument is that argument's to correct. */
function nameList(explained: ToolError, { forEach }: CallStep): ToolError {
  const name = /^(?:\$\.)?input\.(\w+)/.exec(forEach?.list.jmespath.trim() ?? "")?.[1];
  if (name === undefined) return explained;
  const detail = { ...explained.detail, path: name, recover: `Correct \`${name}\` and call again.` };
  return new ToolError(explained.code, detail, { cause: explained.cause ?? explained });
}

/** The tool error that ends a workflow: the step's own, with its name, what it was given, and what had taken effect by then. */
export function explainStep(failure: StepFailure, tool: Tool, effects: Effects): ToolError {
  const cause = explainFailure(failure, tool);
  const { step, roots } = failure;
  const acted = effects.tell(step.id);
  const { message, recover, got, retryAfterMs, ...rest } = cause.detail;
  const given = got ?? (step.kind === "call" ? givenToStep(step.call, roots) : undefined);
  const detail: ToolErrorDetail = {
    ...rest,
    message: `Step \`${step.id}\`: ${acted === undefined ? "" : `${acted} `}${message}`,
    recover: acted === undefined ? recover : recoverAfter(recover, tool),
    ...(acted === undefined ? retryAfterMs !== undefined && { retryAfterMs } : { retryable: false }),
    ...(given !== undefined && { got: given }),
    upstream: { ...rest.upstream, step: step.id },
  };
  return new ToolError(cause.code, detail, { cause: cause.cause });
}

/** Of what was to be done next only the author's own words still hold. */
function recoverAfter(recover: string, { errors }: Tool): string {
  const isAuthors = errors.some((rule) => rule.recover === recover);
  return isAuthors ? `${LOOK_FIRST} ${recover}` : LOOK_FIRST;
}
