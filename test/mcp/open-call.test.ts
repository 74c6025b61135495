import { describe, expect, test } from "vitest";
import { openCall } from "../../src/mcp/open-call.ts";
import { openTally } from "../../src/mcp/tally-upstream.ts";
import type { CallBegun, CallRecord } from "../../src/model/call-watch.ts";
import type { RunEvent, ToolReply, UpstreamRequest } from "../../src/model/exchange.ts";

const request: UpstreamRequest = {
  operation: "GET /a",
  method: "GET",
  url: "https://a.example/a",
  headers: [],
  safe: true,
};
const reply = { status: 200, headers: new Map<string, string>(), body: { kind: "empty" as const } };
const sent: RunEvent = { type: "request", tool: "t", request };
const answered = (bytes: number): RunEvent => ({
  type: "reply",
  tool: "t",
  request,
  reply: { ...reply, bytes },
  ms: 1,
});
const failed: RunEvent = { type: "failure", tool: "t", request, error: new Error("reset"), ms: 1 };

describe("the requests of a call are added up", () => {
  test.each<[title: string, events: [at: number, event: RunEvent][], want: object]>([
    ["none", [], { ms: 0, calls: 0, bytes: 0 }],
    [
      "one after the other",
      [
        [1, sent],
        [3, answered(10)],
        [5, sent],
        [9, answered(20)],
      ],
      { ms: 6, calls: 2, bytes: 30 },
    ],
    [
      "at the same time",
      [
        [1, sent],
        [2, sent],
        [3, answered(10)],
        [6, answered(20)],
      ],
      { ms: 5, calls: 2, bytes: 30 },
    ],
    [
      "one that failed and was sent again",
      [
        [1, sent],
        [2, failed],
        [4, sent],
        [5, answered(7)],
      ],
      { ms: 2, calls: 2, bytes: 7 },
    ],
    [
      "one that was led on, and one whose answer broke off",
      [
        [1, sent],
        [2, { ...answered(10), redirects: 2 } as RunEvent],
        [4, sent],
        [5, { ...failed, bytes: 3 } as RunEvent],
      ],
      { ms: 2, calls: 4, bytes: 13 },
    ],
    [
      "one that was given up",
      [
        [1, sent],
        [2, answered(5)],
        [4, sent],
      ],
      { ms: 7, calls: 2, bytes: 5 },
    ],
  ])("%s", (_, events, want) => {
    let now = 0;
    const tally = openTally(() => now);
    for (const [at, event] of events) {
      now = at;
      tally.add(event);
    }
    now = 10;
    expect(tally.read()).toStrictEqual(want);
  });
});

const message = (params: unknown, method = "tools/call") => ({ jsonrpc: "2.0", id: 1, method, params });
const identity = { name: "s", version: "1" };
const knows = (name: string): boolean => name === "t";

function open(body: unknown) {
  const begun: CallBegun[] = [];
  const ended: CallRecord[] = [];
  const reported: unknown[] = [];
  const watcher = {
    begin: (call: CallBegun) => {
      begun.push(call);
      return { end: (record: CallRecord) => void ended.push(record) };
    },
  };
  const report = (error: unknown) => reported.push(error);
  const call = openCall(body, "pipe", { current: () => ({ identity, knows }), watcher, report });
  return { call, begun, ended, reported };
}

const DONE: ToolReply = { isError: false, text: '{"done":"ü"}' };

describe("a call", () => {
  test.each<[title: string, body: unknown]>([
    ["a list of tools", message({}, "tools/list")],
    ["a notification", { jsonrpc: "2.0", method: "tools/call", params: { name: "t" } }],
    ["no message", "tools/call"],
    ["nothing", undefined],
  ])("%s is none", (_, body) => {
    expect(open(body).call).toBeUndefined();
  });

  test.each<[title: string, params: unknown, want: object]>([
    [
      "its tool and what is said of it",
      { name: "a_b.c-d", _meta: { x: 1 } },
      { tool: "a_b.c-d", known: false, meta: { x: 1 } },
    ],
    ["no name", {}, { tool: null, known: false, meta: {} }],
    ["params that are no object", [1], { tool: null, known: false, meta: {} }],
    ["_meta that is no object", { name: "t", _meta: "x" }, { tool: "t", known: true, meta: {} }],
    ["a name that no tool could have", { name: "a b" }, { tool: null, known: false, meta: {} }],
    ["a name that is too long", { name: "a".repeat(129) }, { tool: null, known: false, meta: {} }],
  ])("begins with %s", (_, params, want) => {
    expect(open(message(params)).begun).toStrictEqual([{ server: "s", transport: "pipe", ...want }]);
  });

  test.each<[title: string, args: unknown, bytes: number]>([
    ["none", undefined, 0],
    ["an empty object", {}, 2],
    ["text beyond ASCII", { a: "ü" }, 10],
  ])("counts the bytes of its arguments: %s", (_, args, bytes) => {
    const { call, ended } = open(message({ name: "t", ...(args !== undefined && { arguments: args }) }));
    call?.reply(DONE);
    expect(ended).toMatchObject([{ bytesIn: bytes }]);
  });

  test("that was refused for its depth is told of all the same", () => {
    let args: unknown = {};
    for (let level = 0; level < 200_000; level += 1) args = [args];
    const { call, ended, reported } = open(message({ name: "t", arguments: args }));
    call?.fail("protocol", "invalid_request");
    expect([ended, reported]).toMatchObject([[{ channel: "protocol", bytesIn: 0 }], []]);
  });

  test.each<[title: string, reply: ToolReply | undefined, want: Partial<CallRecord>]>([
    ["a reply", DONE, { channel: null, error: null, bytesOut: 13, rowsOmitted: 0 }],
    ["a reply that left rows out", { ...DONE, rowsOmitted: 4 }, { channel: null, rowsOmitted: 4 }],
    [
      "a reply with an image",
      { ...DONE, blocks: [{ type: "image", data: "aGk=", mimeType: "image/png" }] },
      { bytesOut: 17 },
    ],
    [
      "a tool error",
      { isError: true, error: "no_zone", text: "{}" },
      { channel: "tool_result", error: "no_zone", bytesOut: 2 },
    ],
    [
      "a defect of ours, which its caller sees as a tool error",
      { isError: true, error: "internal", text: "{}" },
      { channel: "crash", error: "internal", bytesOut: 0 },
    ],
    [
      "a call that was cancelled, and is not answered",
      { isError: true, error: "cancelled", text: "{}" },
      { channel: "tool_result", error: "cancelled", bytesOut: 0 },
    ],
    ["a question", undefined, { channel: null, error: null, bytesOut: 0 }],
  ])("ends with %s", (_, given, want) => {
    const { call, ended } = open(message({ name: "t" }));
    call?.reply(given);
    expect(ended).toMatchObject([want]);
  });

  test("ends once, and what comes later is not heard", () => {
    const { call, ended } = open(message({ name: "t" }));
    call?.observe(sent);
    call?.observe(answered(5));
    call?.fail("crash", "internal");
    call?.observe(sent);
    call?.reply(DONE);
    expect(ended).toMatchObject([{ channel: "crash", bytesOut: 0, upstream: { calls: 1, bytes: 5 } }]);
  });

  test("gives what its answer waits for, once, and nothing where nobody has it wait", async () => {
    const waited = Promise.resolve();
    const call = (end: () => Promise<void> | undefined) =>
      openCall(message({ name: "t" }), "pipe", {
        current: () => ({ identity, knows }),
        watcher: { begin: () => ({ end }) },
        report: (error) => reported.push(error),
      });
    const reported: unknown[] = [];
    const first = call(() => waited);
    expect([first?.reply(DONE), first?.reply(DONE)]).toStrictEqual([expect.any(Promise), undefined]);
    expect(call(() => undefined)?.reply(DONE)).toBeUndefined();
    await call(() => Promise.reject(new Error("full")))?.reply(DONE);
    expect(reported).toStrictEqual([new Error("full")]);
  });

  test("does not feel a watcher that throws", () => {
    const reported: unknown[] = [];
    const boom = () => {
      throw new Error("full");
    };
    for (const watcher of [{ begin: boom }, { begin: () => ({ end: boom, observe: boom }) }]) {
      const call = openCall(message({ name: "t" }), "tcp", {
        current: () => ({ identity, knows }),
        watcher,
        report: (error) => reported.push(error),
      });
      call?.observe(sent);
      call?.reply(DONE);
    }
    expect(reported).toHaveLength(3);
  });
});
