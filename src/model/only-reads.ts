import type { OperationPlan } from "./call.ts";

/** Methods that some API reads with. With another one nothing is only read, whatever a curation declares. */
const READING = new Set(["GET", "HEAD", "OPTIONS", "QUERY", "POST"]);

/** Whether a request of this operation may be sent for somebody who must not change anything. */
export function onlyReads({ safe, method }: Pick<OperationPlan, "safe" | "method">): boolean {
  return safe && READING.has(method.toUpperCase());
}
