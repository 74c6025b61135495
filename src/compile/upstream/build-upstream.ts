import type { ApiSection } from "../../curation/format.ts";
import type { Api, Operation } from "../../model/api.ts";
import type { Upstream } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import type { Report } from "../open-report.ts";
import { buildCredentials } from "./build-credentials.ts";
import { checkSecurity } from "./check-security.ts";
import { checkServers } from "./fill-server.ts";
import { readSetting } from "./read-setting.ts";

/** Where the curation says nothing. */
const DEFAULTS = { timeoutMs: 20_000, retries: 2, maxResponseBytes: 20_000_000, concurrency: 16 } as const;

/** What the curation says under `api`, checked against the operations that are sent. Nothing is read from the environment. */
export function buildUpstream(entry: ApiSection, api: Api, operations: readonly Operation[], report: Report): Upstream {
  const baseUrl = entry.baseUrl === undefined ? undefined : readBaseUrl(entry.baseUrl, report);
  if (baseUrl === undefined) checkServers(entry, api, operations, report);
  const credentials = buildCredentials(entry, api, report);
  // A credential under a misspelt scheme is one mistake, not a missing one as well.
  if (!report.problems.some(({ code }) => code === "unknown_scheme"))
    checkSecurity({ entry, api, credentials }, operations, report);
  const { message, code } = entry.errors ?? {};
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    headers: Object.entries(entry.headers ?? {}).map(([name, value]) => ({ name, value: readSetting(value) })),
    credentials,
    ...(entry.tls !== undefined && { tls: entry.tls }),
    timeoutMs: entry.timeout ?? DEFAULTS.timeoutMs,
    retries: entry.retries ?? DEFAULTS.retries,
    maxResponseBytes: entry.maxResponse ?? DEFAULTS.maxResponseBytes,
    concurrency: entry.concurrency ?? DEFAULTS.concurrency,
    redirects: entry.redirects ?? [],
    errors: {
      ...(message !== undefined && { message: { jmespath: message } }),
      ...(code !== undefined && { code: { jmespath: code } }),
    },
  };
}

function readBaseUrl(text: string, report: Report): Value {
  const value = readSetting(text);
  if (value.kind !== "literal") return value;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isFine =
    url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "" && url.username === "";
  if (!isFine) {
    const message = `\`${text.slice(0, 80)}\` is not the base of an API.`;
    report.add(
      "error",
      "bad_base_url",
      ["api", "baseUrl"],
      message,
      "Write an http or https URL without query, fragment and user.",
    );
  }
  return value;
}
