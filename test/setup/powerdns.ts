import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startServer } from "./processes.ts";
import { findProgram } from "./servers.ts";

const SCHEMA = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";

export const havePowerDns = findProgram("pdns_server") !== undefined && findProgram("sqlite3") !== undefined;

export interface PowerDns {
  /** Base of the API, `http://127.0.0.1:PORT/api/v1`. */
  readonly url: string;
  readonly key: string;
  /** The server's own document of its API, as it serves it. */
  readonly documentUrl: string;
  /** Talks to the server past vitrine. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>;
  stop(): Promise<void>;
}

/** A real PowerDNS Authoritative server with an empty SQLite database of its own, on free ports of loopback. */
export async function startPowerDns(): Promise<PowerDns> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-pdns-"));
  spawnSync(findProgram("sqlite3")!, [join(folder, "pdns.db")], { input: readFileSync(SCHEMA) });
  const key = "canary-pdns-key";
  const [dns, web] = [await freePort(), await freePort()];
  const flags = {
    daemon: "no",
    guardian: "no",
    launch: "gsqlite3",
    "gsqlite3-database": join(folder, "pdns.db"),
    "local-address": "127.0.0.1",
    "local-port": dns,
    webserver: "yes",
    "webserver-address": "127.0.0.1",
    "webserver-port": web,
    api: "yes",
    "api-key": key,
    "socket-dir": folder,
  };
  const args = ["--no-config", ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)];
  const server = await startServer(findProgram("pdns_server")!, args, { url: `http://127.0.0.1:${web}/`, cwd: folder });
  const url = `http://127.0.0.1:${web}/api/v1`;
  return {
    url,
    key,
    documentUrl: `http://127.0.0.1:${web}/api/docs`,
    ask: async (method, path, body) => {
      const init = { method, headers: { "x-api-key": key, "content-type": "application/json" } };
      const answer = await fetch(`${url}${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
