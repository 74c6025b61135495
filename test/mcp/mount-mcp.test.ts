import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Generation } from "../../src/mcp/make-generation.ts";
import { type McpView, mountMcp, type Refused } from "../../src/mcp/mount-mcp.ts";
import { nameFault } from "../../src/mcp/name-fault.ts";
import type { CallBegun, CallRecord } from "../../src/model/call-watch.ts";

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const GENERATION: Generation = {
  identity: { name: "s", version: "1" },
  instructions: "",
  structured: false,
  tools: [],
  changes: false,
  knows: () => true,
  isPlain: () => true,
  list: async () => [],
  caller: { call: async () => ({ isError: false, text: "{}" }) },
};

test.each<[refused: Refused, want: Partial<CallRecord>]>([
  [
    { status: 429, code: 1429, message: "Too many." },
    { channel: "protocol", error: "rate_limited" },
  ],
  [
    { status: 503, code: 1503, message: "Busy." },
    { channel: "protocol", error: "overloaded" },
  ],
  [
    { status: 403, code: -32000, message: "No." },
    { channel: "protocol", error: "rejected" },
  ],
])("a call that is not admitted is answered so, and heard of: %j", async (refused, want) => {
  const heard: [begun: CallBegun, record: CallRecord][] = [];
  const watcher = { begin: (begun: CallBegun) => ({ end: (record: CallRecord) => void heard.push([begun, record]) }) };
  const view: McpView = { current: () => GENERATION, options: { key: {}, listTtlMs: 0, report: () => {}, watcher } };
  const mount = mountMcp(() => {});
  const server = createServer((request, response) => void mount.serve(request, response, view, async () => refused));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => void server.close());
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    method: "POST",
    headers: { connection: "close" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "t" } }),
  });
  const { status, code, message } = refused;
  expect(response.status).toBe(status);
  expect(await response.json()).toStrictEqual({ jsonrpc: "2.0", id: 7, error: { code, message } });
  expect(heard).toMatchObject([[{ server: "s", tool: "t" }, want]]);
});

test.each<[code: number | undefined, want: ReturnType<typeof nameFault>]>([
  [-32602, ["protocol", "invalid_params"]],
  [-32603, ["crash", "internal"]],
  [-1, ["protocol", "rejected"]],
  [undefined, ["protocol", "unanswered"]],
])("events call the code %s of an answer by its name", (code, want) => {
  expect(nameFault(code)).toStrictEqual(want);
});
