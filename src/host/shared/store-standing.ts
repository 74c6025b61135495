import { within } from "./in-good-time.ts";

/** The store that replicas share does not answer, or not in time. */
export class StoreGone extends Error {
  readonly code = "STORE_GONE";
}

/** What the operator should know of the store. */
export type StoreFact =
  /** `why` is a code or a word; it holds no address and no secret. */
  { readonly kind: "shared_lost"; readonly why: string } | { readonly kind: "shared_back" };

/** Whether the store may be asked, by what became of whatever it was asked last. */
export interface Standing {
  isUp(): boolean;
  /** It answered in good time. */
  found(): void;
  /** It did not. Gives what whoever asked is told. */
  lost(error: unknown): StoreGone;
  /** Its connection has an error, which is why whatever fails next fails. */
  broke(error: unknown): void;
  /** It is connected to. */
  connected(): void;
  /** Resolves when it is up, or after so long. */
  upWithin(ms: number): Promise<void>;
}

/** At first nothing is known, and it is not up. `isConnected` says whether its connection is ready. */
export function openStanding(isConnected: () => boolean, tell: (fact: StoreFact) => void): Standing {
  let state: "new" | "up" | "down" = "new";
  let socketFault: unknown;
  const waiting = new Set<() => void>();
  const lost = (error: unknown): StoreGone => {
    const why = isConnected() ? error : (socketFault ?? error);
    // It is still being connected to for the first time.
    const isEarly = state === "new" && !isConnected() && socketFault === undefined;
    if (state !== "down" && !isEarly) {
      state = "down";
      tell({ kind: "shared_lost", why: nameFault(why) });
    }
    return new StoreGone("The shared store does not answer.", { cause: error });
  };
  return {
    isUp: () => state === "up",
    lost,
    found() {
      if (state === "down") tell({ kind: "shared_back" });
      state = "up";
      for (const go of waiting) go();
    },
    broke(error) {
      socketFault = error;
      lost(error);
    },
    connected() {
      socketFault = undefined;
    },
    async upWithin(ms) {
      if (state === "up") return;
      let go = (): void => {};
      const found = new Promise<void>((resolve) => {
        go = resolve;
        waiting.add(go);
      });
      await within(ms, found)
        .catch(() => undefined)
        .finally(() => waiting.delete(go));
    },
  };
}

/** The system's code, or the word by which Redis begins an error. Its text may hold what was sent. */
function nameFault(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return /^[A-Z]{2,}(?= )/.exec(error.message)?.[0] ?? error.name;
}
