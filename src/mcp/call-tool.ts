import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Caller, ToolReply } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import { askInResult, askMeanwhile, canAskPerson, type Question, readAnswer } from "./ask-person.ts";
import type { Generation } from "./make-generation.ts";
import { openProgress } from "./tell-progress.ts";
import { tellRefusal, tellUnanswered } from "./tell-undone.ts";
import { writeResult } from "./write-result.ts";

export interface CallOptions {
  /** The claims of whoever is at the other end. */
  readonly key: JsonObject;
  report(error: unknown): void;
}

/** How often one call asks where what it asked about changes meanwhile. */
const MOST_QUESTIONS = 3;

/**
 * Answers a `tools/call`. A tool that asks first is answered by the person at the client, where it can ask one: by a result that asks for input
 * (2026-07-28), or meanwhile (2025-11-25). Any other client gets the question as the reply. Throws what the caller throws.
 */
export async function callTool(
  { name, arguments: args = {} }: CallToolRequest["params"],
  server: Server,
  { mcpReq }: ServerContext,
  { caller, structured }: Generation,
  { key, report }: CallOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const { isModern, canAsk } = readClient(server, mcpReq);
  const base: Caller = { key, signal: mcpReq.signal, canAsk, ...openProgress(mcpReq, report) };
  const call = (confirmed?: string) =>
    caller.call(name, args, { ...base, ...(confirmed !== undefined && { confirmed }) });
  const answer = readAnswer(mcpReq);
  if (answer.kind === "no") return writeResult(tellRefusal(answer.how, structured), structured);
  const reply = await call(answer.kind === "yes" ? answer.token : undefined);
  const question = questionOf(reply);
  if (!canAsk || question === undefined) return writeResult(reply, structured);
  if (isModern) return askInResult(question);
  return writeResult(await askUntilClear(question, call, mcpReq, structured, report), structured);
}

async function askUntilClear(
  first: Question,
  call: (confirmed: string) => Promise<ToolReply>,
  mcpReq: ServerContext["mcpReq"],
  structured: boolean,
  report: CallOptions["report"],
): Promise<ToolReply> {
  let question: Question | undefined = first;
  for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
    const answer = await askMeanwhile(question, mcpReq).catch(report);
    if (answer?.kind === "no") return tellRefusal(answer.how, structured);
    if (answer?.kind !== "yes") return tellUnanswered("silent");
    const reply = await call(answer.token);
    question = questionOf(reply);
    if (question === undefined) return reply;
  }
  return tellUnanswered("changing");
}

function questionOf(reply: ToolReply): Question | undefined {
  return reply.isError ? undefined : reply.confirmation;
}

/** Of 2026-07-28 each request says what its client can do, of 2025-11-25 the connection; over HTTP that is not known, for we keep no sessions. */
function readClient(server: Server, { envelope }: ServerContext["mcpReq"]): { isModern: boolean; canAsk: boolean } {
  // The SDK's type of the envelope names no key.
  const stated = (envelope as { readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  return { isModern: stated !== undefined, canAsk: canAskPerson(stated ?? server.getClientCapabilities()) };
}
