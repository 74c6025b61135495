import { ToolError } from "../../model/errors.ts";

const AGAIN = "Call again without `pageToken`, which starts at the first page.";

export function refuseToken(message: string): ToolError {
  return new ToolError("invalid_cursor", {
    message,
    recover: `Copy \`nextPageToken\` of the reply before, whole and unchanged. Or: ${AGAIN}`,
    path: "pageToken",
    retryable: false,
  });
}

export function refuseOldToken(): ToolError {
  return new ToolError("cursor_expired", {
    message: "This page token is too old.",
    recover: AGAIN,
    path: "pageToken",
    retryable: false,
  });
}

export function refuseForeignToken(): ToolError {
  return new ToolError("invalid_cursor", {
    message: "This page token belongs to a call with other arguments, or by another caller.",
    recover: `Give the same arguments as in the call that gave the token (only \`limit\` may differ). Or: ${AGAIN}`,
    path: "pageToken",
    retryable: false,
  });
}
