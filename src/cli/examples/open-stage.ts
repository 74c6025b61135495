import { BodyTooLarge, UpstreamUnreachable } from "../../model/errors.ts";
import type { Outside } from "../../run/run-tool.ts";
import type { Answer } from "./parse-answer.ts";

/** Answers that are given one after the other. */
export interface AnswerQueue {
  /** `METHOD /path`, whose requests get them; those of any operation where absent. */
  readonly operation?: string;
  readonly answers: readonly QueuedAnswer[];
}

export interface QueuedAnswer {
  /** The file, as the curation names it. */
  readonly name: string;
  /** Where in the example it is named. */
  readonly place: readonly (string | number)[];
  readonly answer: Answer;
}

/** An outside without a network, and what was asked of it since the last rewind. */
export interface Stage {
  readonly outside: Outside;
  /** In the order of the requests, `METHOD /path` and the answer that it got. */
  readonly asked: readonly { readonly operation: string; readonly given: QueuedAnswer | undefined }[];
  /** From now on every queue is given from its first answer on. */
  rewind(): void;
  /** The first error that an operator would have been told of. */
  fault(): unknown;
}

/** Each request gets the next answer of its queue, and none once that is used up. Nothing is sent, and no credential is laid on. */
export function openStage(queues: readonly AnswerQueue[], now: Date): Stage {
  const asked: { operation: string; given: QueuedAnswer | undefined }[] = [];
  const operations = new Map<string, string>();
  const used = new Set<QueuedAnswer>();
  let fault: unknown;
  const next = (asking: string): QueuedAnswer | undefined =>
    queues
      .filter(({ operation }) => operation === undefined || operation === asking)
      .flatMap(({ answers }) => answers)
      .find((one) => !used.has(one));
  const outside: Outside = {
    authorize: async (request) => {
      operations.set(`${request.method} ${request.url}`, request.operation);
      return { request, secrets: [] };
    },
    egress: {
      request: async ({ method, url, maxBytes }) => {
        const operation = operations.get(`${method} ${url}`) ?? method;
        const given = next(operation);
        asked.push({ operation, given });
        if (given === undefined) throw new UpstreamUnreachable("refused", "There is no answer to it.");
        used.add(given);
        const { status, headers, body } = given.answer;
        if (body.byteLength > maxBytes) throw new BodyTooLarge(maxBytes);
        return { status, headers, url, body: inOnePiece(body) };
      },
      close: async () => {},
    },
    observe: () => {},
    report: (error) => {
      fault ??= error;
    },
    now: () => now,
  };
  const rewind = () => {
    asked.splice(0);
    used.clear();
  };
  return { outside, asked, rewind, fault: () => fault };
}

async function* inOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  if (body.byteLength > 0) yield body;
}
