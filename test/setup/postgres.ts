import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./processes.ts";
import { findProgram } from "./servers.ts";

/** What the tests use of npm's `pg`, which comes with the server that they start on it. */
interface Pool {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  on(event: "error", listener: (error: Error) => void): void;
  end(): Promise<void>;
}

export interface Postgres {
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Runs one statement over `$1`, `$2`…; rows by column, bigints as text. */
  sql(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export const havePostgres = findProgram("initdb") !== undefined && findProgram("pg_ctl") !== undefined;

/** A real PostgreSQL with an empty database in UTC, in a folder of its own and on a free port of loopback. `packages` holds npm's `pg`. */
export async function startPostgres(packages: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-postgres-"));
  const owner = findOwner();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const run = (program: string, args: readonly string[]) =>
    execFileSync(findProgram(program)!, args, { ...owner, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const [data, user, database, port] = [join(folder, "data"), "vitrine", "postgres", await freePort()];
  run("initdb", ["-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]);
  // Nothing outlives a test, so nothing need be safe on disk: the server is ready ten times as soon.
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", port, timezone: "UTC", fsync: "off" };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  run("pg_ctl", ["start", "-w", "-D", data, "-l", join(folder, "log"), "-o", options.join(" ")]);
  const { Pool } = createRequire(join(packages, "package.json"))("pg") as { Pool: new (options: object) => Pool };
  const pool = new Pool({ host: "127.0.0.1", port, user, database, max: 2 });
  // A connection that is idle when the server ends is no fault of the test.
  pool.on("error", () => undefined);
  return {
    port,
    user,
    database,
    sql: async (query, values = []) => (await pool.query(query, values)).rows,
    stop: async () => {
      await pool.end();
      run("pg_ctl", ["stop", "-w", "-m", "immediate", "-D", data]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: then it is the user that Debian made for it. */
function findOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}
