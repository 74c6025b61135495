import { createRequire } from "node:module";
import { freePort, type RunningServer, startServer } from "./processes.ts";

/**
 * Prism's proxy before a real server: an independent checker of the requests that pass. What it finds wrong stands in the answer's
 * `sl-violations` header; those whose location begins with `request` are faults of the sender.
 */
export async function startPrism(document: string, upstream: string): Promise<RunningServer> {
  const port = await freePort();
  const cli = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  const args = [cli, "proxy", document, upstream, "-p", String(port), "-h", "127.0.0.1"];
  return await startServer(process.execPath, args, { url: `http://127.0.0.1:${port}/`, withinMs: 120_000 });
}
