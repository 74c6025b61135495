import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFault, answerJson, answerMethod, SEE_PAGE } from "../mcp/answer-fault.ts";
import type { Refused } from "../mcp/mount-mcp.ts";
import { type Admitting, admitCaller } from "./admit-caller.ts";
import { beginListening, type ListenServing } from "./begin-listening.ts";
import { closeSignal } from "./close-signal.ts";
import type { AppOptions } from "./create-app.ts";
import type { Hold } from "./hold-servers.ts";
import type { VerifiedCaller } from "./hosting.ts";
import { logRequest, type Told } from "./log-request.ts";

export interface McpServing extends Admitting, ListenServing, Pick<AppOptions, "log" | "enter"> {
  /** There is a page beside MCP. */
  readonly hasPage: boolean;
}

/** Answers one request to the URL of a server: who may not be let in learns nothing, not even whether there is such a server. */
export function serveMcp(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  serving: McpServing,
): Promise<void> {
  return logRequest(name, response, serving, (told) => serveAdmitted(name, request, response, serving, told));
}

async function serveAdmitted(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  serving: McpServing,
  told: Told,
): Promise<void> {
  const admitted = await admitCaller(name, request, serving);
  if (admitted.kind === "refused") return answerFault(response, admitted);
  const { caller } = admitted;
  told.key_id = caller.id;
  if (request.method !== "POST") return answerMethod(response, ["POST"], serving.hasPage ? SEE_PAGE : "");
  const hold = serving.held.hold(name);
  if (hold === undefined) return answerJson(response, 404, { error: "not_found" });
  try {
    await exchange({ name, caller, hold, request, response, serving, told });
  } finally {
    hold.done();
  }
}

interface Exchange {
  readonly name: string;
  readonly caller: VerifiedCaller;
  readonly hold: Hold;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly serving: McpServing;
  readonly told: Told;
}

async function exchange({ name, caller, hold, request, response, serving, told }: Exchange): Promise<void> {
  const { limiter, held, enter } = serving;
  let leave = (): void => {};
  const refuse = async (method: string | undefined): Promise<Refused | undefined> => {
    if (method !== undefined && /^[\w/]{1,64}$/.test(method)) told.method = method;
    if (method === "subscriptions/listen") return listen();
    if (method !== "tools/call") return undefined;
    const entry = held.served().host.servers.get(name);
    const refused = entry && (await limiter.call(caller, entry));
    if (refused !== undefined) return refused;
    const entered = await enter?.(name, `${caller.kind} ${caller.id}`, closeSignal(response));
    if (entered?.kind === "refused") return entered;
    leave = entered?.leave ?? leave;
    return undefined;
  };
  const listen = (): Refused | undefined => {
    if (!beginListening({ name, caller, request, response, serving })) return TOO_MANY_STREAMS;
    // A stream makes no calls: it outlives what was served when it began.
    hold.done();
    return undefined;
  };
  try {
    await hold.mount.serve(request, response, hold.viewOf(caller), refuse);
  } finally {
    leave();
  }
}

const TOO_MANY_STREAMS: Refused = { status: 429, code: 1429, message: "Too many subscriptions are open." };
