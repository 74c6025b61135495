import { afterEach, describe, expect, test, vi } from "vitest";
import { openDoor } from "../../src/host/callers/open-door.ts";
import type { Served } from "../../src/host/opened-server.ts";
import { type HostState, openState } from "../../src/host/shared/open-state.ts";
import { sampleCaller, sampleToolset } from "../fixtures/mcp/sample-server.ts";
import { haveRedis } from "../setup/redis.ts";
import { fakeServer, type Hosted, hostFile, keyEntry, keyOf, openHosted, serverEntry } from "./hosted.ts";
import { useRedis } from "./shared/use-redis.ts";

const LIMIT = 40;
const KEYS = [keyEntry("ci"), keyEntry("other")];
const PLAN = { kind: "steps" as const, steps: [] };
const TOOLSET = { ...sampleToolset, tools: sampleToolset.tools.map((one) => ({ ...one, plan: PLAN })) };
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "sample_list", arguments: {} } };

interface Replica extends Hosted {
  readonly state: HostState;
}

const redis = useRedis();
const replicas: Replica[] = [];

afterEach(async () => {
  for (const { state, end } of replicas.splice(0)) {
    await end();
    await state.close();
  }
});

async function openReplica(): Promise<Replica> {
  const state = await openState({ publicUrl: "http://127.0.0.1", shared: redis.url, tell: () => undefined });
  const host = hostFile(KEYS, [serverEntry("one", { rate: { calls: LIMIT, perMs: 60_000 } })]);
  const served: Served = { host, servers: new Map([["one", fakeServer(TOOLSET, sampleCaller())]]) };
  const door = openDoor({
    file: () => host,
    lacking: (name) => served.servers.get(name)?.lacking,
    checkRevoked: state.revocations.check,
  });
  const hosted = await openHosted(served, { door, limiter: state.limiter, isReady: state.isReady });
  const replica = { ...hosted, state };
  replicas.push(replica);
  return replica;
}

async function openReplicas(): Promise<void> {
  for (let at = 0; at < 3; at += 1) await openReplica();
  await within(5_000, () => expect(replicas.map(({ state }) => state.replicas())).toStrictEqual([3, 3, 3]));
  await within(5_000, async () => expect(await Promise.all(replicas.map(readyOf))).toStrictEqual([200, 200, 200]));
}

async function readyOf({ url }: Replica): Promise<number> {
  return (await fetch(`${url}/readyz`)).status;
}

function post({ url }: Replica, key: string): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${key}`,
  };
  return fetch(`${url}/mcp/one`, { method: "POST", body: JSON.stringify(CALL), headers });
}

/** What calls in turn over the replicas were answered with: status → how many. */
async function callInTurn(calls: number, key: string): Promise<Record<number, number>> {
  const statuses = await Promise.all(
    Array.from({ length: calls }, async (_, at) => {
      const response = await post(replicas[at % replicas.length]!, key);
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return Object.fromEntries(count(statuses));
}

function count(statuses: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

function within(ms: number, check: () => unknown): Promise<unknown> {
  return vi.waitFor(check, { timeout: ms, interval: 10 });
}

describe.skipIf(!haveRedis)("three replicas behind one URL", () => {
  test("admit together what the limit says, and go on with shares of it while Redis is killed", async () => {
    await openReplicas();
    expect(await callInTurn(120, keyOf("ci"))).toStrictEqual({ 200: LIMIT, 429: 120 - LIMIT });
    await redis.kill();
    try {
      const share = Math.floor(LIMIT / 3);
      expect(await callInTurn(120, keyOf("other"))).toStrictEqual({ 200: 3 * share, 429: 120 - 3 * share });
    } finally {
      await redis.start();
    }
  });

  test("refuse a key that was revoked on one as one that was never known, all within two seconds", async () => {
    await openReplicas();
    const seen = async (key: string) => {
      const answers = await Promise.all(replicas.map((replica) => post(replica, key)));
      return Promise.all(
        answers.map(async (one) => [one.status, one.headers.get("www-authenticate"), await one.text()]),
      );
    };
    const unknown = await seen(keyOf("nobody"));
    expect(unknown.map(([status]) => status)).toStrictEqual([401, 401, 401]);
    await replicas[0]!.state.revocations.revoke({ kind: "key", id: "ci" });
    await within(2_000, async () => expect(await seen(keyOf("ci"))).toStrictEqual(unknown));
    expect((await seen(keyOf("other"))).map(([status]) => status)).toStrictEqual([200, 200, 200]);
  });

  test("are not ready, and let nobody in, before they know who was revoked", async () => {
    await redis.kill();
    const replica = await openReplica();
    expect([await readyOf(replica), (await post(replica, keyOf("ci"))).status]).toStrictEqual([503, 503]);
    expect((await fetch(`${replica.url}/healthz`)).status).toBe(200);
    await redis.start();
    await within(5_000, async () => expect(await readyOf(replica)).toBe(200));
    expect((await post(replica, keyOf("ci"))).status).toBe(200);
  });
});
