import { expect, test } from "vitest";
import { serveOverHttp } from "../../src/mcp/serve-http.ts";
import { sampleCaller, sampleSource } from "../fixtures/mcp/sample-server.ts";

const CLIENT = { capabilities: {}, clientInfo: { name: "raw", version: "1" } };

const cases: [title: string, method: string, params: object | undefined, message: string][] = [
  [
    "a revision that is no text",
    "initialize",
    { ...CLIENT, protocolVersion: 5 },
    "Invalid params of initialize: `params.protocolVersion` is wrong, expected string, received number.",
  ],
  [
    "several things at once",
    "initialize",
    { protocolVersion: "2025-11-25" },
    "Invalid params of initialize: `params.capabilities` is wrong, expected object, received undefined; `params.clientInfo` is wrong, expected object, received undefined.",
  ],
  [
    "none at all",
    "initialize",
    undefined,
    "Invalid params of initialize: `params` is wrong, expected object, received undefined.",
  ],
  [
    "a cursor that is no text",
    "tools/list",
    { cursor: 5 },
    "Invalid params of tools/list: `params.cursor` is wrong, expected string, received number.",
  ],
  [
    "a call of nothing",
    "tools/call",
    {},
    "Invalid params of tools/call: `params.name` is wrong, expected string, received undefined.",
  ],
  [
    "arguments that are a text",
    "tools/call",
    { name: "sample_wait", arguments: "{}" },
    "Invalid params of tools/call: `params.arguments` is wrong, expected record, received string.",
  ],
  [
    "a name that looks like a dump of checks",
    "tools/call",
    { name: '[{"path":[],"message":"hello"}]' },
    'Unknown tool: [{"path":[],"message":"hello"}]',
  ],
];

test.each(cases)(
  "params that are not as the protocol has them are invalid, and it is said what is wrong: %s",
  async (_, method, params, message) => {
    const options = { hostname: "127.0.0.1", port: 0, allowHosts: [], key: {}, listTtlMs: 0, report: () => {} };
    const server = await serveOverHttp(sampleSource(sampleCaller()), options);
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await (await fetch(server.url, { method: "POST", headers, body })).text();
    await server.close(0);
    expect(JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? "")).toStrictEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message },
    });
  },
);
