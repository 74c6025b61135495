import type { Attributes, Meter } from "@opentelemetry/api";
import type { CallWatcher } from "../../model/call-watch.ts";
import { openCodes } from "../metrics/bound-code.ts";
import { CALL_SECONDS, REQUEST_SECONDS } from "../metrics/bounds.ts";
import { keep } from "../metrics/keep.ts";
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
  const ofServer = keep((server) =>
    keep((tool) => ({
      calls: calls(server, tool),
      error: keep((code) => errors(server, tool, code)),
      bytesIn: bytes(server, tool, "in"),
      bytesOut: bytes(server, tool, "out"),
      bytesUpstream: bytes(server, tool, "upstream"),
    })),
  );
  return {
    begin(begun) {
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
          const { key, shared } = describeCall(begun);
          duration(record.ms / 1000, `${key} ${failed["error.type"] ?? ""}`, () => ({
            ...shared.attributes,
            ...failed,
          }));
          const own = ofServer(begun.server)(begun.known && begun.tool !== null ? begun.tool : "other");
          own.calls.value += 1;
          if (typeof code === "string") own.error(codeOf(code)).value += 1;
          own.bytesIn.value += record.bytesIn;
          own.bytesOut.value += record.bytesOut;
          own.bytesUpstream.value += record.upstream.bytes;
        },
      };
    },
  };
}

interface Count {
  readonly attributes: Attributes;
  value: number;
}

/** Counts that add up in memory, and are told when they are asked for: an instrument that hears of each call would sort and hash the labels each time. */
function openCount(meter: Meter, name: string, description: string, unit: string, further?: string) {
  const samples: Count[] = [];
  meter.createObservableCounter(name, { description, unit }).addCallback((result) => {
    for (const { attributes, value } of samples) result.observe(value, attributes);
  });
  return (server: string, tool: string, more = ""): Count => {
    const attributes = {
      "vitrine.server": server,
      "gen_ai.tool.name": tool,
      ...(further !== undefined && { [further]: more }),
    };
    const count = { attributes, value: 0 };
    samples.push(count);
    return count;
  };
}
