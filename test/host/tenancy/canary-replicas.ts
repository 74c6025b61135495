import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { type Replica, startReplica } from "../../stories/replicas/start-replica.ts";
import { openIssuer } from "../callers/open-issuer.ts";
import { type CanaryCaller, canary } from "./canaries.ts";
import { keyOf, writeCanaryFiles } from "./canary-files.ts";
import type { CanaryHost } from "./mix-calls.ts";
import { openCallers } from "./send-as.ts";

export interface CanaryReplicas extends CanaryHost {
  /** The secret parts of the access tokens that callers show. */
  readonly signatures: readonly string[];
  kill(): void;
}

const COUNT = 3;

/** Three processes of the built program over one Redis, each asked in turn; who calls on behalf of somebody shows an access token of an issuer. */
export async function openCanaryReplicas(
  folder: string,
  upstream: string,
  callers: readonly CanaryCaller[],
  shared: string,
): Promise<CanaryReplicas> {
  const issuer = await openIssuer();
  const oauth = `oauth: { issuer: "${issuer.issuer}", claims: { tenant: tenant, client: client }, writeScope: write }`;
  const { file, env } = writeCanaryFiles(
    folder,
    upstream,
    callers,
    `shared: ${shared}\nevents: events.jsonl\n${oauth}\n`,
  );
  const environment = { ...env, VITRINE_SECRET: "a secret of all replicas" };
  const tokens = new Map<number, string>();
  for (const caller of callers.filter(({ server }) => server === "behalf"))
    tokens.set(caller.n, await issuer.sign(claimsOf(caller)));
  const replicas: Replica[] = await Promise.all(Array.from({ length: COUNT }, () => startReplica(file, environment)));
  const ask = (path: string) =>
    Promise.all(replicas.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()));
  const isReady = async () => {
    for (const text of await ask("/readyz")) expect(text).toContain('"ready"');
  };
  await vi.waitFor(isReady, { timeout: 20_000 });
  let turn = 0;
  let reloads = 0;
  const log = (): string => replicas.flatMap(({ running }) => running.err).join("\n");

  return {
    ...openCallers(
      (server) => {
        turn += 1;
        return `http://127.0.0.1:${replicas[turn % COUNT]!.port}/mcp/${server}`;
      },
      (caller) => tokens.get(caller.n) ?? keyOf(caller),
    ),
    signatures: [...tokens.values()].map((token) => token.split(".")[2]!),
    kill: () => {
      for (const { running } of replicas) running.child.kill("SIGKILL");
    },
    async reload() {
      reloads += 1;
      // Each time another one is opened anew.
      appendFileSync(join(folder, `${["own", "shared", "behalf"][reloads % 3]}.yaml`), `# ${reloads}\n`);
      replicas[reloads % COUNT]!.running.child.kill("SIGHUP");
    },
    async end() {
      const metrics = await ask("/metrics");
      for (const { running } of replicas) running.child.kill("SIGTERM");
      await Promise.all(replicas.map(({ running }) => running.ended()));
      await issuer.close();
      const events = ["", ".1", ".2", ".3", ".4", ".5"].map((end) => join(folder, `events.jsonl${end}`));
      return [log(), ...metrics, ...events.filter(existsSync).map((one) => readFileSync(one, "utf8"))].join("\n");
    },
  };
}

function claimsOf(caller: CanaryCaller) {
  const now = Math.floor(Date.now() / 1000);
  return {
    sub: canary("subj", caller),
    aud: "http://127.0.0.1/mcp/behalf",
    iat: now,
    exp: now + 86_400,
    scope: "write",
    tenant: canary("tenant", caller),
    client: canary("client", caller),
  };
}
