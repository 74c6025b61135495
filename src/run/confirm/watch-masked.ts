import { ToolError } from "../../model/errors.ts";
import type { UpstreamRequest } from "../../model/exchange.ts";

/** Of one call: whether what it read held a secret of ours, which then stands as a mask in what is made of it. */
export interface Masked {
  note(): void;
  /** Throws ToolError for a request that would write the mask where the secret was. */
  check(request: UpstreamRequest): void;
}

export function watchMasked(): Masked {
  let isSeen = false;
  return {
    note() {
      isSeen = true;
    },
    check(request) {
      if (isSeen && holdsMask(request)) throw refuseMask();
    },
  };
}

function holdsMask({ url, headers, body = "" }: UpstreamRequest): boolean {
  const texts = [
    url,
    ...headers.map(([, value]) => value),
    typeof body === "string" ? body : Buffer.from(body).toString("latin1"),
  ];
  return texts.some((text) => /(?:\*|%2A){3}/i.test(text));
}

function refuseMask(): ToolError {
  return new ToolError("upstream_bad_response", {
    message:
      "The upstream's data holds a secret of this server, which is hidden as `***`: that is not written in its place.",
    recover: "Arguments do not change this: tell the user, who may do it by hand.",
    retryable: false,
  });
}
