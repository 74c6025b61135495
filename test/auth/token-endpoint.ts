import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { type Served, serve } from "../egress/serve.ts";

export interface TokenRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
}

export interface TokenEndpoint extends Served {
  readonly tokenUrl: string;
  readonly heard: TokenRequest[];
  /** Answers from now on; `count` says the how-manieth request it is, from 1. */
  answer: (response: ServerResponse, request: TokenRequest, count: number) => void;
}

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200): TokenEndpoint["answer"] =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(body));
  };

/** A good answer, with another token each time. */
export const tokens =
  (more: Record<string, unknown> = {}): TokenEndpoint["answer"] =>
  (response, request, count) =>
    json({ access_token: `token-${count}`, token_type: "Bearer", expires_in: 3600, ...more })(response, request, count);

/** A token endpoint on loopback that answers as it is told to. */
export async function openTokenEndpoint(): Promise<TokenEndpoint> {
  const heard: TokenRequest[] = [];
  const served = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const one = { method: request.method ?? "", headers: request.headers, form: new URLSearchParams(body) };
    heard.push(one);
    endpoint.answer(response, one, heard.length);
  });
  const endpoint: TokenEndpoint = { ...served, tokenUrl: `${served.url}/token`, heard, answer: tokens() };
  return endpoint;
}
