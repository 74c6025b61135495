import type { ServerResponse } from "node:http";

/** A JSON-RPC error, and how HTTP tells it. */
export interface Fault {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** Answers with a JSON-RPC error. */
export function answerFault(response: ServerResponse, fault: Fault, id: string | number | null = null): void {
  const { status, code, message, headers = [] } = fault;
  if (status === 413) response.setHeader("connection", "close");
  for (const [name, value] of headers) response.setHeader(name, value);
  answerJson(response, status, { jsonrpc: "2.0", error: { code, message }, id });
}

/** Refuses a method of HTTP other than those that are allowed here; `hint` is for a person who came with a browser. */
export function answerMethod(response: ServerResponse, allowed: readonly string[], hint = ""): void {
  const headers = [["allow", allowed.join(", ")]] as const;
  answerFault(response, { status: 405, code: -32000, message: `Method not allowed.${hint}`, headers });
}

/** For whoever opens the address of MCP in a browser, where there is a page. */
export const SEE_PAGE = " This address is for MCP clients; the page for people is at /.";

/** Answers with a JSON body that nobody may keep. */
export function answerJson(response: ServerResponse, status: number, body: object): void {
  answerText(response, status, "application/json", JSON.stringify(body));
}

/** Answers with a text that nobody may keep. */
function answerText(response: ServerResponse, status: number, type: string, text: string): void {
  const headers = {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  response.writeHead(status, headers);
  response.end(text);
}

/** What was counted; 503 where it cannot be told now, since a part of it would pass for the whole. */
export async function answerMetrics(
  response: ServerResponse,
  { type, text }: { readonly type: string; text(): string | Promise<string> },
): Promise<void> {
  let told: string;
  try {
    told = await text();
  } catch {
    return answerText(response, 503, "text/plain; charset=utf-8", "What was counted cannot be told now.\n");
  }
  answerText(response, 200, type, told);
}
