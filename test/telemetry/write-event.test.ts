import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallRecord } from "../../src/model/call-watch.ts";
import { writeEvent } from "../../src/telemetry/write-event.ts";

const begun = {
  server: "ledger",
  tool: "ledger_run_cost_query",
  known: true,
  transport: "pipe" as const,
  meta: {},
};
const record: CallRecord = {
  ms: 18.4,
  channel: null,
  error: null,
  bytesIn: 128,
  bytesOut: 2048,
  rowsOmitted: 37,
  upstream: { ms: 15.1, calls: 2, bytes: 51200 },
};
const facts = { at: Date.UTC(2026, 10, 29, 12), toolsSha: "ab12", keyId: null, lost: 0 };
const read = (change: Partial<CallRecord>, of: Partial<typeof facts> = {}) =>
  JSON.parse(writeEvent(begun, { ...record, ...change }, { ...facts, ...of })) as Record<string, unknown>;

describe("an event", () => {
  test("is one line, with the contract's keys in its order", () => {
    const meta = { "io.vitrine/run-id": "r-1", "io.vitrine/attempt": 2 };
    expect(writeEvent({ ...begun, meta }, record, facts)).toBe(
      '{"schema":"events.v1","ts":"2026-11-29T12:00:00.000Z","run_id":"r-1","attempt":2,"server":"ledger","tool":"ledger_run_cost_query","mcp_method":"tools/call","latency_ms":18.4,"upstream_ms":15.1,"upstream_calls":2,"ok":true,"is_error":false,"error_channel":null,"error":null,"bytes_in":128,"bytes_out":2048,"bytes_upstream":51200,"rows_omitted":37,"prompt_sha":null,"tools_sha":"ab12","key_id":null}\n',
    );
  });

  test.each<[channel: CallRecord["channel"], ok: boolean, isError: boolean | null]>([
    [null, true, false],
    ["tool_result", false, true],
    ["protocol", false, null],
    ["crash", false, null],
  ])("of the channel %s is ok: %s, is_error: %s", (channel, ok, is_error) => {
    expect(read({ channel })).toMatchObject({ ok, is_error, error_channel: channel });
  });

  test("says how many were lost before it, where any were", () => {
    expect(read({}, { lost: 3 })).toMatchObject({ lost: 3 });
    expect(read({})).not.toHaveProperty("lost");
  });

  test("has times of a hundredth of a millisecond", () => {
    expect(read({ ms: 1.23456, upstream: { ms: 0.006, calls: 1, bytes: 0 } })).toMatchObject({
      latency_ms: 1.23,
      upstream_ms: 0.01,
    });
  });

  test("reads back as it was, whatever names and times it is of", () => {
    const name = fc.oneof(fc.string({ unit: "binary" }), fc.string());
    const at = fc.integer({ min: Date.UTC(2001), max: Date.UTC(2100) });
    fc.assert(
      fc.property(
        name,
        name,
        name,
        name,
        at,
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        (server, tool, error, keyId, at, ms) => {
          const line = writeEvent(
            { ...begun, server, tool },
            { ...record, channel: "tool_result", error, ms },
            { ...facts, at, keyId },
          );
          expect(line.indexOf("\n")).toBe(line.length - 1);
          const event = JSON.parse(line);
          expect(event).toMatchObject({ server, tool, error, key_id: keyId, ts: new Date(at).toISOString() });
          expect(line).toBe(`${JSON.stringify(event)}\n`);
        },
      ),
    );
  });
});
