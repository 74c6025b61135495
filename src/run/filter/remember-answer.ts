import { createHash } from "node:crypto";
import type { Call } from "../../model/call.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { explainSending } from "../exchange/explain-sending.ts";
import { startClock } from "../exchange/start-clock.ts";
import { planRequest } from "../request/plan-request.ts";
import { type Remembering, rememberList } from "./remember-list.ts";

/**
 * What `read` makes of the answer to a call, from memory where the same request was made with the same access a short while ago. `reads` says how the
 * answer is read, as that may differ. Throws what `read` does, and ToolError where the caller goes away or its time is up while others read.
 */
export async function rememberAnswer<T>(
  call: Call,
  reads: unknown,
  { toolset, access, caller, outside, deadlineAt, wire }: Asking,
  keep: Pick<Remembering, "keepMs"> & { readonly access?: object },
  read: () => Promise<T>,
): Promise<T> {
  const request = planRequest(call, toolset.operations[call.operation]!, access.upstream, wire);
  const clock = startClock(deadlineAt - performance.now(), caller.signal);
  const gone = new Promise<never>((_, reject) => {
    const leave = () =>
      reject(explainSending(clock.signal.reason, { request, cancel: caller.signal, sent: false, attempts: 1 }));
    if (clock.signal.aborted) leave();
    else clock.signal.addEventListener("abort", leave, { once: true });
  });
  gone.catch(() => {});
  const { method, url, headers, body } = request;
  // A digest, since it holds what is secret.
  const text = JSON.stringify([method, url, headers, typeof body === "object" ? [...body] : body, reads]);
  const key = createHash("sha256").update(text).digest("base64url");
  try {
    return await rememberList({ access, key, now: outside.now().getTime(), gone, ...keep }, read);
  } finally {
    clock.stop();
  }
}
