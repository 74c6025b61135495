import { createConnection } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { makeGeneration } from "../../../src/mcp/make-generation.ts";
import { type SampleCaller, sampleCaller, sampleToolset } from "../../fixtures/mcp/sample-server.ts";
import { rawExchange } from "./raw-exchange.ts";
import { openTwoServers, type TwoServers } from "./two-servers.ts";

// How a call ends that nobody waits for any more, or longer than we serve.

let servers: TwoServers;
afterEach(() => servers.close());

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const ERAS = ["2025-11-25", "2026-07-28"] as const;

function waiting(era: (typeof ERAS)[number]): string {
  const isModern = era === "2026-07-28";
  const params = { name: "sample_wait", ...(isModern && { _meta: META }) };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const more = isModern ? "Mcp-Method: tools/call\r\nMcp-Name: sample_wait\r\n" : "";
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: ${era}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** One server with a call that waits, and what its client has heard. */
interface Waiting {
  readonly caller: SampleCaller;
  heard(): string;
  /** Resolves when a whole answer was heard. */
  readonly answered: Promise<void>;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<unknown>;
  goAway(): void;
}

/** Opens both, and calls each with a call that waits; `behind` sends that behind another, which waits too. */
async function callBoth(era: (typeof ERAS)[number], behind = ""): Promise<Waiting[]> {
  const callers: SampleCaller[] = [];
  servers = await openTwoServers(() => {
    const caller = sampleCaller();
    callers.push(caller);
    return makeGeneration(sampleToolset, "1.2.3", caller);
  });
  const both = [servers.fronted, servers.plain].map(({ port }, at): Waiting => {
    let text = "";
    const socket = createConnection(port, "127.0.0.1", () => socket.write(`${behind}${waiting(era)}`));
    const answered = new Promise<void>((resolve) => {
      socket.setEncoding("latin1").on("data", (chunk) => {
        text += chunk;
        if (text.endsWith("\r\n0\r\n\r\n")) resolve();
      });
    });
    socket.on("error", () => {});
    return {
      caller: callers[at]!,
      answered,
      heard: () => text.replace(/^date:.*\r\n/im, ""),
      closed: new Promise((resolve) => socket.once("close", resolve)),
      goAway: () => void socket.destroy(),
    };
  });
  await Promise.all(both.map(({ caller }) => caller.entered));
  return both;
}

describe.each(ERAS)("a call of %s", (era) => {
  test("is aborted, for the same reason, when its client goes away", async () => {
    const both = await callBoth(era);
    for (const { goAway } of both) goAway();
    await Promise.all(both.map(({ caller }) => caller.aborted));
    const [fronted, plain] = both.map(({ caller }) => caller.calls[0]?.caller.signal.reason);
    expect(fronted).toStrictEqual(plain);
    expect(fronted).toMatchObject({ code: "CONNECTION_CLOSED" });
  });

  test("is aborted behind another as well, and holds nobody up", async () => {
    const both = await callBoth(era, waiting(era));
    await Promise.all(both.map(({ caller }) => expect.poll(() => caller.calls.length).toBe(2)));
    for (const { goAway } of both) goAway();
    for (const { caller } of both)
      await expect.poll(() => caller.calls.map((call) => call.caller.signal.aborted)).toStrictEqual([true, true]);
    const start = performance.now();
    await Promise.all([servers.fronted.close(60_000), servers.plain.close(60_000)]);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test("is answered by nothing before it has ended, and alike then", async () => {
    const both = await callBoth(era);
    // What was sent before this came back would have come as well.
    const list = waiting("2025-11-25")
      .replace("tools/call", "tools/list")
      .replace(',"params":{"name":"sample_wait"}', "");
    const length = list.length - list.indexOf("\r\n\r\n") - 4;
    const asked = list.replace(/Content-Length: \d+/, `Content-Length: ${length}`);
    await Promise.all([servers.fronted, servers.plain].map(({ port }) => rawExchange(port, asked)));
    expect(both.map(({ heard }) => heard())).toStrictEqual(["", ""]);
    for (const { caller } of both) caller.release();
    await Promise.all(both.map(({ answered }) => answered));
    const [fronted, plain] = both.map(({ heard }) => heard());
    expect(fronted).toBe(plain);
    expect(fronted).toContain("rowCount");
    expect(servers.fronted.taken()).toBe(2);
  });

  test("ends alike when no more is served", async () => {
    const both = await callBoth(era);
    await Promise.all([servers.fronted.close(0), servers.plain.close(0)]);
    await Promise.all(both.map(({ caller, closed }) => Promise.all([caller.aborted, closed])));
    const [fronted, plain] = both.map(({ heard }) => heard());
    expect(fronted).toBe(plain);
  });
});
