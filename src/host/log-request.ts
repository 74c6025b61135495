import type { ServerResponse } from "node:http";
import type { AppOptions } from "./create-app.ts";
import type { HeldServers } from "./hold-servers.ts";

/** What the log is told of a request, as far as it came. */
export interface Told {
  key_id?: string;
  method?: string;
}

/** Serves one request to a server, and tells the log how that ended. */
export async function logRequest(
  name: string,
  response: ServerResponse,
  { held, log }: Pick<AppOptions, "log"> & { readonly held: HeldServers },
  serve: (told: Told) => Promise<void>,
): Promise<void> {
  const start = performance.now();
  const told: Told = {};
  try {
    await serve(told);
  } finally {
    const ms = Math.round((performance.now() - start) * 10) / 10;
    // A name that is nobody's is a stranger's text.
    const server = held.served().servers.has(name) ? name : null;
    log.tell("info", "request", { server, ...told, status: response.statusCode, ms });
  }
}
