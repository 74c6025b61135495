import {
  type ClientCapabilities,
  type ElicitResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ToolReply } from "../model/exchange.ts";

type Request = ServerContext["mcpReq"];

/** What a person said to a question of ours. */
export type Answer =
  | { readonly kind: "nothing" }
  /** The token of the question that was answered. */
  | { readonly kind: "yes"; readonly token: string }
  | { readonly kind: "no"; readonly how: "declined" | "dismissed" };

export type Question = NonNullable<Extract<ToolReply, { isError: false }>["confirmation"]>;

const QUESTION = "confirm";
/** A person reads and decides; after five minutes the question is asked anew. */
const PATIENCE_MS = 10 * 60_000;

/** Whether a client can put a form before a person; one that names no kind of elicitation means forms (MCP 2025-11-25, Elicitation, Capabilities). */
export function canAskPerson(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** The question as the result of a call, which a client of 2026-07-28 makes again with the answer. */
export function askInResult({ question, token }: Question): InputRequiredResult {
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit(writeForm(question)) },
    requestState: token,
  });
}

/** The answer that such a call brings. Without the token of its question it is none: anyone could have made it up. */
export function readAnswer({ requestState, inputResponses }: Pick<Request, "requestState" | "inputResponses">): Answer {
  const token = requestState();
  const response = inputResponse(inputResponses, QUESTION);
  return typeof token !== "string" || response.kind !== "elicit" ? { kind: "nothing" } : judge(response, token);
}

/** Asks a client of 2025-11-25 while its call waits. Rejects where it cannot be asked after all, and with the signal's reason. */
export async function askMeanwhile({ question, token }: Question, { send, signal }: Request): Promise<Answer> {
  const params = { mode: "form" as const, ...writeForm(question) };
  const response = await send({ method: "elicitation/create", params }, { timeout: PATIENCE_MS, signal });
  return judge(response as ElicitResult, token);
}

/** One boolean, which every client can show. */
function writeForm(message: string) {
  const confirm = { type: "boolean" as const, title: "Yes, do this", default: false };
  return {
    message,
    requestedSchema: { type: "object" as const, properties: { [QUESTION]: confirm }, required: [QUESTION] },
  };
}

function judge(
  { action, content }: Pick<ElicitResult, "action"> & { readonly content?: unknown },
  token: string,
): Answer {
  const isYes = typeof content === "object" && content !== null && QUESTION in content && content[QUESTION] === true;
  if (action === "accept" && isYes) return { kind: "yes", token };
  return { kind: "no", how: action === "cancel" ? "dismissed" : "declined" };
}
