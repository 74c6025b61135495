import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCallEvent } from "../../../src/cli/report/call-event.ts";
import { crash, line, protocolFault, toolError } from "./events.ts";

describe("how a call ended", () => {
  test.each([
    ["it went well", {}, "ok"],
    ["a tool error", toolError("unknown_id"), "tool_error"],
    ["a protocol fault", protocolFault, "protocol"],
    ["a crash", crash, "crash"],
    ["ok, but is_error says otherwise", { is_error: true }, "tool_error"],
    ["ok, but the channel says otherwise", { error_channel: "crash" }, "crash"],
    ["not ok, and nothing else says why", { ok: false }, "tool_error"],
    ["well, by a method that is not said", { mcp_method: null }, "ok"],
  ])("%s", (_, more, outcome) => {
    expect(readCallEvent(line(more))).toMatchObject({ kind: "event", event: { outcome } });
  });
});

describe("what is no event is told with the reason", () => {
  test.each([
    ["not JSON", "tool_error_rate=0.1", "torn"],
    ["a list", "[]", "torn"],
    ["a number", "12", "torn"],
    ["null", "null", "torn"],
    ["two events in one line", line() + line(), "torn"],
    ["a hole that a lost block leaves", "\0\0\0", "torn"],
    ["another version", line({ schema: "events.v2" }), "schema"],
    ["no version", line({ schema: undefined }), "schema"],
    ["a channel that is none", line({ error_channel: "other" }), "error_channel"],
    ["no time", line({ latency_ms: undefined }), "latency_ms"],
    ["a time before the call", line({ latency_ms: -1 }), "latency_ms"],
    ["a time that adds up to no number", line({ upstream_ms: 1e308 }), "upstream_ms"],
    ["a method that is no text", line({ mcp_method: 5 }), "mcp_method"],
    ["a time in words", line({ latency_ms: "18" }), "latency_ms"],
    ["no end", line({ ok: null }), "`ok`"],
    ["a moment that there is not", line({ ts: "2026-13-01T00:00:00Z" }), "`ts`"],
    ["a day that there is not", line({ ts: "2026-02-30T00:00:00Z" }), "`ts`"],
    ["a moment of another era", line({ ts: "+112026-01-01T00:00:00Z" }), "`ts`"],
    ["a tool that is no text", line({ tool: { name: "x" } }), "`tool`"],
    ["half a byte", line({ bytes_in: 0.5 }), "bytes_in"],
    ["more bytes than a number holds", line({ bytes_out: 2 ** 60 }), "bytes_out"],
  ])("%s", (_, text, reason) => {
    expect(readCallEvent(text)).toStrictEqual({ kind: "fault", reason: expect.stringContaining(reason) });
  });
});

test.each([
  ["", "blank"],
  ["  ", "blank"],
  ["\r", "blank"],
  [line({ mcp_method: "tools/list" }), "other"],
])("%j is no call: %s", (text, kind) => {
  expect(readCallEvent(text)).toStrictEqual({ kind });
});

test("a byte order mark before it is passed over", () => {
  expect(readCallEvent(`\uFEFF${line()}`)).toStrictEqual(readCallEvent(line()));
  expect(readCallEvent("\uFEFF")).toStrictEqual({ kind: "blank" });
});

test("only what a count needs must be there, and further keys are no fault", () => {
  const least = { schema: "events.v1", ts: "2026-11-29T13:00:00+01:00", latency_ms: 1, ok: true, more: 1 };
  expect(readCallEvent(JSON.stringify(least))).toMatchObject({
    event: {
      ts: "2026-11-29T12:00:00.000Z",
      tool: null,
      attempt: null,
      error_channel: null,
      lost: null,
      outcome: "ok",
    },
  });
});

test("the beginning of a line is never an event", () => {
  const whole = line({ tool: 'a "}{" b' });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: whole.length - 1 }), (length) => {
      expect(readCallEvent(whole.slice(0, length)).kind).toBe("fault");
    }),
  );
});
