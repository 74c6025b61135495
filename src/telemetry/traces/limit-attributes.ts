import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { SpanLimits } from "./span-settings.ts";

export interface LimitedAttributes {
  readonly kept: Attributes;
  readonly dropped: number;
}

/** The first of them, with texts cut off (OpenTelemetry, Common, Attribute Limits). */
export function limitAttributes(attributes: Attributes, limits: SpanLimits): LimitedAttributes {
  const all = Object.entries(attributes);
  const kept = all.slice(0, Math.max(0, limits.attributes));
  return {
    kept: Object.fromEntries(kept.map(([name, value]) => [name, cutOff(value, limits.valueLength)])),
    dropped: all.length - kept.length,
  };
}

function cutOff(value: AttributeValue | undefined, length: number): AttributeValue | undefined {
  return typeof value === "string" && length > 0 && value.length > length ? value.slice(0, length) : value;
}
