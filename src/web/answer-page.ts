import type { ServerResponse } from "node:http";
import type { PageFault } from "./page-data.ts";
import type { PageRefusal } from "./page-refusal.ts";

/** Nothing from elsewhere, nothing inline, in nobody's frame; what it shows is others' text, so this holds should ever some of it become markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** On every answer of the page, so that none of them is more than it says, or is anybody else's to read or to keep. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** Answers with a whole text, of which a HEAD gets no body. */
export function answerWhole(response: ServerResponse, status: number, type: string, text: string | Buffer): void {
  response.writeHead(status, { ...PAGE_HEADERS, "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

export function answerData(response: ServerResponse, body: object): void {
  answerWhole(response, 200, "application/json", JSON.stringify(body));
}

export function answerRefusal(response: ServerResponse, { status, code, message, headers }: PageRefusal): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  // What was not read of a body would be taken for the next request.
  if (status === 413) response.setHeader("connection", "close");
  const fault: PageFault = { error: { code, message } };
  answerWhole(response, status, "application/json", JSON.stringify(fault));
}
