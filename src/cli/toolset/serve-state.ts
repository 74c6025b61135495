import type { CallerKey } from "../read-key.ts";
import type { LastGood, Serves } from "../workers/messages.ts";
import { type PlainToolset, toPlain } from "./plain-toolset.ts";
import type { Certificates } from "./read-certificates.ts";
import type { LoadedToolset } from "./toolset-request.ts";

/** All that a worker of `serve` read from files. */
export interface ServeState {
  readonly loaded: PlainToolset;
  readonly tls: Certificates;
  readonly caller: CallerKey;
}

/** What the other workers serve, where they do. */
export function stateOf(good: LastGood | undefined): ServeState | undefined {
  // All of them are the same program.
  return good as ServeState | undefined;
}

export function servesState(
  loaded: LoadedToolset,
  tls: Certificates,
  caller: CallerKey,
  isForAll: boolean,
): Serves & { readonly good: ServeState } {
  return { good: { loaded: toPlain(loaded), tls, caller }, isForAll };
}
