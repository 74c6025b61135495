import { ExpressionFailed, MissingSetting, ToolError } from "../../model/errors.ts";

/** What a call was doing when it failed: before or after the upstream answered. */
export type Stage = "request" | "reply";

/**
 * The tool error of whatever a call threw. What is an error of neither the caller nor the upstream becomes `internal`, whose text tells
 * nothing of it; the error itself is the `cause`, for the operator.
 */
export function explainThrow(error: unknown, stage: Stage): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof ExpressionFailed) return explainExpression(error, stage);
  const isUnset = error instanceof MissingSetting;
  const message = isUnset ? "This server is not set up completely, so it cannot call the API." : "This server failed.";
  const recover = "Do not try other arguments: tell the user that the operator of this server must look into it.";
  return new ToolError("internal", { message, recover, retryable: false }, { cause: error });
}

function explainExpression(error: ExpressionFailed, stage: Stage): ToolError {
  const isReply = stage === "reply";
  const message = isReply
    ? `The upstream's answer is not what this tool reads: ${error.message}`
    : `No request can be made of these arguments: ${error.message}`;
  const recover = isReply
    ? "Arguments do not change this: tell the user that the API's answer does not fit this tool."
    : "Give the arguments that were left out, or other values, and call again.";
  const code = isReply ? "upstream_bad_response" : "invalid_arguments";
  return new ToolError(code, { message, recover, retryable: false }, { cause: error });
}
