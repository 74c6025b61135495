import { resourceFromAttributes } from "@opentelemetry/resources";
import * as sdk from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, test, vi } from "vitest";
import { makeSpan } from "../../src/telemetry/traces/make-span.ts";
import { openSpanQueue } from "../../src/telemetry/traces/open-span-queue.ts";
import { openRandomIds } from "../../src/telemetry/traces/random-ids.ts";

const MOST = 3;
const ids = openRandomIds();
const sink = {
  sampler: new sdk.AlwaysOnSampler(),
  ids,
  resource: resourceFromAttributes({}),
  scope: { name: "test", version: "1" },
  take: () => {},
};
const span = (name: string) =>
  makeSpan(sink, {
    name,
    kind: 1,
    context: { traceId: ids.generateTraceId(), spanId: ids.generateSpanId(), traceFlags: 1 },
    parent: undefined,
    start: 0,
    end: 1,
    failed: false,
    shared: { attributes: {} },
    own: {},
  });

function open() {
  const notes: string[] = [];
  const sent: { readonly names: readonly string[]; done(code: number): void }[] = [];
  const exporter: sdk.SpanExporter = {
    export: (spans, done) => void sent.push({ names: spans.map(({ name }) => name), done: (code) => done({ code }) }),
    shutdown: async () => {},
  };
  const queue = openSpanQueue(
    sdk,
    { exporter, keep: (one) => one },
    { mostWaiting: MOST, note: (line) => notes.push(line) },
  );
  const take = (...names: readonly string[]): void => names.forEach((name) => void queue.take(span(name)));
  return { queue, take, notes, sent };
}

afterEach(() => vi.restoreAllMocks());

test("spans that find as many waiting as may are lost, which is counted and said once a minute", async () => {
  const { queue, take, notes, sent } = open();
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
  // Three are a batch, and the next three wait until it has arrived.
  take("a", "b", "c", "d", "e", "f");
  expect([queue.lost(), notes]).toStrictEqual([0, []]);
  take("g", "h");
  const said = "vitrine: spans are lost, as 3 wait already (OTEL_BSP_MAX_QUEUE_SIZE).";
  expect([queue.lost(), notes]).toStrictEqual([2, [said]]);
  clock.mockReturnValue(61_001);
  take("i");
  expect([queue.lost(), notes]).toStrictEqual([3, [said, said]]);
  sent[0]!.done(0);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  take("j");
  expect(queue.lost()).toBe(3);
  expect(sent.map(({ names }) => names.join(""))).toStrictEqual(["abc", "def"]);
});

test("spans that the collector did not take are lost", () => {
  const { queue, take, sent } = open();
  take("a", "b", "c");
  sent[0]!.done(1);
  expect(queue.lost()).toBe(3);
});

test.each([
  ["on their way and waiting", ["a", "b", "c", "d"], 4, ["vitrine: 4 spans could not be sent since the start."]],
  ["waiting", ["a"], 1, ["vitrine: 1 span could not be sent since the start."]],
  ["none", [], 0, []],
])("at the end those that are left are lost, and it is said how many: %s", (_, names, lost, said) => {
  const { queue, take, notes } = open();
  take(...names);
  queue.end();
  expect([queue.lost(), notes]).toStrictEqual([lost, said]);
});

test("at the end nothing is said where all were sent", async () => {
  const { queue, take, notes, sent } = open();
  take("a");
  const ended = queue.shutdown();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  sent[0]!.done(0);
  await ended;
  queue.end();
  expect([queue.lost(), notes]).toStrictEqual([0, []]);
});
