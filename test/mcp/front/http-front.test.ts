import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Generation, makeGeneration } from "../../../src/mcp/make-generation.ts";
import type { Toolset } from "../../../src/model/tool.ts";
import { frontCaller, frontToolset, type Heard } from "../../fixtures/mcp/front-server.ts";
import { messages, often, oneOf } from "./odd-messages.ts";
import { askBoth, openTwoServers, type TwoServers } from "./two-servers.ts";

// The front must not be told apart from the SDK: the same bytes go to a server with it and to one without, and all that comes back is compared.

const calls: [fronted: Heard, plain: Heard] = [[], []];
let servers: TwoServers;
beforeAll(async () => {
  const generations = calls.map((heard) => makeGeneration(frontToolset, "1.2.3", frontCaller(heard)));
  servers = await openTwoServers(() => generations.shift() as Generation);
});
afterAll(() => servers.close());

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
type Lines = readonly (readonly [name: string, value: string])[];
const COMMON: Lines = [
  ["Host", "localhost:1"],
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
];
const modernLines = (method: string, name?: string): Lines => [
  ...COMMON,
  ["MCP-Protocol-Version", "2026-07-28"],
  ["Mcp-Method", method],
  ...(name === undefined ? [] : ([["Mcp-Name", name]] as const)),
];

function write(lines: Lines, body: string, target = "/mcp"): string {
  const bytes = Buffer.from(body);
  const all = [...lines, ["Content-Length", String(bytes.length)] as const];
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `POST ${target} HTTP/1.1\r\n${head}\r\n${bytes.toString("latin1")}`;
}

/** Both answer it alike, the same calls are made, and the same is heard of them. */
async function expectAlike(request: string): Promise<{ taken: boolean; body: string }> {
  const before = servers.fronted.taken();
  const [fronted, plain] = await askBoth(servers, request);
  expect(fronted).toStrictEqual(plain);
  // As texts: what is compared may have a constructor of its own.
  expect(JSON.stringify(servers.fronted.heard())).toBe(JSON.stringify(servers.plain.heard()));
  expect(JSON.stringify(calls[0].splice(0))).toBe(JSON.stringify(calls[1].splice(0)));
  return { taken: servers.fronted.taken() > before, body: fronted.body };
}

const legacy = (method: string, params?: object, more: object = {}) =>
  write(COMMON, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params, ...more }));
const modern = (method: string, params: object = {}, more: object = {}) =>
  write(
    modernLines(method, (params as { name?: string }).name),
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META }, ...more }),
  );

/** A list of 2026-07-28 whose envelope is as given. */
const listWith = (meta: object) =>
  write(
    modernLines("tools/list"),
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }),
  );

describe("what is ordinary is answered by the front, as the SDK answers it", () => {
  const ordinary: [title: string, request: string][] = [legacy, modern].flatMap((as) => [
    ["a list", as("tools/list")] as [string, string],
    ...["sample_list", "sample_odd", "sample_fail", "sample_image", "sample_boom", "sample_gone"].map(
      (name): [string, string] => [name, as("tools/call", { name, arguments: { since: "2026" } })],
    ),
    ["a call without arguments", as("tools/call", { name: "sample_list" })],
    ["an id that is a text", as("tools/call", { name: "sample_list" }, { id: 'a"\u2028ü\\' })],
    ["an id that is less than nothing", as("tools/list", {}, { id: -7 })],
  ]);
  test.each([
    ...ordinary,
    [
      "a version of before",
      write(
        [...COMMON, ["Mcp-Protocol-Version", "2025-06-18"]],
        '{"jsonrpc":"2.0","id":0,"method":"tools/list","params":{}}',
      ),
    ],
    ["a zero that is negative", write(COMMON, '{"jsonrpc":"2.0","id":-0,"method":"tools/list"}')],
  ])("%s", async (_, request) => {
    const { taken, body } = await expectAlike(request);
    expect(taken).toBe(true);
    expect(body).not.toContain("hunter2");
  });

  test("a list with another bound on how long it may be kept, and with tools that come and go", async () => {
    const changing = {
      ...frontToolset,
      states: [],
      tools: frontToolset.tools.map((tool, at) => (at === 0 ? { ...tool, states: ["s"] } : tool)),
    };
    for (const shown of [
      { ...frontToolset, server: { ...frontToolset.server, structured: false } },
      changing as Toolset,
    ]) {
      const pair = await openTwoServers(() => makeGeneration(shown, "1", frontCaller([])), 0);
      for (const as of [legacy, modern]) {
        const [fronted, plain] = await askBoth(pair, as("tools/list"));
        expect(fronted).toStrictEqual(plain);
        const [call, sdkCall] = await askBoth(pair, as("tools/call", { name: "sample_odd" }));
        expect(call).toStrictEqual(sdkCall);
      }
      expect(pair.fronted.taken()).toBe(4);
      await pair.close();
    }
  });
});

describe("what is in doubt is left to the SDK", () => {
  const deep = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } };
  test.each<[title: string, request: string]>([
    ["a tool that asks", modern("tools/call", { name: "sample_ask" })],
    ["a tool that nobody knows", legacy("tools/call", { name: "nobody" })],
    ["a name of an object's own", legacy("tools/call", { name: "constructor" })],
    ["a further page", legacy("tools/list", { cursor: "x" })],
    ["progress is asked for", legacy("tools/call", { name: "sample_list", _meta: { progressToken: 1 } })],
    ["a task", legacy("tools/call", { name: "sample_list", task: { ttl: 1 } })],
    ["an answer of a person", modern("tools/call", { name: "sample_list", requestState: "t", inputResponses: {} })],
    ["another method", modern("server/discover")],
    [
      "an argument that is no argument",
      write(
        COMMON,
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sample_list","arguments":{"__proto__":{"a":1},"b":1}}}',
      ),
    ],
    ["an argument that is a constructor", legacy("tools/call", { name: "sample_list", arguments: { constructor: 1 } })],
    [
      "a claim without its headers",
      write(COMMON, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: META } })),
    ],
    ["a notification", legacy("tools/call", { name: "sample_list" }, { id: undefined })],
    [
      "a connection that is closed then",
      write([...COMMON, ["Connection", "close"]], '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    ],
    ["HTTP 1.0", legacy("tools/list").replace("HTTP/1.1", "HTTP/1.0")],
    ["a port beyond all ports", legacy("tools/list").replace("localhost:1", "localhost:99999")],
    ["a name in the URL's place", legacy("tools/list").replace("localhost:1", "a@b")],
    ["a target with a query", legacy("tools/list").replace("/mcp", "/mcp?a=b")],
    ["of the envelope more than is needed", listWith({ ...META, "io.modelcontextprotocol/logLevel": "debug" })],
    [
      "a client whose word for what it can do is none",
      listWith({ ...META, ...deep, "io.modelcontextprotocol/clientInfo": 7 }),
    ],
  ])("%s", async (_, request) => {
    expect((await expectAlike(request)).taken).toBe(false);
  });
});

test("an envelope is good by itself, not because one was that reads alike", async () => {
  const { "io.modelcontextprotocol/clientInfo": _, ...bare } = META;
  expect((await expectAlike(listWith(bare))).taken).toBe(true);
  expect((await expectAlike(listWith({ ...bare, "io.modelcontextprotocol/clientInfo": null }))).taken).toBe(false);
});

describe("whatever is sent", () => {
  const types = often(
    oneOf("application/json"),
    oneOf(
      "application/json; charset=utf-8",
      "APPLICATION/JSON",
      "application/json;",
      "application/json , x",
      "text/plain; a=application/json",
      "application/jsonx",
      "",
    ),
  );
  const accepts = often(
    oneOf("application/json, text/event-stream"),
    oneOf(
      "*/*",
      "application/json",
      "text/event-stream",
      "text/event-stream;q=0.1,application/json",
      "Application/JSON, text/event-stream",
      "",
    ),
  );
  const own = Symbol();
  const versions = often(
    oneOf<string | symbol | undefined>(own),
    oneOf<string | symbol | undefined>(
      ...["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05", "2024-10-07", "2026-07-29", "1999-01-01"],
      ...["2026-07-28, 2026-07-28", " 2026-07-28\t", "", undefined],
    ),
  );
  const methods = often(
    oneOf<string | symbol | undefined>(own),
    oneOf<string | symbol | undefined>(undefined, "tools/list", "tools/call", "TOOLS/CALL", " tools/call "),
  );
  const nameLines = often(
    oneOf<string | symbol | undefined>(own),
    oneOf<string | symbol | undefined>(
      undefined,
      "sample_list",
      "SAMPLE_LIST",
      "=?base64?c2FtcGxlX2xpc3Q=?=",
      "=?base64?!?=",
      "\xfc",
    ),
  );
  const dressed = fc.record({
    body: messages,
    type: types,
    accept: accepts,
    version: versions,
    method: methods,
    name: nameLines,
    twice: often(oneOf(false), oneOf(true)),
    shown: oneOf("Title-Case", "lower"),
  });

  const textOf = (value: unknown): string => (typeof value === "string" && /^[\x20-\xff]*$/.test(value) ? value : "x");
  const versionOf = (params: unknown): string | undefined => {
    const meta = (params as { _meta?: Record<string, unknown> | null } | null | undefined)?._meta;
    const version = meta?.["io.modelcontextprotocol/protocolVersion"];
    return typeof version === "string" ? version : undefined;
  };
  const toRequest = ({
    body,
    type,
    accept,
    version,
    method,
    name,
    twice,
    shown,
  }: typeof dressed extends fc.Arbitrary<infer T> ? T : never) => {
    const { method: ownMethod, params: ownParams } = body as { method?: unknown; params?: { name?: unknown } | null };
    const lines: [string, string | undefined][] = [
      ["Host", "localhost"],
      ["Content-Type", type],
      ["Accept", accept],
      ["MCP-Protocol-Version", version === own ? versionOf(ownParams) : (version as string | undefined)],
      ["Mcp-Method", method === own ? textOf(ownMethod) : (method as string | undefined)],
      ["Mcp-Name", name === own ? textOf(ownParams?.name) : (name as string | undefined)],
    ];
    const written = lines.filter((line): line is [string, string] => line[1] !== undefined);
    const cased = written.map(([key, value]): [string, string] => [shown === "lower" ? key.toLowerCase() : key, value]);
    return write(twice && cased[3] !== undefined ? [...cased, cased[3]] : cased, JSON.stringify(body));
  };

  test("both answer alike", async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(dressed.map(toRequest), async (request) => {
        if ((await expectAlike(request)).taken) taken += 1;
      }),
      { numRuns: 1_500 },
    );
    expect(taken).toBeGreaterThan(100);
  }, 60_000);
});
