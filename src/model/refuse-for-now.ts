import { ToolError } from "./errors.ts";

/** Whoever knows which confirmations were used does not answer. */
export function refuseForNow(cause: unknown): ToolError {
  return new ToolError(
    "upstream_unavailable",
    {
      message: "Nothing was done: it cannot be told at the moment whether this confirmation was used already.",
      recover: "Call again in a moment with the same arguments and the same `confirm`.",
      retryable: true,
    },
    { cause },
  );
}
