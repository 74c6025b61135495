import fc from "fast-check";
import { expect, test } from "vitest";
import type { CallBegun, CallRecord } from "../../src/model/call-watch.ts";
import { openMetrics } from "../../src/telemetry/open-metrics.ts";
import { sumMetrics } from "../../src/telemetry/sum-metrics.ts";

const gauge = (name: string, value: number): string =>
  `# HELP ${name} What it is.\n# TYPE ${name} gauge\n${name} ${value}\n`;

test("of gauges the sum, the least or the most is shown, whichever is true of all", () => {
  const cases: [name: string, values: number[], want: number][] = [
    ["vitrine_calls_under_way", [2, 3], 5],
    ["vitrine_files_served", [1, 0], 0],
    ["vitrine_shared_up", [0, 1], 0],
    ["vitrine_replicas", [4, 4], 4],
    ["vitrine_generation", [1, 3], 3],
  ];
  for (const [name, values, want] of cases)
    expect(sumMetrics(values.map((value) => gauge(name, value)))).toBe(gauge(name, want));
});

test("of those that are gone their counts are left, and not their gauges", () => {
  const counter = (value: number) => `# HELP a_total A.\n# TYPE a_total counter\na_total{of="x y"} ${value}\n`;
  expect(sumMetrics([counter(1)], `${gauge("g", 7)}\n${counter(2)}`)).toBe(counter(3));
  expect(sumMetrics([], `${gauge("g", 7)}\n${counter(2)}`)).toBe(counter(2));
});

const RECORD: CallRecord = {
  channel: null,
  error: null,
  ms: 4,
  bytesIn: 3,
  bytesOut: 5,
  rowsOmitted: 2,
  upstream: { ms: 1, calls: 1, bytes: 7 },
} as CallRecord;

test("calls that several have counted are told as one would that had counted all of them", () => {
  const call = fc.record({
    by: fc.nat(2),
    tool: fc.constantFrom("list_items", "get_item"),
    channel: fc.constantFrom(null, "tool_result" as const, "crash" as const),
    ms: fc.nat(100_000),
  });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 30 }), (calls) => {
      const all = openMetrics({ version: "1" });
      const each = Array.from({ length: 3 }, () => openMetrics({ version: "1" }));
      for (const { by, tool, channel, ms } of calls)
        for (const { watcher } of [all, each[by]!]) {
          const begun = { server: "shop", tool, known: true } as CallBegun;
          const error = channel === null ? null : "internal";
          watcher.begin(begun)?.end({ ...RECORD, channel, error, ms });
        }
      // Which of them saw a sample first is no part of what they tell.
      const lines = (text: string): string[] => text.split("\n").toSorted();
      const sum = sumMetrics(each.map(({ text }) => text()));
      expect(lines(round(sum))).toStrictEqual(lines(round(all.text())));
    }),
  );
});

/** Sums of fractions differ in their last digits by the order in which they are added. */
function round(text: string): string {
  return text.replace(/ (\d+\.\d+)$/gm, (_, value: string) => ` ${Number(value).toFixed(9)}`);
}
