import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/json.ts";
import { readTraceContext } from "../../src/telemetry/read-trace-context.ts";

const [TRACE, SPAN] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];
const GOOD = `00-${TRACE}-${SPAN}-01`;
const read = { traceId: TRACE, spanId: SPAN, flags: 1 };

describe("the caller's trace", () => {
  test.each<[title: string, meta: JsonObject, want: object | undefined]>([
    ["is what _meta says", { traceparent: GOOD }, read],
    ["is not recorded where it says so", { traceparent: `00-${TRACE}-${SPAN}-00` }, { ...read, flags: 0 }],
    ["has a state", { traceparent: GOOD, tracestate: "a=1,b=2" }, { ...read, state: "a=1,b=2" }],
    ["has none that is longer than the standard keeps", { traceparent: GOOD, tracestate: "a".repeat(513) }, read],
    ["has none that is no text", { traceparent: GOOD, tracestate: 7 }, read],
    ["is read of later versions", { traceparent: `cc-${TRACE}-${SPAN}-01-more` }, read],
    ["is none without a traceparent", { tracestate: "a=1" }, undefined],
    ["is none of no text", { traceparent: 7 }, undefined],
    ["is none of the version that is none", { traceparent: `ff-${TRACE}-${SPAN}-01` }, undefined],
    ["is none with something behind it", { traceparent: `${GOOD}-more` }, undefined],
    ["is none with a dash behind it", { traceparent: `${GOOD}-` }, undefined],
    ["is none with a line behind it", { traceparent: `${GOOD}\nx` }, undefined],
    ["is none in capitals", { traceparent: GOOD.toUpperCase() }, undefined],
    ["is none of zeros", { traceparent: `00-${"0".repeat(32)}-${SPAN}-01` }, undefined],
    ["is none of a span of zeros", { traceparent: `00-${TRACE}-${"0".repeat(16)}-01` }, undefined],
    ["is none that is too short", { traceparent: `00-${TRACE.slice(1)}-${SPAN}-01` }, undefined],
  ])("%s", (_, meta, want) => {
    expect(readTraceContext(meta)).toStrictEqual(want);
  });
});
