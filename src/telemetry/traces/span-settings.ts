type Env = Readonly<Record<string, string | undefined>>;

/** What the environment says of spans (OpenTelemetry, Environment Variable Specification), beside where they go. */
export interface SpanSettings {
  readonly sampler: SamplerName;
  /** For those that sample by the trace ID: between 0 and 1. */
  readonly ratio: number;
  /** Absent: no attribute of ours comes near them. */
  readonly limits?: SpanLimits;
  /** So many wait for the collector at most. */
  readonly mostWaiting: number;
  /** What cannot be done, in lines for the operator. */
  readonly complaints: readonly string[];
}

export interface SpanLimits {
  readonly attributes: number;
  /** Of a text, in UTF-16 code units; what is not positive limits nothing, as in the SDK. */
  readonly valueLength: number;
}

export type SamplerName = `${"" | "parentbased_"}${"always_on" | "always_off" | "traceidratio"}`;

const SAMPLERS: ReadonlySet<string> = new Set<SamplerName>([
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
]);
/** A span of ours has half as many. */
const MANY_ATTRIBUTES = 32;
const MOST_WAITING = 2_048;

/** Read as the SDK reads them, which exports nothing that does: empty is unset, a limit for spans goes before the general one, what is no number is none. */
export function readSpanSettings(env: Env): SpanSettings {
  const complaints: string[] = [];
  const numberOf = (...names: readonly string[]): number | undefined =>
    names.map((name) => readNumber(env[name])).find((value) => value !== undefined);
  const asked = env["OTEL_TRACES_SAMPLER"]?.trim() || "parentbased_always_on";
  const isKnown = isSampler(asked);
  if (!isKnown)
    complaints.push(`OTEL_TRACES_SAMPLER is none of ${[...SAMPLERS].join(", ")}: parentbased_always_on is taken.`);
  const ratio = numberOf("OTEL_TRACES_SAMPLER_ARG");
  const isRatio = ratio !== undefined && ratio >= 0 && ratio <= 1;
  if (asked.endsWith("traceidratio") && !isRatio)
    complaints.push("OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1, so all traces are sent.");
  const attributes = numberOf("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "OTEL_ATTRIBUTE_COUNT_LIMIT") ?? MANY_ATTRIBUTES;
  const valueLength =
    numberOf("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT") ?? Number.POSITIVE_INFINITY;
  return {
    sampler: isKnown ? asked : "parentbased_always_on",
    ratio: isRatio ? ratio : 1,
    ...((attributes < MANY_ATTRIBUTES || valueLength < Number.POSITIVE_INFINITY) && {
      limits: { attributes, valueLength },
    }),
    mostWaiting: numberOf("OTEL_BSP_MAX_QUEUE_SIZE") ?? MOST_WAITING,
    complaints,
  };
}

function isSampler(text: string): text is SamplerName {
  return SAMPLERS.has(text);
}

function readNumber(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text.trim() === "" || Number.isNaN(value) ? undefined : value;
}
