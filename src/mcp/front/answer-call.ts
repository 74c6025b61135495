import type { Ending } from "../../model/ending.ts";
import { callOnce } from "../call-once.ts";
import type { ToolServerOptions } from "../create-server.ts";
import type { Generation } from "../make-generation.ts";
import type { OpenCall } from "../open-call.ts";
import { tellFault } from "../tell-fault.ts";
import type { OrdinaryCall } from "./read-ordinary.ts";
import { writeFault, writeReply } from "./write-answer.ts";

export interface AnswerCall {
  readonly request: OrdinaryCall;
  /** The client can put a question before a person. */
  readonly canAsk: boolean;
  readonly signal: Ending;
  readonly generation: Generation;
  readonly options: ToolServerOptions;
  readonly watched: OpenCall | undefined;
}

/** Makes a call and gives the text of the response. Never rejects. */
export async function answerCall(call: AnswerCall): Promise<string> {
  const { request, canAsk, signal, generation, options, watched } = call;
  const { id, name, args } = request;
  try {
    const reply = await callOnce({ name, args, signal, canAsk }, generation, options, watched);
    await watched?.reply(reply);
    return writeReply(reply, id, request.capabilities !== undefined, generation);
  } catch (error) {
    return writeFault(tellFault(error, options.report, watched), id);
  }
}
