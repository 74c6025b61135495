import type { IncomingMessage, ServerResponse } from "node:http";
import { canAskPerson } from "../ask-person.ts";
import { listHint } from "../create-server.ts";
import type { McpView } from "../mount-mcp.ts";
import type { OpenCall } from "../open-call.ts";
import { tellFault } from "../tell-fault.ts";
import { answerCall } from "./answer-call.ts";
import { fitsHeaders } from "./fits-headers.ts";
import { type OpenExchange, openExchange } from "./open-exchange.ts";
import { type Ordinary, type OrdinaryCall, readOrdinary } from "./read-ordinary.ts";
import { writeFault } from "./write-answer.ts";
import { closeList, EVENT, writeList } from "./write-list.ts";

/**
 * Answers what is ordinary as the SDK would, byte for byte, without the objects that it makes for each exchange. Whatever is in doubt is left to the
 * SDK: every refusal, every question to a person and every other method are its own.
 */
export interface HttpFront {
  /** Resolves when the exchange has ended, to whether it was answered here. */
  answer(exchange: Exchange): Promise<boolean>;
  /** Ends what runs, as far as the SDK would, and answers no more. */
  close(): void;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: object;
  readonly view: McpView;
  /** Watches the call that the body is. */
  open(): OpenCall | undefined;
}

export function openHttpFront(): HttpFront {
  const running = new Set<OpenExchange>();
  let isClosed = false;
  return {
    async answer(exchange) {
      const asked = isClosed ? undefined : readFitting(exchange);
      if (asked === undefined) return false;
      if (asked.method === "tools/list") return answerList(asked, exchange);
      const opened = openExchange(exchange.response, asked.capabilities !== undefined);
      running.add(opened);
      await call(asked, exchange, opened);
      running.delete(opened);
      return true;
    },
    close() {
      isClosed = true;
      for (const opened of running) opened.stop();
    },
  };
}

function readFitting({ request, response, body, view }: Exchange): Ordinary | undefined {
  const asked = readOrdinary(body);
  if (asked === undefined || !fitsHeaders(request, response, asked)) return undefined;
  return asked.method === "tools/list" || view.current().isPlain(asked.name) ? asked : undefined;
}

async function call(asked: OrdinaryCall, { view, open }: Exchange, { signal, send }: OpenExchange): Promise<void> {
  const { capabilities } = asked;
  const text = await answerCall({
    request: asked,
    // Of 2025-11-25 that is said once for a session, and over HTTP we keep none.
    canAsk: canAskPerson(capabilities),
    signal,
    generation: view.current(),
    options: view.options,
    watched: open(),
  });
  await send(capabilities === undefined ? toEvent(text) : text);
}

async function answerList(asked: Ordinary, { response, view }: Exchange): Promise<boolean> {
  const { options } = view;
  const generation = view.current();
  const isModern = asked.capabilities !== undefined;
  const { send, release } = openExchange(response, isModern);
  options.onListed?.();
  try {
    const list = writeList(await generation.list(options));
    if (list === undefined) {
      release();
      return false;
    }
    const rest = closeList(asked.id, isModern ? listHint(generation, options) : undefined, generation);
    await (isModern ? send(rest, list.plain) : send(`${rest}\n\n`, list.event));
  } catch (error) {
    const fault = writeFault(tellFault(error, options.report), asked.id);
    await send(isModern ? fault : toEvent(fault));
  }
  return true;
}

function toEvent(text: string): string {
  return `${EVENT}${text}\n\n`;
}
