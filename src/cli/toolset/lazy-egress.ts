import type { Egress, EgressPolicy } from "../../egress/open-egress.ts";
import { once } from "../../model/once.ts";

export interface LazyEgress extends Egress {
  /** Loads it without a request. */
  load(): Promise<void>;
}

/** Once for all: each `import` looks for the file again, which an update may have taken away before a reload. */
const loadEgress = once(() => import("../../egress/open-egress.ts"));

/** An egress that is loaded and opened when the first request needs it: a server that only lists its tools never pays for the HTTP client. */
export function openLazyEgress(policy: EgressPolicy): LazyEgress {
  let opening: Promise<Egress> | undefined;
  const opened = (): Promise<Egress> => {
    opening ??= loadEgress().then(({ openEgress }) => openEgress(policy));
    return opening;
  };
  return {
    load: async () => void (await opened()),
    request: async (request) => (await opened()).request(request),
    close: async () => (await opening)?.close(),
  };
}
