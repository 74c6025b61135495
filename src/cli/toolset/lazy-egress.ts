import type { Egress, EgressPolicy } from "../../egress/open-egress.ts";

/** An egress that is loaded and opened when the first request needs it: a server that only lists its tools never pays for the HTTP client. */
export function openLazyEgress(policy: EgressPolicy): Egress {
  let opening: Promise<Egress> | undefined;
  const opened = (): Promise<Egress> => {
    opening ??= import("../../egress/open-egress.ts").then(({ openEgress }) => openEgress(policy));
    return opening;
  };
  return {
    request: async (request) => (await opened()).request(request),
    close: async () => (await opening)?.close(),
  };
}
