import { setTimeout as wait } from "node:timers/promises";
import { hashOf, keyOf } from "../setup/keys.ts";
import { callOf, postMessage, readAnswer } from "../setup/post-message.ts";
import type { Answer } from "./running-host.ts";

const operation = (operationId: string) => ({
  operationId,
  parameters: [{ name: "mode", in: "query", schema: { type: "string" } }],
  responses: {
    200: {
      description: "Ok.",
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              things: {
                type: "array",
                items: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } },
              },
            },
          },
        },
      },
    },
  },
});

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Things", version: "1" },
  servers: [{ url: "/" }],
  security: [{ thingsKey: [] }],
  paths: { "/things": { get: operation("listThings"), post: operation("addThing") } },
  components: { securitySchemes: { thingsKey: { type: "apiKey", in: "header", name: "X-Things-Key" } } },
};

const curation = (name: string, api: string): string => `vitrine: 1
api: { spec: ../things.json, baseUrl: "\${env.${name.toUpperCase()}_URL}", auth: { thingsKey: { apiKey: "\${env.THINGS_KEY}" } }${api} }
server: { name: ${name}, writes: true }
tools:
  list_things: { operation: listThings, use: List the things., input: { mode: {} }, result: { rows: things, fields: { id: id, name: name } } }
  get_things: { operation: listThings, use: Get the things as they come., input: { mode: {} } }
  add_thing: { operation: addThing, use: Add a thing., input: { mode: {} } }
`;

/** An API of things, served under a name for each upstream URL; every key is good at the server that it is named after, up to a dash. */
export interface Things {
  readonly upstreams: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
  /** Further keys of `api`, with a comma before them. */
  readonly api?: string;
  /** The servers that may reach no private address; the others reach loopback ones. */
  readonly closed?: readonly string[];
}

/** The files and the environment of `vitrine host`. */
export function thingsFiles({ upstreams, keys, api = "", closed = [] }: Things) {
  const names = Object.keys(upstreams);
  const host = {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    servers: Object.fromEntries(
      names.map((name) => [
        name,
        {
          curation: `./${name}/things.yaml`,
          root: ".",
          env: [`${name.toUpperCase()}_URL`, "THINGS_KEY"],
          ...(!closed.includes(name) && { allowPrivate: ["127.0.0.0/8"] }),
        },
      ]),
    ),
    keys: Object.fromEntries(
      keys.map((key) => [key, { hash: hashOf(key), server: key.replace(/-.*/, ""), claims: {}, writes: true }]),
    ),
  };
  return {
    files: {
      "things.json": JSON.stringify(SPEC),
      ...Object.fromEntries(names.map((name) => [`${name}/things.yaml`, curation(name, api)])),
      "host.yaml": JSON.stringify(host),
    },
    env: {
      THINGS_KEY: "canary-things-key",
      ...Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_URL`, upstreams[name] ?? ""])),
    },
  };
}

/** A call of a tool with a key, of the server that the key is named after; once more where the machine is too busy for it at the moment. */
export async function callThings(
  { url }: { readonly url: string },
  key: string,
  tool: string,
  args: object = {},
): Promise<Answer & { readonly result: ToolResult; readonly reply: ToolReply }> {
  const response = await postMessage(
    `${url}/mcp/${key.replace(/-.*/, "")}`,
    `Bearer ${keyOf(key)}`,
    callOf(tool, args),
  );
  const { status, headers } = response;
  const text = await response.text();
  if (status === 503) {
    await wait(200);
    return callThings({ url }, key, tool, args);
  }
  const json = readAnswer(text);
  if (json.result === undefined) throw new Error(`${status} ${text}`);
  return { status, headers, text, json, result: json.result, reply: JSON.parse(json.result.content[0].text) };
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly object[];
  readonly structuredContent?: object;
}

interface ToolReply extends Record<string, unknown> {
  readonly error?: string;
  readonly data?: readonly Record<string, unknown>[];
}
