import type { ReplyBody } from "../../model/exchange.ts";
import type { Ask } from "./ask-upstream.ts";

/** Sends as `ask` does, and remembers the last body that is none, or of which the head tells more: who reads pages gives nothing of it. */
export function watchTold(ask: Ask): { readonly send: Ask; readonly last: () => ReplyBody } {
  let last: ReplyBody = { kind: "empty" };
  const send: Ask = async (call, rows) => {
    const answer = await ask(call, rows);
    if (answer.body.kind === "empty" || "told" in answer.body) last = answer.body;
    return answer;
  };
  return { send, last: () => last };
}
