import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ToolReply } from "../model/exchange.ts";
import { askInResult, askMeanwhile, canAskPerson, type Question, readAnswer } from "./ask-person.ts";
import { type CallOptions, callOnce } from "./call-once.ts";
import { hearSdk } from "./hear-sdk.ts";
import { restoreName } from "./keep-name.ts";
import type { Generation } from "./make-generation.ts";
import { openProgress } from "./tell-progress.ts";
import { tellRefusal, tellUnanswered } from "./tell-undone.ts";
import { writeResult } from "./write-result.ts";

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
  generation: Generation,
  options: CallOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const { watched, report } = options;
  const { structured } = generation;
  const { isModern, canAsk } = readClient(server, mcpReq);
  const plain = { name, args: restoreName(args), signal: mcpReq.signal, canAsk, ...openProgress(mcpReq, report) };
  const write = async (reply: ToolReply): Promise<CallToolResult> => {
    await watched?.reply(reply);
    return writeResult(reply, structured);
  };
  const call = (confirmed?: string) =>
    callOnce({ ...plain, ...(confirmed !== undefined && { confirmed }) }, generation, options, watched);
  const answer = readAnswer(mcpReq);
  if (answer.kind === "no") return write(tellRefusal(answer.how, structured));
  const reply = await call(answer.kind === "yes" ? answer.token : undefined);
  const question = questionOf(reply);
  if (!canAsk || question === undefined) return write(reply);
  if (isModern) {
    await watched?.reply();
    return askInResult(question);
  }
  return write(await askUntilClear(question, call, mcpReq, structured, report));
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
    const answer = await askMeanwhile(question, mcpReq).catch(hearSdk(report));
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
