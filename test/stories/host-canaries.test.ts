import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCanaries, makeCallers } from "../host/tenancy/canaries.ts";
import { type CanaryReplicas, openCanaryReplicas } from "../host/tenancy/canary-replicas.ts";
import { type CanaryUpstream, startCanaryUpstream } from "../host/tenancy/canary-upstream.ts";
import { mixCalls } from "../host/tenancy/mix-calls.ts";
import { haveRedis, type RedisServer, startRedis } from "../setup/redis.ts";

const CALLS = Number(process.env["VITRINE_CANARY_CALLS"] ?? 2_000);
/** Two callers each, whose claims are the same. */
const TENANTS = 8;
const CALLERS = makeCallers(TENANTS * 2);

let folder: string;
let upstream: CanaryUpstream;
let redis: RedisServer;
let host: CanaryReplicas;
beforeAll(async () => {
  if (!haveRedis) return;
  folder = mkdtempSync(join(tmpdir(), "vitrine-canaries-"));
  [upstream, redis] = await Promise.all([startCanaryUpstream(), startRedis()]);
  host = await openCanaryReplicas(folder, upstream.url, CALLERS, redis.url);
}, 60_000);
afterAll(async () => {
  host?.kill();
  upstream?.close();
  await redis?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true });
});

describe.skipIf(!haveRedis)("three replicas that serve eight tenants", () => {
  test(
    `over ${CALLS} mixed calls nothing of one comes to another, into a log, an event or a count`,
    async ({ annotate }) => {
      const { crossings, notes } = upstream;
      const start = performance.now();
      const agreed = await mixCalls(host, CALLERS, { calls: CALLS, stepsARun: Math.max(250, CALLS / 100), crossings });
      const seconds = (performance.now() - start) / 1000;
      expect(host.answered()).toBeGreaterThanOrEqual(CALLS);
      expect(Object.fromEntries(notes)).toEqual(Object.fromEntries(agreed));
      const told = await host.end();
      await annotate(
        `${host.answered()} answers, ${upstream.requests()} requests of the upstream, ${Math.round(seconds)} s, ${told.length} characters told to the operator`,
      );
      expect(findCanaries(told)).toEqual([]);
      for (const secret of ["of-the-server", "a secret of", ...host.signatures]) expect(told).not.toContain(secret);
      expect(told).toContain('"event":"reloaded"');
      expect(told).toContain("vitrine_calls_total{");
      expect(new Set(told.match(/"key_id":"[^"]*"/g)).size).toBe(CALLERS.length);
    },
    120_000 + CALLS * 40,
  );
});
