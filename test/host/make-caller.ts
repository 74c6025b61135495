import type { ServerEntry, VerifiedCaller } from "../../src/host/hosting.ts";

export function makeCaller(given: Partial<VerifiedCaller> = {}): VerifiedCaller {
  return { kind: "key", id: "ci", server: "ledger", claims: {}, writes: false, tags: {}, credentials: [], ...given };
}

export function makeServer(given: Partial<ServerEntry> = {}): ServerEntry {
  return { name: "ledger", curation: "ledger.yaml", env: [], allowPrivate: [], tags: {}, explore: false, ...given };
}
