import { postMessage } from "../../setup/post-message.ts";

export interface Listener {
  /** What it was told, one event each. */
  readonly told: string[];
  stop(): void;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Listens to changes of the tools of a server (MCP 2026-07-28, subscriptions/listen); `url` is its whole URL. */
export async function listenAt(url: string, key: string): Promise<Listener> {
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { _meta: META, notifications: { toolsListChanged: true } },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const stopping = new AbortController();
  const answer = await postMessage(url, `Bearer ${key}`, message, { headers, signal: stopping.signal });
  if (answer.status !== 200) throw new Error(await answer.text());
  const told: string[] = [];
  void read(answer, told).catch(() => {});
  return { told, stop: () => stopping.abort() };
}

async function read(answer: Response, told: string[]): Promise<void> {
  let text = "";
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop()!;
    told.push(...events);
  }
}
