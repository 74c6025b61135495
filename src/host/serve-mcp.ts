import type { IncomingMessage, ServerResponse } from "node:http";
import { answerFault, answerJson } from "../mcp/answer-fault.ts";
import type { Refused } from "../mcp/mount-mcp.ts";
import { clientAddress } from "./client-address.ts";
import type { AppOptions } from "./create-app.ts";
import type { HeldServers, Hold } from "./hold-servers.ts";
import type { Refusal, VerifiedCaller } from "./hosting.ts";
import type { Streams } from "./watch-streams.ts";

export interface McpServing extends Pick<AppOptions, "door" | "limiter" | "log" | "overload" | "enter"> {
  readonly held: HeldServers;
  readonly streams: Streams;
  now(): Date;
  /** Nobody is served any more. */
  isLeft(): boolean;
}

/** Answers one POST to the URL of a server: who may not be let in learns nothing, not even whether there is such a server. */
export async function serveMcp(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  serving: McpServing,
): Promise<void> {
  const start = performance.now();
  const told: Told = {};
  try {
    await serveAdmitted(name, request, response, serving, told);
  } finally {
    const ms = Math.round((performance.now() - start) * 10) / 10;
    // A name that is nobody's is a stranger's text.
    const server = serving.held.served().servers.has(name) ? name : null;
    serving.log.tell("info", "request", { server, ...told, status: response.statusCode, ms });
  }
}

/** What the log is told of a request, as far as it came. */
interface Told {
  key_id?: string;
  method?: string;
}

async function serveAdmitted(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
  serving: McpServing,
  told: Told,
): Promise<void> {
  const admitted = await admit(name, request, serving);
  if (admitted.kind === "refused") return answerFault(response, admitted);
  const { caller } = admitted;
  told.key_id = caller.id;
  const hold = serving.held.hold(name);
  if (hold === undefined) return answerJson(response, 404, { error: "not_found" });
  try {
    await exchange({ name, caller, hold, request, response, serving, told });
  } finally {
    hold.done();
  }
}

/** The same wall for every method of MCP. */
async function admit(
  name: string,
  request: IncomingMessage,
  { door, limiter, held, now, isLeft, overload }: McpServing,
): Promise<Refusal | { readonly kind: "caller"; readonly caller: VerifiedCaller }> {
  const closed = isLeft() ? LEFT : overload?.();
  if (closed !== undefined) return closed;
  // `headers` keeps only the first.
  if ((request.headersDistinct["authorization"]?.length ?? 0) > 1) return TWICE;
  const { authorization } = request.headers;
  const answer = await door.verify({ server: name, authorization, now: now() });
  // Who shows nothing, as every client does at first, has guessed nothing; and a key that is good is so also beside somebody who guesses.
  if (answer.kind === "caller" || answer.status !== 401 || authorization === undefined) return answer;
  const address = clientAddress(request, held.served().host.proxies);
  const blocked = await limiter.address(address);
  // It is shut out until its count begins anew.
  if (blocked === undefined) limiter.failed(address);
  return blocked ?? answer;
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
  const { door, limiter, held, streams, now, enter } = serving;
  const { authorization } = request.headers;
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
    if (!streams.mayOpen(caller)) return TOO_MANY_STREAMS;
    streams.opened({ caller, response, verify: () => door.verify({ server: name, authorization, now: now() }) });
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

function closeSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once("close", () => closed.abort());
  if (response.destroyed) closed.abort();
  return closed.signal;
}

const LEFT: Refusal = {
  kind: "refused",
  status: 503,
  headers: [["retry-after", "1"]],
  code: 1503,
  message: "This server is about to end. Try again.",
};

const TWICE: Refusal = {
  kind: "refused",
  status: 400,
  headers: [],
  code: -32000,
  message: "There must be one Authorization header.",
};

const TOO_MANY_STREAMS: Refused = { status: 429, code: 1429, message: "Too many subscriptions are open." };
