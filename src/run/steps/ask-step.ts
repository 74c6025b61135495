import { ToolError } from "../../model/errors.ts";
import type { ReplyBody } from "../../model/exchange.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { CallStep, Step } from "../../model/step.ts";
import type { Answer, Ask, Asking } from "../exchange/ask-upstream.ts";
import { watchTold } from "../exchange/watch-told.ts";
import { lookAtRows } from "../pages/look-at-rows.ts";
import { readAllPages } from "../pages/read-all.ts";
import { cutLines } from "../shape/cut-text.ts";
import { hasFurtherRows } from "../shape/find-further.ts";
import type { Omission } from "../shape/omit.ts";
import { refuseBody } from "../shape/refuse-body.ts";
import { tellMoved } from "./tell-moved.ts";

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
      return { value: null, omitted: tellByHead(id, body) };
    case "binary": {
      const bytes = body.data.byteLength;
      const omitted: Omission[] = [{ what: "binary", path: id, kept: `nothing of ${bytes} bytes` }];
      return { value: { mediaType: body.mediaType, bytes }, omitted };
    }
    case "text": {
      const cut = cutLines(body.text, text);
      return {
        value: cut.text,
        omitted: [...cut.omitted.map((one) => ({ ...one, path: id })), ...tellByHead(id, body)],
      };
    }
    case "json":
      return {
        value: body.value,
        omitted: [...tellFurther(id, body.value, body.cut, headers), ...tellByHead(id, body)],
      };
    default:
      return body satisfies never;
  }
}

/** What is accepted only has no result yet; what was made is found where the head says. */
function tellByHead(path: string, body: ReplyBody): Omission[] {
  if (!("told" in body) || body.told === undefined) return [];
  const { told } = body;
  const { accepted, statusLocation, location, retryAfterMs } = told;
  const [way, wait] = [statusLocation ?? location, retryAfterMs === undefined ? "" : `, in ${retryAfterMs} ms`];
  const see = way === undefined ? "" : `; see ${way}`;
  if (accepted && body.kind !== "empty")
    return [{ what: "value", path, kept: `what came with 202 (accepted, and not completed yet)${see}${wait}` }];
  if (accepted) return [{ what: "step", path, kept: `nothing: accepted (202), and not completed yet${see}${wait}` }];
  return [{ what: "value", path, kept: `nothing: the answer has no body${see}` }];
}

/** A list that was not read whole is not taken for whole. */
function tellFurther(path: string, value: Json, cut: string | undefined, headers: Answer["headers"]): Omission[] {
  if (!Array.isArray(value)) return tellFurtherInside(path, value, headers);
  if (cut !== undefined) return [{ what: "items", path, kept: `the first ${value.length} of the upstream's: ${cut}` }];
  if (!hasFurtherRows(value, value.length, headers)) return [];
  return [{ what: "rows", path, kept: `${value.length}, and the upstream has more` }];
}

/** The head of an answer that holds one list speaks of that. */
function tellFurtherInside(path: string, value: Json, headers: Answer["headers"]): Omission[] {
  const lists = isJsonObject(value) ? Object.entries(value).filter(([, inner]) => Array.isArray(inner)) : [];
  const [name, list] = lists[0] ?? [];
  if (!Array.isArray(list) || lists.length > 1 || !hasFurtherRows(null, list.length, headers)) return [];
  return [{ what: "rows", path: `${path}.${name}`, kept: `${list.length}, and the upstream has more` }];
}

const WHOLE = { jmespath: "@" } as const;

async function askAll(
  { id, call }: Step & CallStep,
  { rows, max }: NonNullable<CallStep["all"]>,
  { toolset, roots }: Asking,
  ask: Ask,
): Promise<StepAnswer> {
  const look = (body: Json) => lookAtRows(rows ?? WHOLE, body === null && rows === undefined ? [] : body, roots);
  const { send, last } = watchTold(ask);
  const read = await readAllPages({ call, look, roots }, toolset.operations, send, { rows: max });
  if (read === undefined) return { value: [], omitted: tellByHead(id, last()) };
  if (read.left) throw refuseRest(max);
  const count = read.rows.length;
  if (read.cut !== undefined)
    return {
      value: read.rows,
      omitted: [{ what: "items", path: id, kept: `the first ${count} of the upstream's: ${read.cut}` }],
    };
  if (read.unreachable)
    return { value: read.rows, omitted: [{ what: "rows", path: id, kept: `${count}, and the upstream has more` }] };
  return { value: read.rows, omitted: read.moved ? [tellMoved(id, count)] : [] };
}

function refuseRest(max: number): ToolError {
  return new ToolError("response_too_large", {
    message: `There are more than the ${max} rows that are read at most.`,
    recover: "Narrow the arguments so that fewer rows match, and call again.",
    retryable: false,
  });
}
