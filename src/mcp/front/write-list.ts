import type { ListedTool } from "../../model/listed-tool.ts";
import { onceFor } from "../../model/once-for.ts";
import type { ListHint } from "../create-server.ts";
import type { Generation } from "../make-generation.ts";
import { closeResponse, writeStamp } from "./write-answer.ts";

/** What stands before a message that is an event of a stream (2025-11-25). */
export const EVENT = "event: message\ndata: ";

/** A list as it is sent, but for what follows it: the same bytes for everyone who sees these tools. */
export interface ListBytes {
  readonly plain: Buffer;
  /** Behind what makes it an event. */
  readonly event: Buffer;
}

/** Made once for a list. Undefined where the SDK would show some of its tools otherwise. */
export const writeList = onceFor((list: readonly ListedTool[]): ListBytes | undefined => {
  if (!list.every(isShownAsItIs)) return undefined;
  const event = Buffer.from(`${EVENT}{"result":{"tools":${JSON.stringify(list)}`);
  return { event, plain: event.subarray(EVENT.length) };
});

/** All that stands behind the list. */
export function closeList(id: string | number, hint: ListHint | undefined, of: Generation): string {
  if (hint === undefined) return closeResponse(id);
  const { ttlMs, cacheScope } = hint;
  return `,"resultType":"complete","ttlMs":${ttlMs},"cacheScope":"${cacheScope}",${writeStamp(of)}${closeResponse(id)}`;
}

/** Clients of 2025-11-25 take no outputs but objects, so the SDK wraps others for them. */
function isShownAsItIs({ outputSchema }: ListedTool): boolean {
  return outputSchema === undefined || outputSchema.type === "object";
}
