import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The real servers that tests talk to, and the browser that looks at the page: the program to look for, and the Debian packages that bring it. */
const SERVERS = [
  { program: "pdns_server", packages: ["pdns-server", "pdns-backend-sqlite3", "sqlite3"] },
  { program: "sqlite3", packages: ["sqlite3"] },
  { program: "initdb", packages: ["postgresql"] },
  { program: "redis-server", packages: ["redis-server"] },
  { program: "haproxy", packages: ["haproxy"] },
  { program: "nginx", packages: ["nginx"] },
  { program: "chromium", packages: ["chromium"] },
] as const;

/** vitest globalSetup: installs what is missing where it may. With `CI` set a server that stays missing fails the run; else its tests are skipped. */
export default function installServers(): void {
  const missing = SERVERS.filter(({ program }) => findProgram(program) === undefined);
  if (missing.length === 0) return;
  const packages = [...new Set(missing.flatMap((server) => server.packages))];
  if (process.getuid?.() === 0 && findProgram("apt-get") !== undefined) installPackages(packages);
  const still = SERVERS.filter(({ program }) => findProgram(program) === undefined).map(({ program }) => program);
  if (still.length === 0) return;
  const advice = `Missing servers: ${still.join(", ")}. Install them with: apt-get install ${packages.join(" ")}`;
  if (process.env["CI"]) throw new Error(advice);
  process.stderr.write(`\n*** ${advice}\n*** Their tests are SKIPPED.\n\n`);
}

/** The path of a program, looked for in PATH and in the system folders that a user's PATH may lack. */
export function findProgram(name: string): string | undefined {
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    "/usr/sbin",
    "/usr/local/sbin",
    ...postgresFolders(),
  ];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Debian keeps the programs of a PostgreSQL server out of every PATH, in a folder for each version. */
function postgresFolders(): readonly string[] {
  const home = "/usr/lib/postgresql";
  return existsSync(home) ? readdirSync(home).map((version) => join(home, version, "bin")) : [];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function installPackages(packages: readonly string[]): void {
  process.stderr.write(`Installing ${packages.join(", ")} for the tests\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  // policy-rc.d answers 101: Debian must not start the servers that it installs, the tests start their own.
  const script = `
    [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d; added=1; }
    apt-get update -qq; apt-get install -y -qq --no-install-recommends ${packages.join(" ")}; code=$?
    [ -z "\${added:-}" ] || rm -f /usr/sbin/policy-rc.d; exit $code`;
  const done = spawnSync("sh", ["-c", script], { env, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" });
  if (done.status !== 0) process.stderr.write(done.stderr.slice(-2000));
}
