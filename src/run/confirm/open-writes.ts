import { createHash, randomUUID } from "node:crypto";
import type { UpstreamRequest } from "../../model/exchange.ts";
import { digestRequest } from "./digest-request.ts";
import type { PlannedWrite } from "./plan-writes.ts";

/** What one call of a tool that asks first may write. */
export interface Writes {
  /** Throws an Error for a request that was not shown as it is: what is sent is what was agreed to. */
  permit(request: UpstreamRequest): void;
  /** The idempotency key of a request. */
  keyFor(request: UpstreamRequest): string;
}

/**
 * The writes that were agreed to, each to be sent once; of an open one only its operation was known. Keys come of the confirmation's ID, so
 * that a call which is carried out twice all the same sends the same ones.
 */
export function openWrites(planned: readonly PlannedWrite[], id: string): Writes {
  const certain = new Map<string, number>();
  const open = new Set<string>();
  for (const one of planned) {
    if (one.kind === "open") open.add(one.operation);
    else count(certain, digestRequest(one.request), 1);
  }
  const keyed = new Map<string, number>();
  return {
    permit(request) {
      const digest = digestRequest(request);
      if ((certain.get(digest) ?? 0) > 0) count(certain, digest, -1);
      else if (!open.has(request.operation)) throw new Error(`${request.operation} was to be sent unconfirmed.`);
    },
    keyFor(request) {
      const digest = digestRequest(request);
      return keyOf([id, digest, String(count(keyed, digest, 1))]);
    },
  };
}

/** The idempotency key of a request that nobody is asked about. */
export function newKey(): string {
  return randomUUID();
}

function count(counts: Map<string, number>, digest: string, by: number): number {
  const next = (counts.get(digest) ?? 0) + by;
  counts.set(digest, next);
  return next;
}

/** Shaped like a UUID, which every upstream takes (RFC 9562 5.8, version 8). */
function keyOf(parts: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
