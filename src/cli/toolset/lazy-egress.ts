import type { Egress, EgressPolicy } from "../../egress/open-egress.ts";

export interface LazyEgress extends Egress {
  /** Loads it without a request. */
  load(): Promise<void>;
}

/** An egress that is loaded and opened when the first request needs it: a server that only lists its tools never pays for the HTTP client. */
export function openLazyEgress(policy: EgressPolicy): LazyEgress {
  let opening: Promise<Egress> | undefined;
  const opened = (): Promise<Egress> => {
    opening ??= import("../../egress/open-egress.ts").then(({ openEgress }) => openEgress(policy));
    return opening;
  };
  return {
    load: async () => void (await opened()),
    request: async (request) => (await opened()).request(request),
    close: async () => (await opening)?.close(),
  };
}
