import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** Where a server is: a URL, or a command to start. */
export type Target =
  | { readonly url: string; readonly headers?: Record<string, string> }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: Record<string, string> };

export type Peer = "v1 SDK" | "v2 SDK, 2025-11-25" | "v2 SDK, 2026-07-28";
export const PEERS: readonly Peer[] = ["v1 SDK", "v2 SDK, 2025-11-25", "v2 SDK, 2026-07-28"];

const IDENTITY = { name: "test", version: "1" };

/** What the person at a client answers to a question. */
export interface Person {
  /** Every question so far, as the client got it. */
  readonly asked: { readonly message: string; readonly requestedSchema: unknown }[];
  answer(): { readonly action: "accept" | "decline" | "cancel"; readonly content?: Record<string, boolean> };
}

/** A person who always says the same. */
export function personWho(action: "accept" | "decline" | "cancel", content?: Record<string, boolean>): Person {
  return { asked: [], answer: () => ({ action, ...(content && { content }) }) };
}

/** Connects one of the official clients; both generations have the methods that tests need under the same names. With a person it can ask one. */
export async function connect(peer: Peer, target: Target, person?: Person): Promise<ClientV2> {
  const capabilities = person === undefined ? {} : { capabilities: { elicitation: {} } };
  const answer = async ({ params }: { params: unknown }) => {
    person?.asked.push(params as Person["asked"][number]);
    return person!.answer();
  };
  if (peer === "v1 SDK") {
    const client = new ClientV1(IDENTITY, capabilities);
    if (person !== undefined) client.setRequestHandler(ElicitRequestSchema, answer);
    const transport =
      "url" in target ? new HttpV1(new URL(target.url), httpOptions(target)) : new StdioV1(process_(target));
    await client.connect(transport as Parameters<ClientV1["connect"]>[0]);
    return client as unknown as ClientV2;
  }
  const modern = peer === "v2 SDK, 2026-07-28";
  const era = modern ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
  const client = new ClientV2(IDENTITY, { ...era, ...capabilities });
  if (person !== undefined) client.setRequestHandler("elicitation/create", answer);
  await client.connect(
    "url" in target ? new HttpV2(new URL(target.url), httpOptions(target)) : new StdioV2(process_(target)),
  );
  return client;
}

function httpOptions({ headers }: Extract<Target, { url: string }>) {
  return headers === undefined ? {} : { requestInit: { headers } };
}

function process_(target: Exclude<Target, { url: string }>) {
  return {
    command: target.command,
    args: [...target.args],
    stderr: "ignore" as const,
    ...(target.env && { env: target.env }),
  };
}
