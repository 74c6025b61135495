import type { Caller, Identity, ToolReply } from "../model/exchange.ts";
import type { Generation } from "./make-generation.ts";
import type { OpenCall } from "./open-call.ts";

/** Who is at the other end, and who else hears. */
export interface CallOptions extends Identity {
  report(error: unknown): void;
  /** Who watches this call. */
  readonly watched?: OpenCall;
}

/** A call of a tool as plain data, whoever has read the request. */
export interface PlainCall extends Pick<Caller, "signal" | "confirmed" | "canAsk" | "progress"> {
  readonly name: string;
  readonly args: unknown;
}

/** Makes one call for its caller. Throws what the caller throws. */
export function callOnce(
  { name, args, ...asked }: PlainCall,
  { caller }: Pick<Generation, "caller">,
  { id, key, credentials, subjectToken }: Identity,
  watched: OpenCall | undefined,
): Promise<ToolReply> {
  const by: Caller = {
    key,
    ...(id !== undefined && { id }),
    ...(credentials !== undefined && { credentials }),
    ...(subjectToken !== undefined && { subjectToken }),
    ...(watched && { observe: watched.observe, ...(watched.headers && { headers: watched.headers }) }),
    ...asked,
  };
  return caller.call(name, args, by);
}
