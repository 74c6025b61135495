import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { keyOf } from "../setup/keys.ts";
import { LIST, postMessage, readAnswer } from "../setup/post-message.ts";
import { haveRedis } from "../setup/redis.ts";
import { call } from "./replicas/call.ts";
import { type Listener, listenAt } from "./replicas/listen-at.ts";
import { openReplicas, type Replicas } from "./replicas/open-replicas.ts";

// A door is open or closed, and with it a tool comes and goes: for all who may see it, whoever turns it at whichever replica.

const SETTINGS = {
  servers: { door: undefined, other: undefined },
  doors: ["door", "other"],
  keys: { ann: "door", bob: "door", cat: "other" },
};
const CLOSED = ["get_door", "turn_door"];
const OPEN = ["get_door", "list_items", "turn_door"];

let opened: Replicas;
const listeners: Listener[] = [];

beforeAll(async () => {
  if (haveRedis) opened = await openReplicas(SETTINGS, [0, 0, 0]);
}, 60_000);
afterAll(() => opened?.close());
beforeEach(() => {
  for (const one of listeners.splice(0)) one.stop();
});

const urlAt = (at: number, server = "door") => `http://127.0.0.1:${opened.replicas[at]!.port}/mcp/${server}`;
const turn = (at: number) => call(urlAt(at), keyOf("ann"), "turn_door");
const changes = ({ told }: Listener) => told.filter((event) => event.includes("notifications/tools/list_changed"));

async function listen(at: number, key: string, server?: string): Promise<Listener> {
  const asked = opened.shop.doorAsked;
  const listener = await listenAt(urlAt(at, server), keyOf(key));
  listeners.push(listener);
  // What it is told later differs from what was seen then.
  await expect.poll(() => opened.shop.doorAsked).toBeGreaterThan(asked);
  return listener;
}

async function listed(at: number, key: string, server?: string): Promise<string[]> {
  const answer = await postMessage(urlAt(at, server), `Bearer ${keyOf(key)}`, LIST);
  const { result } = readAnswer(await answer.text());
  return result.tools.map(({ name }: { name: string }) => name);
}

describe.skipIf(!haveRedis)("a write at one replica", { timeout: 60_000 }, () => {
  test("is told within two seconds to who listens with another key at another one, where the new list is then seen", async () => {
    const bob = await listen(2, "bob");
    expect(await listed(2, "bob")).toStrictEqual(CLOSED);
    for (const [turned, want] of [OPEN, CLOSED, OPEN, CLOSED].entries()) {
      await turn(turned % 2);
      await vi.waitFor(() => expect(changes(bob)).toHaveLength(turned + 1), { timeout: 2_000, interval: 10 });
      expect(await listed(2, "bob")).toStrictEqual(want);
    }
    // Neither who wrote nor what.
    expect(bob.told.join()).not.toMatch(/ann|turn|open/);
  });

  test("is seen elsewhere also by who listens to nothing, and by no other server", async () => {
    const cat = await listen(2, "cat", "other");
    for (const at of [0, 1, 2]) expect(await listed(at, "bob")).toStrictEqual(CLOSED);
    expect(await listed(2, "cat", "other")).toStrictEqual(CLOSED);
    await turn(0);
    for (const at of [0, 1, 2])
      await vi.waitFor(async () => expect(await listed(at, "bob")).toStrictEqual(OPEN), { timeout: 2_000 });
    expect(await listed(2, "cat", "other")).toStrictEqual(CLOSED);
    expect(changes(cat)).toStrictEqual([]);
    await turn(0);
  });

  test("has the upstream asked once a second at most for one who listens, however much is written", async () => {
    await listen(0, "bob");
    const [before, start] = [opened.shop.doorAsked, performance.now()];
    const writes = 40;
    for (let at = 0; at < writes; at += 1) await turn(0);
    await vi.waitFor(async () => expect(await listed(0, "bob")).toStrictEqual(CLOSED), { timeout: 2_000 });
    // For ann it is asked after each of her writes.
    const seconds = (performance.now() - start) / 1_000;
    expect(opened.shop.doorAsked - before).toBeLessThanOrEqual(writes + seconds + 10);
  });
});
