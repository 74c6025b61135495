import { ToolError } from "../../model/errors.ts";
import type { ReplyBody } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { Answer, Ask, Asking } from "../exchange/ask-upstream.ts";
import { lookAtRows } from "../pages/look-at-rows.ts";
import { readAllPages } from "../pages/read-all.ts";
import { cutLines } from "../shape/cut-text.ts";
import { hasFurtherRows } from "../shape/find-further.ts";
import type { Omission } from "../shape/omit.ts";
import { refuseBody } from "../shape/refuse-body.ts";

export interface StepAnswer {
  readonly value: Json;
  readonly omitted: readonly Omission[];
}

/**
 * Sends the request of a step, or those of all its pages, and gives what later steps see of the answer. Throws what sending throws, and ToolError
 * `upstream_bad_response` and `response_too_large`.
 */
export function askStep(step: Step & CallStep, asking: Asking, ask: Ask): Promise<StepAnswer> {
  return step.all === undefined ? askOnce(step, asking, ask) : askAll(step, step.all, asking, ask);
}

async function askOnce(step: Step & CallStep, { toolset }: Asking, ask: Ask): Promise<StepAnswer> {
  const answer = await ask(step.call);
  if (answer.body.kind === "text" && step.text === undefined && isJsonPromised(toolset, step))
    throw refuseBody(answer.body);
  return readBody(step, answer.body, answer);
}

/** Asked for JSON and nothing else, an upstream that sends an HTML page has failed. */
function isJsonPromised({ operations }: Asking["toolset"], { call }: CallStep): boolean {
  return /^application\/([\w.-]+\+)?json$/i.test(operations[call.operation]!.accept);
}

function readBody({ id, text }: Step & CallStep, body: ReplyBody, { headers }: Answer): StepAnswer {
  switch (body.kind) {
    case "empty":
      return { value: null, omitted: [] };
    case "binary": {
      const bytes = body.data.byteLength;
      const omitted: Omission[] = [{ what: "binary", path: id, kept: `nothing of ${bytes} bytes` }];
      return { value: { mediaType: body.mediaType, bytes }, omitted };
    }
    case "text": {
      const cut = cutLines(body.text, text);
      return { value: cut.text, omitted: cut.omitted.map((one) => ({ ...one, path: id })) };
    }
    case "json":
      return { value: body.value, omitted: tellFurther(id, body.value, body.cut, headers) };
    default:
      return body satisfies never;
  }
}

/** A list that was not read whole is not taken for whole. */
function tellFurther(path: string, value: Json, cut: string | undefined, headers: Answer["headers"]): Omission[] {
  if (!Array.isArray(value)) return [];
  if (cut !== undefined) return [{ what: "items", path, kept: `the first ${value.length} of the upstream's: ${cut}` }];
  if (!hasFurtherRows(value, value.length, headers)) return [];
  return [{ what: "rows", path, kept: `${value.length}, and the upstream has more` }];
}

const WHOLE = { jmespath: "@" } as const;
const MOVED = "they moved while the pages were read (SNAPSHOT_DRIFT), so some may be missing or come twice";

async function askAll(
  { id, call }: Step & CallStep,
  { rows, max }: NonNullable<CallStep["all"]>,
  { toolset, roots }: Asking,
  ask: Ask,
): Promise<StepAnswer> {
  const look = (body: Json) => lookAtRows(rows ?? WHOLE, body === null && rows === undefined ? [] : body, roots);
  const read = await readAllPages({ call, look, roots }, toolset.operations, ask, { rows: max });
  if (read === undefined) return { value: [], omitted: [] };
  if (read.left) throw refuseRest(max);
  const count = read.rows.length;
  if (read.cut !== undefined)
    return {
      value: read.rows,
      omitted: [{ what: "items", path: id, kept: `the first ${count} of the upstream's: ${read.cut}` }],
    };
  if (read.unreachable)
    return { value: read.rows, omitted: [{ what: "rows", path: id, kept: `${count}, and the upstream has more` }] };
  return { value: read.rows, omitted: read.moved ? [{ what: "rows", path: id, kept: `${count}: ${MOVED}` }] : [] };
}

function refuseRest(max: number): ToolError {
  return new ToolError("response_too_large", {
    message: `There are more than the ${max} rows that are read at most.`,
    recover: "Narrow the arguments so that fewer rows match, and call again.",
    retryable: false,
  });
}
