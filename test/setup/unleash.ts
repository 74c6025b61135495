import { existsSync } from "node:fs";
import { join } from "node:path";
import { installOnce } from "./install-once.ts";
import { havePostgres, type Postgres, startPostgres } from "./postgres.ts";
import { freePort, startServer } from "./processes.ts";

const FOLDER = join(import.meta.dirname, "..", "unleash");
const PROGRAM = join(FOLDER, "node_modules", "unleash-server", "dist", "server.js");

/** vitest globalSetup. */
export default function installUnleash(): void {
  installOnce(FOLDER, "Unleash", PROGRAM, ["--ignore-scripts"]);
}

export const haveUnleash = (): boolean => havePostgres && existsSync(PROGRAM);

export interface Unleash {
  /** The server's origin, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** An admin's API token, as it stands in `Authorization`. */
  readonly token: string;
  /** Asks the database behind the server, past both the server and vitrine. */
  readonly sql: Postgres["sql"];
  /** Talks to the server past vitrine; throws unless it answers with 2xx. */
  ask(method: string, path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** A real Unleash on a real PostgreSQL, with nothing in it but what its migrations make. */
export async function startUnleash(): Promise<Unleash> {
  const database = await startPostgres(FOLDER);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const token = "*:*.canary-unleash-token";
  const server = await startServer(process.execPath, [PROGRAM], {
    url: `${url}/health`,
    cwd: FOLDER,
    env: { PATH: process.env["PATH"], ...settings(database, port), INIT_ADMIN_API_TOKENS: token },
  }).catch(async (error) => {
    await database.stop();
    throw error;
  });
  return {
    url,
    token,
    sql: database.sql,
    ask: (method, path, body) => ask(url + path, token, method, body),
    stop: async () => {
      await server.stop();
      await database.stop();
    },
  };
}

/** Unleash reads its settings from the environment; it must not call home. */
function settings({ port, user, database }: Postgres, http: number): Record<string, string> {
  return {
    DATABASE_HOST: "127.0.0.1",
    DATABASE_PORT: String(port),
    DATABASE_USERNAME: user,
    DATABASE_PASSWORD: "",
    DATABASE_NAME: database,
    DATABASE_SSL: "false",
    HTTP_HOST: "127.0.0.1",
    HTTP_PORT: String(http),
    ENABLE_OAS: "true",
    CHECK_VERSION: "false",
    SEND_TELEMETRY: "false",
    NODE_ENV: "production",
    TZ: "UTC",
  };
}

async function ask(address: string, token: string, method: string, body: unknown): Promise<unknown> {
  const headers = { authorization: token, "content-type": "application/json" };
  const answer = await fetch(
    address,
    body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) },
  );
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status}: ${text.slice(0, 500)}`);
  return text === "" ? undefined : JSON.parse(text);
}
