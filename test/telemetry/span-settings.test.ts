import { describe, expect, test } from "vitest";
import { readSpanSettings } from "../../src/telemetry/traces/span-settings.ts";

const NAMES =
  "always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio";
const UNKNOWN = `OTEL_TRACES_SAMPLER is none of ${NAMES}: parentbased_always_on is taken.`;
const NO_RATIO = "OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1, so all traces are sent.";

describe("the environment says of spans", () => {
  test.each<[title: string, env: Record<string, string>, want: object]>([
    ["nothing", {}, {}],
    ["nothing with variables that are empty", { OTEL_TRACES_SAMPLER: " ", OTEL_ATTRIBUTE_COUNT_LIMIT: "" }, {}],
    [
      "which are sampled",
      { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" },
      { sampler: "traceidratio", ratio: 0.5 },
    ],
    [
      "a sampler that is not known, and may be a secret",
      { OTEL_TRACES_SAMPLER: "canary-1" },
      { complaints: [UNKNOWN] },
    ],
    [
      "a part that is none",
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" },
      { sampler: "parentbased_traceidratio", complaints: [NO_RATIO] },
    ],
    ["no part", { OTEL_TRACES_SAMPLER: "traceidratio" }, { sampler: "traceidratio", complaints: [NO_RATIO] }],
    ["a part that nobody asks for", { OTEL_TRACES_SAMPLER_ARG: "2" }, {}],
    [
      "limits of all that have attributes",
      { OTEL_ATTRIBUTE_COUNT_LIMIT: "3", OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: "9" },
      { limits: { attributes: 3, valueLength: 9 } },
    ],
    [
      "limits of their own",
      { OTEL_ATTRIBUTE_COUNT_LIMIT: "3", OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "4" },
      { limits: { attributes: 4, valueLength: Number.POSITIVE_INFINITY } },
    ],
    [
      "a limit that is no number",
      { OTEL_ATTRIBUTE_COUNT_LIMIT: "3", OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "few" },
      { limits: { attributes: 3, valueLength: Number.POSITIVE_INFINITY } },
    ],
    ["how many may wait", { OTEL_BSP_MAX_QUEUE_SIZE: "10" }, { mostWaiting: 10 }],
    ["limits that nothing comes near", { OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "128" }, {}],
  ])("%s", (_, env, want) => {
    expect(readSpanSettings(env)).toStrictEqual({
      sampler: "parentbased_always_on",
      ratio: 1,
      mostWaiting: 2_048,
      complaints: [],
      ...want,
    });
  });
});
