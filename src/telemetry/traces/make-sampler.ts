import type { Sampler } from "@opentelemetry/sdk-trace-base";
import type { SpanSettings } from "./span-settings.ts";

type SdkTrace = Pick<
  typeof import("@opentelemetry/sdk-trace-base"),
  "AlwaysOffSampler" | "AlwaysOnSampler" | "ParentBasedSampler" | "TraceIdRatioBasedSampler"
>;

/** The SDK's own sampler of that name. */
export function makeSampler(sdk: SdkTrace, { sampler, ratio }: Pick<SpanSettings, "sampler" | "ratio">): Sampler {
  switch (sampler) {
    case "always_on":
      return new sdk.AlwaysOnSampler();
    case "always_off":
      return new sdk.AlwaysOffSampler();
    case "traceidratio":
      return new sdk.TraceIdRatioBasedSampler(ratio);
    case "parentbased_always_on":
      return new sdk.ParentBasedSampler({ root: makeSampler(sdk, { sampler: "always_on", ratio }) });
    case "parentbased_always_off":
      return new sdk.ParentBasedSampler({ root: makeSampler(sdk, { sampler: "always_off", ratio }) });
    case "parentbased_traceidratio":
      return new sdk.ParentBasedSampler({ root: makeSampler(sdk, { sampler: "traceidratio", ratio }) });
  }
}
