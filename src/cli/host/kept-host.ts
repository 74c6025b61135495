import type { HostFile } from "../../host/hosting.ts";
import type { SpecFile } from "../../model/api.ts";
import { type PlainToolset, toPlain } from "../toolset/plain-toolset.ts";
import type { Certificates } from "../toolset/read-certificates.ts";
import type { LastGood } from "../workers/messages.ts";
import type { LoadedHost } from "./load-host.ts";

/** All that a worker of a host read from files. */
export interface KeptHost {
  /** The host file as the first worker opened its places by it. */
  readonly opened: string;
  readonly text: string;
  readonly sha256: string;
  readonly servers: readonly (readonly [name: string, server: KeptServer])[];
}

export interface KeptServer {
  readonly loaded: PlainToolset;
  readonly tls: Certificates;
  readonly certificates: readonly SpecFile[];
}

/** What the other workers serve, where they do. */
export function keptHostOf(good: LastGood | undefined): KeptHost | undefined {
  // All of them are the same program.
  return good as KeptHost | undefined;
}

export function keepHost({ text, sha256, parts }: LoadedHost, opened: string): KeptHost {
  const servers = [...parts].map(([name, { loaded, tls, certificates }]) => {
    return [name, { loaded: toPlain(loaded), tls, certificates }] as const;
  });
  return { opened, text, sha256, servers };
}

/** The host file with the places of the one by which they were opened. */
export function withPlaces(
  { shared: _, events: __, ...last }: HostFile,
  { listen, publicUrl, shared, events }: HostFile,
): HostFile {
  return {
    ...last,
    listen,
    publicUrl,
    ...(shared !== undefined && { shared }),
    ...(events !== undefined && { events }),
  };
}
