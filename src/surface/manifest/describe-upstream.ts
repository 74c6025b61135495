import { compareTexts } from "../../model/compare-texts.ts";
import type { Toolset, Upstream } from "../../model/tool.ts";
import type { ManifestUpstream } from "../manifest-format.ts";
import { describeAddress } from "./describe-addresses.ts";
import { makePart } from "./make-part.ts";
import { valueText } from "./value-text.ts";

/**
 * How the upstream is asked, but for credentials. Headers are told by a digest of what the curation says, in which a variable stands by its name; of
 * certificates their files.
 */
export function describeUpstream(toolset: Toolset): ManifestUpstream {
  const { errors, redirects, timeoutMs, retries, maxResponseBytes, concurrency, headers, tls } = toolset.upstream;
  const { message, code } = errors;
  const address = describeAddress(toolset);
  return {
    timeoutMs,
    retries,
    maxResponseBytes,
    concurrency,
    ...(address !== undefined && { address }),
    ...(headers.length > 0 && { headers: makePart(headerLines(headers)) }),
    ...(tls !== undefined && { tls: makePart(tls) }),
    answers: makePart([message?.jmespath ?? null, code?.jmespath ?? null, redirects.toSorted()]),
  };
}

/** Their names count without letter case (RFC 9110 5.1), and their order not at all. */
function headerLines(headers: Upstream["headers"]): readonly string[] {
  return headers.map(({ name, value }) => `${name.toLowerCase()}: ${valueText(value)}`).toSorted(compareTexts);
}
