export interface Posting {
  readonly headers?: object;
  readonly signal?: AbortSignal;
}

/** POSTs a message to the URL of a server, as a client that keeps nothing; `authorization` as it is sent. */
export function postMessage(
  url: string,
  authorization: string | undefined,
  message: object,
  { headers, signal }: Posting = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    body: JSON.stringify(message),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(authorization !== undefined && { authorization }),
      ...headers,
    },
    ...(signal !== undefined && { signal }),
  });
}

export const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

export const callOf = (name: string, args: object = {}) => ({
  ...LIST,
  method: "tools/call",
  params: { name, arguments: args },
});

/** What was answered, whether as JSON or as an event; throws where it is neither. */
// biome-ignore lint/suspicious/noExplicitAny: what came, as far as it is JSON.
export function readAnswer(text: string): any {
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}
