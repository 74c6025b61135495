import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { INITIALIZE, LOADER, start } from "../cli/running.ts";
import { type Served, serve } from "../egress/serve.ts";
import { connect, PEERS } from "../mcp/peers.ts";
import { openSession } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";

const SPEC = `openapi: 3.1.0
info: {title: Depot, version: "1"}
security: [{key: []}]
paths:
  /items:
    get:
      operationId: listItems
      parameters: [{name: q, in: query, schema: {type: string}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object, properties: {items: {type: array, items: {type: object, properties: {id: {type: integer}}}}}}}}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
`;
const CURATION = `vitrine: 1
api: {spec: ./spec.yaml, baseUrl: "\${env.URL}", auth: {key: {apiKey: "\${env.KEY}"}}, retries: 0}
server: {name: depot}
tools:
  list_items:
    operation: listItems
    use: See what is in the depot.
    input: {q: {describe: Part of a name.}}
    result: {rows: items, fields: {id: id}, limit: {default: 5, max: 10}}
    errors: [{status: 409, error: depot_closed, recover: Come back later.}]
`;
const CANARY = "canary-6b1f";
const ITEMS = JSON.stringify({ items: Array.from({ length: 12 }, (_, id) => ({ id, note: `${CANARY}-item` })) });

const folder = mkdtempSync(join(tmpdir(), "vitrine-events-"));
const curation = join(folder, "depot", "depot.yaml");
let api: Served;
beforeAll(async () => {
  mkdirSync(join(folder, "depot"));
  writeFileSync(join(folder, "depot", "spec.yaml"), SPEC);
  writeFileSync(curation, CURATION);
  api = await serve((request, response) => {
    const status = Number(/q=(\d+)/.exec(request.url ?? "")?.[1] ?? 200);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(status === 200 ? ITEMS : JSON.stringify({ message: `${CANARY}-words` }));
  });
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true });
});

let made = 0;
const newFile = (): string => join(folder, `events-${++made}.jsonl`);
const env = () => ({ URL: api.url, KEY: `${CANARY}-key` });
const read = (file: string): Record<string, unknown>[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe("serve --events", () => {
  test.each(PEERS)("tells what the calls of the %s did, over stdio, and nothing of what they said", async (peer) => {
    const file = newFile();
    const session = await openSession([curation, "--events", file], env(), peer);
    await session.client.listTools();
    await session.call("list_items", { q: `${CANARY}-argument` });
    await session.call("list_items", { q: "409" });
    await session.call("list_items", { q: "503" });
    await session.call("list_items", { p: `${CANARY}-argument` });
    await session.client.callTool({ name: `${CANARY} as a name` }).catch(() => {});
    await session.close();
    await vi.waitFor(() => expect(read(file)).toHaveLength(5), { timeout: 5_000 });
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(CANARY);
    const { stdout } = await vitrine(["tools", curation, "--json"]);
    const tools_sha = createHash("sha256").update(stdout).digest("hex");
    const ok = { ok: true, is_error: false, error_channel: null, error: null };
    const failed = { ok: false, is_error: true, error_channel: "tool_result" };
    expect(read(file)).toMatchObject([
      {
        server: "depot",
        tool: "list_items",
        ...ok,
        upstream_calls: 1,
        bytes_upstream: ITEMS.length,
        rows_omitted: 7,
        tools_sha,
      },
      { ...failed, error: "depot_closed", upstream_calls: 1, rows_omitted: 0, tools_sha },
      { ...failed, error: "upstream_unavailable", upstream_calls: 1, tools_sha },
      { ...failed, error: "unknown_argument", upstream_calls: 0, bytes_upstream: 0, tools_sha },
      { tool: null, is_error: null, error_channel: "protocol", error: "unknown_tool", bytes_out: 0, tools_sha },
    ]);
    for (const { latency_ms, upstream_ms } of read(file))
      expect(Number(upstream_ms)).toBeLessThanOrEqual(Number(latency_ms));
  });

  test.each(PEERS)("and the calls of the %s over HTTP, also those that run at the same time", async (peer) => {
    const file = newFile();
    const server = start(["serve", curation, "--events", file, "--http", "127.0.0.1:0"], env());
    const url = (await server.said("err", "Serving")).split(" ").at(-1)!;
    const client = await connect(peer, { url });
    const call = (q: string) => client.callTool({ name: "list_items", arguments: { q } });
    await Promise.all(["200", "409", "200", "503", "409", "200"].map(call));
    await client.close();
    server.child.kill("SIGTERM");
    expect(await server.ended()).toBe(0);
    const ends = read(file).map(({ error, upstream_calls, bytes_upstream }) => [error, upstream_calls, bytes_upstream]);
    const bad = JSON.stringify({ message: `${CANARY}-words` }).length;
    expect(ends.toSorted()).toStrictEqual(
      [
        ...Array(3).fill([null, 1, ITEMS.length]),
        ...Array(2).fill(["depot_closed", 1, bad]),
        ["upstream_unavailable", 1, bad],
      ].toSorted(),
    );
  });

  test("every call that was answered has its line, though the server is killed as soon as it has started", async () => {
    const file = newFile();
    const server = start(["serve", curation, "--events", file], env());
    await server.ask(1, "initialize", INITIALIZE);
    await server.ask(2, "tools/list");
    for (let id = 3; id < 54; id += 1) await server.ask(id, "tools/call", { name: "list_items", arguments: {} });
    server.child.kill("SIGKILL");
    await once(server.child, "close");
    expect(read(file)).toHaveLength(51);
  });

  test("nor does one lack it where 32 are in flight over HTTP and the server is killed in the midst of them", async () => {
    const file = newFile();
    const server = start(["serve", curation, "--events", file, "--http", "127.0.0.1:0"], env());
    const url = (await server.said("err", "Serving")).split(" ").at(-1)!;
    const answered: string[] = [];
    const call = async (run: string): Promise<void> => {
      const params = { name: "list_items", arguments: {}, _meta: { "io.vitrine/run-id": run } };
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const text = await fetch(url, { method: "POST", headers, body }).then((response) => response.text());
      if (!text.includes("structuredContent")) throw new Error(text);
      answered.push(run);
      if (answered.length === 300) server.child.kill("SIGKILL");
    };
    const callAll = async (at: number): Promise<void> => {
      for (let turn = 0; ; turn += 1) await call(`r${at}.${turn}`);
    };
    // The first finds the file open.
    await call("first");
    const ended = await Promise.allSettled(Array.from({ length: 32 }, (_, at) => callAll(at)));
    expect(ended.every(({ status }) => status === "rejected")).toBe(true);
    const written = new Set(read(file).map(({ run_id }) => run_id));
    expect(answered.length).toBeGreaterThanOrEqual(300);
    expect(answered.filter((run) => !written.has(run))).toStrictEqual([]);
  });

  test("a file that takes nothing costs no call anything, and the loss is told", async () => {
    const session = start(["serve", curation, "--events", "/dev/full"], env());
    await session.ask(1, "initialize", INITIALIZE);
    await session.ask(2, "tools/list");
    for (let id = 3; id < 23; id += 1) {
      const { result } = await session.ask(id, "tools/call", { name: "list_items", arguments: {} });
      expect(result).toMatchObject({ structuredContent: { rowCount: 5 } });
    }
    session.child.stdin.end();
    expect(await session.ended()).toBe(0);
    expect(session.err.at(-1)).toBe("vitrine: 20 events could not be written to /dev/full, and are lost.");
  });

  test("a reload changes what the tools are called by", async () => {
    const own = join(folder, "reload");
    mkdirSync(own);
    writeFileSync(join(own, "spec.yaml"), SPEC);
    writeFileSync(join(own, "depot.yaml"), CURATION);
    const file = newFile();
    const server = start(["serve", join(own, "depot.yaml"), "--events", file, "--watch"], env());
    await server.ask(1, "initialize", INITIALIZE);
    await server.ask(2, "tools/call", { name: "list_items", arguments: {} });
    writeFileSync(join(own, "depot.yaml"), CURATION.replace("See what is", "Look at what is"));
    await server.said("err", "Reloaded");
    await server.ask(3, "tools/call", { name: "list_items", arguments: {} });
    await vi.waitFor(() => expect(read(file)).toHaveLength(2), { timeout: 10_000, interval: 20 });
    server.child.stdin.end();
    await server.ended();
    const [before, after] = read(file).map(({ tools_sha }) => tools_sha);
    const { stdout } = await vitrine(["tools", join(own, "depot.yaml"), "--json"]);
    expect(after).toBe(createHash("sha256").update(stdout).digest("hex"));
    expect(before).toMatch(/^[0-9a-f]{64}$/);
    expect(before).not.toBe(after);
  });

  const cache = { XDG_CACHE_HOME: join(folder, "cache") };
  test.each<[title: string, asked: boolean, want: readonly string[]]>([
    ["nothing without them", false, []],
    ["what counts the tools' tokens at the first time", true, ["manifest", "open-events"]],
    ["what writes them at the next, which knows what the tools are called by", true, ["open-events"]],
  ])("and loads %s", async (_, asked, want) => {
    const file = newFile();
    const more = asked ? ["--events", file] : [];
    const server = start(["serve", curation, ...more], { ...env(), ...cache }, ["--import", LOADER]);
    await server.ask(1, "initialize", INITIALIZE);
    await server.ask(2, "tools/list");
    await server.ask(3, "tools/call", { name: "list_items", arguments: {} });
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    const loaded = server.err.flatMap(
      (line) => /^loaded .*\/dist\/(open-events|manifest)-\w+\.js/.exec(line)?.[1] ?? [],
    );
    expect(loaded.toSorted()).toStrictEqual(want);
    if (!asked) return;
    const { stdout } = await vitrine(["tools", curation, "--json"]);
    expect(read(file)).toMatchObject([{ tools_sha: createHash("sha256").update(stdout).digest("hex") }]);
  });

  test.each<[args: string[], said: RegExp]>([
    [["--events", join(folder, "none", "e.jsonl")], /there is no such folder/],
    [["--events", folder], /is a folder/],
    [["--events", ""], /needs the name of a file/],
    [["--events", "e.jsonl", "--events-max-bytes", "many"], /is no size/],
    [["--events", "e.jsonl", "--events-max-bytes", "0"], /is no size/],
    [["--events-max-bytes", "1MB"], /goes with --events/],
  ])("refuses %j", async (args, said) => {
    const { code, stderr } = await vitrine(["serve", curation, ...args], { env: env() });
    expect([code, stderr]).toStrictEqual([2, expect.stringMatching(said)]);
  });
});
