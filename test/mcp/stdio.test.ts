import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleStdioServer } from "./bundle-fixture.ts";

let program: string;
beforeAll(async () => {
  program = await bundleStdioServer();
});

/** A server process, with what it wrote so far and a way to wait for a line of its. */
function start() {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program]);
  const out: string[] = [];
  const err: string[] = [];
  const waiting = new Set<() => void>();
  const collect = (stream: NodeJS.ReadableStream, lines: string[]) =>
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const check of waiting) check();
    });
  collect(child.stdout, out);
  collect(child.stderr, err);
  const seen = (lines: string[], part: string): Promise<void> =>
    new Promise((resolve) => {
      const check = () => {
        if (!lines.some((line) => line.includes(part))) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return { child, out, err, seen, send };
}

const INITIALIZE = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

/** A server that has answered a request for tools, so that its era is known, and then makes a call, 3, which waits. */
async function startWaiting() {
  const server = start();
  server.send(INITIALIZE);
  server.send({ id: 2, method: "tools/list" });
  await server.seen(server.out, '"id":2');
  server.send({ id: 3, method: "tools/call", params: { name: "sample_wait" } });
  await server.seen(server.err, "entered");
  return server;
}

describe("a server over stdio", () => {
  test("writes nothing but JSON-RPC lines to stdout, whatever it is sent", async () => {
    const server = start();
    server.send(INITIALIZE);
    await server.seen(server.out, '"id":1');
    server.child.stdin.write("this is no JSON\n\n[1,2]\n");
    server.send({ id: 2, method: "tools/call", params: { name: "sample_boom" } });
    server.send({ id: 3, method: "nonsense" });
    server.send({ id: 4, method: "tools/list" });
    await server.seen(server.out, '"id":4');
    server.child.stdin.end();
    expect(await once(server.child, "exit")).toStrictEqual([0, null]);
    for (const line of server.out) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(server.out.join()).not.toContain("hunter2");
    expect(server.err.join()).toContain("hunter2");
  });

  test("answers what it cannot read, and goes on", async () => {
    const server = start();
    server.child.stdin.write("this is no JSON\n");
    server.child.stdin.write(`${"x".repeat(11 * 1024 * 1024)}\n`);
    server.send({ id: 7, method: 7 });
    server.send(INITIALIZE);
    await server.seen(server.out, '"id":1');
    const codes = server.out.slice(0, 3).map((line) => JSON.parse(line));
    expect(codes).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32000 } },
      { id: 7, error: { code: -32600 } },
    ]);
    server.child.stdin.end();
    expect(await once(server.child, "exit")).toStrictEqual([0, null]);
  });

  test.runIf(process.platform === "linux")(
    "holds no line of 100 MB, which need not end, and goes on behind it",
    async () => {
      const server = start();
      const mebibyte = "x".repeat(1024 * 1024);
      for (let sent = 0; sent < 100; sent += 1)
        if (!server.child.stdin.write(mebibyte)) await once(server.child.stdin, "drain");
      const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, "utf8"))?.[1]);
      server.child.stdin.write("\n");
      server.send(INITIALIZE);
      await server.seen(server.out, '"id":1');
      expect(JSON.parse(server.out[0] ?? "")).toMatchObject({ id: null, error: { code: -32000 } });
      // Node and the program take some 70 MB by themselves.
      expect(peak).toBeLessThan(150_000);
      server.child.stdin.end();
      expect(await once(server.child, "exit")).toStrictEqual([0, null]);
    },
  );

  test("ends with 0 also in the midst of a line, which is not answered", async () => {
    const server = start();
    server.send(INITIALIZE);
    await server.seen(server.out, '"id":1');
    server.child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"tools/list"}');
    expect(await once(server.child, "close")).toStrictEqual([0, null]);
    expect(server.out).toHaveLength(1);
  });

  test("ends when nobody reads its answers any more", async () => {
    const server = start();
    server.send(INITIALIZE);
    await server.seen(server.out, '"id":1');
    server.child.stdout.destroy();
    server.child.stdin.on("error", () => {});
    for (const id of [2, 3, 4]) server.send({ id, method: "tools/list" });
    server.child.stdin.end();
    const [code] = await once(server.child, "exit");
    expect([0, 2]).toContain(code);
    expect(server.err.join()).not.toMatch(/EPIPE[\s\S]*at /);
  });

  test("aborts what runs and exits with 0 when stdin ends", async () => {
    const server = start();
    server.send(INITIALIZE);
    await server.seen(server.out, '"id":1');
    server.send({ id: 2, method: "tools/call", params: { name: "sample_wait" } });
    await server.seen(server.err, "entered");
    server.child.stdin.end();
    expect(await once(server.child, "close")).toStrictEqual([0, null]);
    expect(server.err).toContain("done");
    expect(server.out.join()).not.toContain('"id":2');
  });

  test("aborts a call that the client cancels", async () => {
    const server = start();
    server.send(INITIALIZE);
    await server.seen(server.out, '"id":1');
    server.send({ id: 2, method: "tools/call", params: { name: "sample_wait" } });
    await server.seen(server.err, "entered");
    server.send({ method: "notifications/cancelled", params: { requestId: 2 } });
    await server.seen(server.err, "aborted");
    server.child.stdin.end();
    await once(server.child, "close");
  });

  test.each([
    ["its version", { jsonrpc: "1.0" }],
    ["a member too many", { more: 1 }],
    ["its _meta", { params: { requestId: 3, reason: "refused", _meta: 7 } }],
  ])("ends no call for a message that it refuses: %s", async (_, refused) => {
    const server = await startWaiting();
    const method = "notifications/cancelled";
    server.send({ method, params: { requestId: 3, reason: "refused" }, ...refused });
    await server.seen(server.out, "-32600");
    server.send({ method, params: { requestId: 3, reason: "asked" } });
    await server.seen(server.err, "because");
    expect(server.err).toContain("because asked");
    server.child.stdin.end();
    await once(server.child, "close");
  });

  test.each(["cancel", "end"])("ends a call that is answered without the SDK likewise: %s", async (how) => {
    const server = await startWaiting();
    if (how === "cancel") {
      server.send({ method: "notifications/cancelled", params: { requestId: 3 } });
      await server.seen(server.err, "aborted");
      server.send({ id: 4, method: "tools/call", params: { name: "sample_list" } });
      await server.seen(server.out, '"id":4');
    }
    server.child.stdin.end();
    expect(await once(server.child, "close")).toStrictEqual([0, null]);
    expect(server.err).toContain("aborted");
    expect(server.out.join()).not.toContain('"id":3');
  });

  test("tells its client of a new toolset, which it then lists", async () => {
    const server = start();
    server.send(INITIALIZE);
    await server.seen(server.out, '"id":1');
    server.send({ method: "notifications/initialized" });
    server.child.kill("SIGUSR2");
    await server.seen(server.out, "notifications/tools/list_changed");
    server.send({ id: 2, method: "tools/list" });
    await server.seen(server.out, '"id":2');
    const names = JSON.parse(server.out.at(-1) ?? "").result.tools.map((tool: { name: string }) => tool.name);
    expect(names).toStrictEqual(["sample_list", "sample_wait"]);
    server.child.stdin.end();
    await once(server.child, "close");
  });
});
