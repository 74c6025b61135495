import { type EndingController, openEnding } from "../../model/ending.ts";
import { isJsonObject } from "../../model/json.ts";
import { canAskPerson } from "../ask-person.ts";
import { listHint, type ToolServerOptions } from "../create-server.ts";
import type { Generation } from "../make-generation.ts";
import type { OpenCall } from "../open-call.ts";
import { readJsonRpc } from "../parse-message.ts";
import { tellFault } from "../tell-fault.ts";
import { answerCall } from "./answer-call.ts";
import { connectionClosed } from "./open-exchange.ts";
import { type Ordinary, type OrdinaryCall, readOrdinary } from "./read-ordinary.ts";
import { writeFault } from "./write-answer.ts";
import { closeList, writeList } from "./write-list.ts";

/** As `HttpFront`, for one connection over stdio. */
export interface StdioFront {
  /** Whether a message is answered here; what is not, the SDK is to see. */
  take(body: object): boolean;
  /** Hears of each server that the SDK asks for, and of what goes out of it: by these it is known in which era the connection is. */
  opened(server: ConnectionServer): void;
  answered(message: object): void;
  /** Ends what runs; it is not answered. */
  close(): void;
}

export interface ConnectionServer {
  readonly isModern: boolean;
  /** What the client said at the beginning that it can do. */
  capabilities(): Parameters<typeof canAskPerson>[0];
}

export interface Connection {
  readonly current: () => Generation;
  readonly options: ToolServerOptions;
  /** Sends a line that begins with what is ready. */
  send(line: string, first?: Buffer): void;
  /** Hands a message to the SDK after all. */
  pass(body: object): void;
  /** Watches the call that a message is. */
  open(body: object): OpenCall | undefined;
}

export function openStdioFront(connection: Connection): StdioFront {
  const running = new Map<string | number, EndingController>();
  const era = watchEra();
  let isClosed = false;
  const send: Connection["send"] = (...given) => {
    if (!isClosed) connection.send(...given);
  };
  const call = async (asked: OrdinaryCall, body: object, server: ConnectionServer): Promise<void> => {
    const { current, options, open } = connection;
    const controller = openEnding();
    running.set(asked.id, controller);
    const { signal } = controller;
    const canAsk = canAskPerson(asked.capabilities ?? server.capabilities());
    const watched = open(body);
    const line = await answerCall({ request: asked, canAsk, signal, generation: current(), options, watched });
    if (!signal.aborted) send(line);
    // A client that gives another call the same id at a time cancels that one.
    if (running.get(asked.id) === controller) running.delete(asked.id);
  };
  return {
    take(body) {
      const server = era.server();
      if (server === undefined || isClosed) {
        era.came(body);
        return false;
      }
      cancel(body, running);
      const asked = readOrdinary(body);
      if (asked === undefined || (asked.capabilities !== undefined) !== server.isModern) return false;
      if (asked.method === "tools/list") list(asked, body, { ...connection, send });
      else if (connection.current().isPlain(asked.name)) call(asked, body, server);
      else return false;
      return true;
    },
    opened: era.opened,
    answered: era.answered,
    close() {
      isClosed = true;
      for (const controller of running.values()) controller.abort(connectionClosed());
    },
  };
}

async function list(asked: Ordinary, body: object, { current, options, send, pass }: Connection): Promise<void> {
  const generation = current();
  options.onListed?.();
  try {
    const shown = writeList(await generation.list(options));
    const hint = asked.capabilities === undefined ? undefined : listHint(generation, options);
    if (shown === undefined) pass(body);
    else send(closeList(asked.id, hint, generation), shown.plain);
  } catch (error) {
    send(writeFault(tellFault(error, options.report), asked.id));
  }
}

/** As the SDK cancels, which sees the notification as well and says what is wrong with it. */
function cancel(body: object, running: ReadonlyMap<unknown, EndingController>): void {
  if (running.size === 0 || !("method" in body) || body.method !== "notifications/cancelled" || "id" in body) return;
  const params = "params" in body ? body.params : undefined;
  if (!isJsonObject(params) || readJsonRpc(body).kind === "refused") return;
  const { requestId, reason } = params;
  if (reason === undefined || typeof reason === "string") running.get(requestId)?.abort(reason);
}

/**
 * The era of a connection is decided by the SDK, with what the client sends first, and for good once a request for tools was answered: only a server
 * that stays does that.
 */
function watchEra() {
  const asked = new Set<unknown>();
  let latest: ConnectionServer | undefined;
  let server: ConnectionServer | undefined;
  return {
    server: () => server,
    came(body: object): void {
      if ("id" in body && "method" in body && (body.method === "tools/list" || body.method === "tools/call"))
        asked.add(body.id);
    },
    opened(opened: ConnectionServer): void {
      latest = opened;
    },
    answered(message: object): void {
      if (server !== undefined || !("id" in message) || !asked.delete(message.id)) return;
      if (!("result" in message)) return;
      server = latest;
      asked.clear();
    },
  };
}
