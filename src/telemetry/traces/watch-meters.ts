import type { Attributes, Meter } from "@opentelemetry/api";
import type { CallWatcher } from "../../model/call-watch.ts";
import { openCodes } from "../metrics/bound-code.ts";
import { CALL_SECONDS, REQUEST_SECONDS } from "../metrics/bounds.ts";
import { describeCall, errorAttributes } from "./call-attributes.ts";
import type { Histograms } from "./open-histograms.ts";
import { describeRequest, outcomeAttributes } from "./request-attributes.ts";

/** Measures each call and each request to the upstream: the two durations of the conventions, and counts of our own. */
export function watchMeters(meter: Meter, histograms: Histograms): CallWatcher {
  const codeOf = openCodes();
  const duration = histograms.open("mcp.server.operation.duration", "How long a call took.", CALL_SECONDS);
  const request = histograms.open("http.client.request.duration", "How long the API took to answer.", REQUEST_SECONDS);
  const calls = openCount(meter, "vitrine.calls", "Calls of tools.", "{call}");
  const errors = openCount(meter, "vitrine.errors", "Calls that failed, by code.", "{call}", "vitrine.error");
  const bytes = openCount(
    meter,
    "vitrine.bytes",
    "Bytes of arguments (in), of replies (out), of what the API sent (upstream).",
    "By",
    "vitrine.of",
  );
  return {
    begin(begun) {
      const of = [begun.server, begun.known && begun.tool !== null ? begun.tool : "other"] as const;
      return {
        observe(event) {
          if (event.type === "request") return;
          const { key, attributes } = describeRequest(event.request);
          const outcome = outcomeAttributes(event);
          const how = outcome["error.type"] ?? outcome["http.response.status_code"];
          request(event.ms / 1000, `${key} ${how}`, () => ({ ...attributes, ...outcome }));
        },
        end(record) {
          const { "vitrine.error": code, ...failed } = errorAttributes(record);
          const { key, attributes } = describeCall(begun);
          duration(record.ms / 1000, `${key} ${failed["error.type"] ?? ""}`, () => ({ ...attributes, ...failed }));
          calls(of, 1);
          if (typeof code === "string") errors(of, 1, codeOf(code));
          bytes(of, record.bytesIn, "in");
          bytes(of, record.bytesOut, "out");
          bytes(of, record.upstream.bytes, "upstream");
        },
      };
    },
  };
}

type Count = (of: readonly [server: string, tool: string], by: number, more?: string) => void;

/** Counts up in memory and tells when it is asked: an instrument that hears of each call would sort and hash the labels each time. */
function openCount(meter: Meter, name: string, description: string, unit: string, further?: string): Count {
  const samples = new Map<string, { readonly attributes: Attributes; value: number }>();
  meter.createObservableCounter(name, { description, unit }).addCallback((result) => {
    for (const { attributes, value } of samples.values()) result.observe(value, attributes);
  });
  return ([server, tool], by, more = "") => {
    const key = `${server} ${tool} ${more}`;
    const known = samples.get(key);
    if (known !== undefined) {
      known.value += by;
      return;
    }
    const attributes = {
      "vitrine.server": server,
      "gen_ai.tool.name": tool,
      ...(further !== undefined && { [further]: more }),
    };
    samples.set(key, { attributes, value: by });
  };
}
