import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { keepName, restoreName } from "../../src/mcp/keep-name.ts";
import { makeGeneration } from "../../src/mcp/make-generation.ts";
import { mountMcp } from "../../src/mcp/mount-mcp.ts";
import { sampleCaller, sampleToolset } from "../fixtures/mcp/sample-server.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ODD = '{"__proto__":{"q":1},"a":{"__proto__":2}}';

test.each([
  ["2025-11-25", "", {}],
  [
    "2026-07-28",
    `,"_meta":${JSON.stringify(MODERN)}`,
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "sample_list" },
  ],
])("an argument `__proto__` is seen by the tool as any other, in %s", async (_, meta, headers) => {
  const caller = sampleCaller();
  const generation = makeGeneration(sampleToolset, "1", caller);
  const view = { current: () => generation, options: { key: {}, listTtlMs: 0, report: () => {} } };
  const mount = mountMcp(() => {});
  const server = createServer((request, response) => void mount.serve(request, response, view));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    method: "POST",
    headers: {
      connection: "close",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sample_list","arguments":${ODD}${meta}}}`,
  });
  await answer.text();
  expect(caller.calls.map(({ args }) => JSON.stringify(args))).toStrictEqual([ODD]);
});

describe("a message", () => {
  test("comes through as it was, in its order", () => {
    const args = JSON.parse('{"a":1,"__proto__":{"b":2},"constructor":3}');
    const kept = keepName({ jsonrpc: "2.0", params: { name: "t", arguments: args } });
    expect(Object.hasOwn(kept.params.arguments, "__proto__")).toBe(false);
    expect(JSON.stringify(restoreName(kept.params.arguments))).toBe(JSON.stringify(args));
  });

  test.each([[{}], [{ params: [] }], [{ params: { arguments: [] } }], [{ params: { arguments: { a: 1 } } }]])(
    "without it is left alone: %j",
    (message) => {
      expect(keepName(message)).toBe(message);
    },
  );
});
