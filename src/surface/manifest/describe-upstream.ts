import type { Upstream } from "../../model/tool.ts";
import type { ManifestUpstream } from "../manifest-format.ts";
import { makePart } from "./make-part.ts";
import { valueJson } from "./value-text.ts";

/** How the upstream is asked, but for what may be secret: credentials, headers and certificates. */
export function describeUpstream({
  baseUrl,
  errors,
  redirects,
  timeoutMs,
  retries,
  maxResponseBytes,
}: Upstream): ManifestUpstream {
  const { message, code } = errors;
  return {
    timeoutMs,
    retries,
    maxResponseBytes,
    ...(baseUrl !== undefined && { address: makePart(valueJson(baseUrl)) }),
    answers: makePart([message?.jmespath ?? null, code?.jmespath ?? null, redirects.toSorted()]),
  };
}
