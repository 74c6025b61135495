import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type HttpServer, serveOverHttp } from "../../src/mcp/serve-http.ts";
import { type Events, openEvents } from "../../src/telemetry/open-events.ts";
import { confirmSource } from "../fixtures/mcp/confirm-server.ts";
import { mixedSource, TOOLS_SHA } from "../fixtures/mcp/mixed-server.ts";
import { LIST_REPLY } from "../fixtures/mcp/sample-server.ts";
import { bundleStdioServer } from "./bundle-fixture.ts";
import { connect, PEERS, personWho, type Target } from "./peers.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-events-"));
let program: string;
let made = 0;
beforeAll(async () => {
  program = await bundleStdioServer("mixed-main");
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Event {
  readonly tool: string | null;
  readonly run_id: string | null;
  readonly attempt: number;
  readonly error_channel: string | null;
  readonly error: string | null;
  readonly ok: boolean;
  readonly upstream_calls: number;
  readonly bytes_out: number;
}

interface Served {
  readonly target: Target;
  readonly file: string;
  close(): Promise<void>;
}

function read(file: string): Event[] {
  const text = readFileSync(file, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function serveHttp(file: string, source = mixedSource()): Promise<Served> {
  const events: Events = openEvents({ file, maxBytes: 64_000_000, note: () => {} });
  const options = {
    hostname: "127.0.0.1",
    port: 0,
    allowHosts: [],
    key: { account: "a-1" },
    listTtlMs: 0,
    report: () => {},
  };
  const server: HttpServer = await serveOverHttp(source, { ...options, watcher: events.watcher() });
  const close = async () => {
    await server.close(1000);
    await events.close();
  };
  return { target: { url: server.url }, file, close };
}

const TRANSPORTS: readonly [string, (file: string) => Promise<Served>][] = [
  ["HTTP", serveHttp],
  [
    "stdio",
    async (file) => ({ target: { command: process.execPath, args: [program, file] }, file, close: async () => {} }),
  ],
];

/** How many events there are of each end. */
function countEnds(events: readonly Event[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { error_channel, error } of events) {
    const end = `${error_channel} ${error}`;
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

const CODES = ["unknown_id", "upstream_timeout", "invalid_arguments", "no_such_zone"];

describe.each(TRANSPORTS)("over %s", (_, serve) => {
  test.each(PEERS)("a known mix of calls by the %s is written exactly", async (peer) => {
    const served = await serve(join(folder, `${++made}.jsonl`));
    const client = await connect(peer, served.target);
    const call = async (name: string, since = "") => {
      await client.callTool({ name, arguments: { since } }).catch(() => {});
    };
    await client.listTools();
    for (let at = 0; at < 100; at += 1) {
      await call("sample_list");
      if (at % 5 === 0) await call("sample_list", CODES[(at / 5) % 4]);
      if (at % 20 === 0) await call("sample_gone");
      if (at % 40 === 0) await call("sample_boom");
      if (at % 50 === 0) await client.listTools();
    }
    await client.close();
    await served.close();
    const want = {
      "null null": 100,
      "tool_result unknown_id": 5,
      "tool_result upstream_timeout": 5,
      "tool_result invalid_arguments": 5,
      "tool_result no_such_zone": 5,
      "protocol unknown_tool": 5,
      "crash internal": 3,
    };
    await vi.waitFor(() => expect(countEnds(read(served.file))).toStrictEqual(want), { timeout: 5_000 });
    expect(read(served.file)[0]).toStrictEqual({
      schema: "events.v1",
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      run_id: null,
      attempt: 1,
      server: "sample",
      tool: "sample_list",
      mcp_method: "tools/call",
      latency_ms: expect.any(Number),
      upstream_ms: expect.any(Number),
      upstream_calls: 2,
      ok: true,
      is_error: false,
      error_channel: null,
      error: null,
      bytes_in: '{"since":""}'.length,
      bytes_out: LIST_REPLY.text.length,
      bytes_upstream: 1000,
      rows_omitted: 36,
      prompt_sha: null,
      tools_sha: TOOLS_SHA,
      key_id: null,
    });
    expect(readFileSync(served.file, "utf8")).not.toContain("hunter2");
  });

  test.each(PEERS)("a call of the %s says which run it is of", async (peer) => {
    const served = await serve(join(folder, `${++made}.jsonl`));
    const client = await connect(peer, served.target);
    const _meta = { "io.vitrine/run-id": "r-7", "io.vitrine/attempt": 3 };
    await client.callTool({ name: "sample_list", arguments: { since: "" }, _meta });
    await client.close();
    await served.close();
    await vi.waitFor(() => expect(read(served.file)).toMatchObject([{ run_id: "r-7", attempt: 3 }]));
  });
});

describe("a call that asks a person first", () => {
  test.each<[answer: Parameters<typeof personWho>, want: unknown[][]]>([
    [
      ["accept", { confirm: true }],
      [
        [true, 0, 0],
        [true, 1, '{"writes":1}'.length],
      ],
    ],
    [
      ["decline"],
      [
        [true, 0, 0],
        [true, 0, expect.any(Number)],
      ],
    ],
  ])("has a line for the question and one for what came of it: %j", async (answer, want) => {
    const served = await serveHttp(join(folder, `${++made}.jsonl`), confirmSource());
    const client = await connect("v2 SDK, 2026-07-28", served.target, personWho(...answer));
    await client.callTool({ name: "set_address", arguments: { zone: "example.org", address: "192.0.2.7" } });
    await client.close();
    await served.close();
    const seen = read(served.file).map(({ ok, upstream_calls, bytes_out }) => [ok, upstream_calls, bytes_out]);
    expect(seen).toStrictEqual(want);
  });
});

const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
const CANARY = "canary-3f2a please do not write me down";

/** What is refused before a tool is looked for. */
const REFUSED: [title: string, params: object | undefined, error: string, tool: string | null][] = [
  ["no name", { arguments: {} }, "invalid_params", null],
  ["a name that is a number", { name: 7 }, "invalid_params", null],
  ["a name that is a sentence", { name: CANARY }, "unknown_tool", null],
  ["arguments that are a list", { name: "sample_list", arguments: [CANARY] }, "invalid_params", "sample_list"],
  ["no params", undefined, "invalid_params", null],
  ["arguments nested too deep", { name: "sample_list", arguments: deep(200) }, "invalid_request", "sample_list"],
];

describe("what is refused before a tool is looked for has its line too", () => {
  test("over stdio", async () => {
    const file = join(folder, `${++made}.jsonl`);
    const child = spawn(process.execPath, [program, file], { stdio: ["pipe", "pipe", "ignore"] });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send(INITIALIZE);
    await answers.next();
    for (const [at, [, params]] of REFUSED.entries()) {
      send({ id: at + 2, method: "tools/call", ...(params && { params }) });
      expect(JSON.parse((await answers.next()).value)).toMatchObject({ id: at + 2, error: {} });
    }
    // Neither of these is a call.
    send({ method: "tools/call", params: { name: "sample_list" } });
    send({ id: 99, method: "tools/list" });
    await answers.next();
    child.stdin.end();
    await once(child, "close");
    expect(read(file).map(({ error_channel, error, tool }) => [error_channel, error, tool])).toStrictEqual(
      REFUSED.map(([, , error, tool]) => ["protocol", error, tool]),
    );
    expect(readFileSync(file, "utf8")).not.toContain("canary");
  });

  test("over HTTP, in both eras", async () => {
    const served = await serveHttp(join(folder, `${++made}.jsonl`));
    const post = async (message: object, headers: Record<string, string> = {}) => {
      const response = await fetch((served.target as { url: string }).url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      });
      return await response.text();
    };
    for (const [at, [, params]] of REFUSED.entries()) {
      expect(await post({ id: at, method: "tools/call", ...(params && { params }) })).toContain('"error"');
    }
    const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" };
    const ask = (id: number, params: object, headers: object) =>
      post({ id, method: "tools/call", params }, { ...modern, ...headers });
    await ask(10, { _meta: { ...MODERN }, arguments: {} }, {});
    await ask(11, { name: "sample_list" }, { "mcp-name": "sample_list" });
    await ask(12, { name: "sample_list", _meta: MODERN }, { "mcp-name": "sample_other" });
    await ask(13, { name: "sample_list", arguments: { since: "" }, _meta: MODERN }, { "mcp-name": "sample_list" });
    await post({ id: 14, method: "tools/call", params: { name: "sample_list" } }, { "content-type": "text/plain" });
    await served.close();
    expect(read(served.file).map(({ error_channel, error, tool }) => [error_channel, error, tool])).toStrictEqual([
      ...REFUSED.map(([, , error, tool]) => ["protocol", error, tool]),
      ["protocol", expect.stringMatching(/^(invalid_params|header_mismatch)$/), null],
      ["protocol", "invalid_params", "sample_list"],
      ["protocol", "header_mismatch", "sample_list"],
      [null, null, "sample_list"],
      ["protocol", "rejected", "sample_list"],
    ]);
    expect(readFileSync(served.file, "utf8")).not.toContain("canary");
  });
});
