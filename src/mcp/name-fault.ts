import { FAULT_NAMES } from "../model/errors.ts";

/** Of the hosted proxy, outside of what JSON-RPC keeps for itself. */
const OWN_NAMES: ReadonlyMap<number, string> = new Map([
  [1429, "rate_limited"],
  [1503, "overloaded"],
]);

/** How a call ended that was answered with a JSON-RPC error, or not at all, before a tool was looked for. */
export function nameFault(code: number | undefined): readonly [channel: "protocol" | "crash", error: string] {
  if (code === undefined) return ["protocol", "unanswered"];
  const name = FAULT_NAMES.get(code) ?? OWN_NAMES.get(code) ?? "rejected";
  return [name === "internal" ? "crash" : "protocol", name];
}
