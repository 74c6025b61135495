import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { keyOf } from "../setup/keys.ts";
import { vitrine } from "../setup/program.ts";
import { haveRedis } from "../setup/redis.ts";
import { type Answer, call } from "./replicas/call.ts";
import { openReplicas, type Replicas } from "./replicas/open-replicas.ts";
import { ITEMS } from "./replicas/shop.ts";

// Three processes, and a Redis to which everything happens while they serve. Their clocks differ by two minutes.

const ROUNDS = Number(process.env["VITRINE_CHAOS_ROUNDS"] ?? 1);
const LIMIT = 60;
const AHEAD_MS = [0, 60_000, -60_000];

let opened: Replicas;

beforeAll(async () => {
  if (!haveRedis) return;
  const servers = { shop: undefined, metered: `${LIMIT}/h` };
  const keys = { ann: "shop", gone: "shop", dan: "metered" };
  opened = await openReplicas({ servers, keys }, AHEAD_MS);
}, 60_000);
afterAll(() => opened?.close());

const through = (key: string, name: string, args: object = {}, server = "shop") =>
  call(`${opened.proxy.url}/mcp/${server}`, keyOf(key), name, args);

/** What befalls the store, and whether it forgets by it what it counted. It runs afterwards. */
const FAULTS: readonly [name: string, forgets: boolean, fault: () => Promise<unknown>][] = [
  ["flushed", true, async () => opened.redis.ask("FLUSHALL")],
  [
    "frozen",
    false,
    async () => {
      opened.redis.freeze();
      await wait(1_500);
      opened.redis.thaw();
    },
  ],
  [
    "killed, and missed for a while",
    true,
    async () => {
      await opened.redis.kill();
      await wait(1_500);
      await opened.redis.start();
    },
  ],
  [
    "restarted at once",
    true,
    async () => {
      await opened.redis.kill();
      await opened.redis.start();
    },
  ],
  ["cut off", false, async () => opened.redis.ask("CLIENT", "KILL", "TYPE", "normal")],
];

describe.skipIf(!haveRedis)(
  "three replicas while their Redis is flushed, frozen, killed, restarted and cut off",
  () => {
    test(
      "give no wrong answer: pages go on, confirmations count at most once, who was revoked stays out, limits hold by their bounds",
      async ({ annotate }) => {
        const revoke = async () =>
          expect(await vitrine(["key", "revoke", opened.file, "gone"])).toMatchObject({ code: 0 });
        await vi.waitFor(revoke, { timeout: 30_000 });
        await vi.waitFor(
          async () => {
            for (const { port } of opened.replicas)
              expect((await call(`http://127.0.0.1:${port}/mcp/shop`, keyOf("gone"), "list_items")).status).toBe(401);
          },
          { timeout: 10_000 },
        );
        const told = { isOver: false, calls: 0, written: 0, admitted: 0, refused: 0, wrong: [] as unknown[] };
        const confirmed: { text: string; confirm: string }[] = [];
        const hear = (answer: Answer): Answer => {
          told.calls += 1;
          return answer;
        };
        const work: Readonly<Record<string, (at: number) => Promise<void>>> = {
          async walk() {
            const ids: string[] = [];
            let pageToken: string | undefined;
            do {
              const given = pageToken === undefined ? {} : { pageToken };
              const { status, reply } = hear(await through("ann", "list_items", { ...given, limit: 5 }));
              if (status !== 200 || reply.data === undefined) return void told.wrong.push(reply);
              ids.push(...reply.data.map(({ id }) => id));
              pageToken = reply.nextPageToken;
            } while (pageToken !== undefined);
            if (ids.join() !== ITEMS.join()) told.wrong.push(ids);
          },
          async write(at) {
            const text = `note ${at}`;
            const { reply } = hear(await through("ann", "add_note", { text }));
            const confirm = reply.confirmation?.confirm;
            if (confirm === undefined) return void told.wrong.push(reply);
            confirmed.push({ text, confirm });
            const answers = await Promise.all([1, 2, 3].map(() => through("ann", "add_note", { text, confirm })));
            const isWritten = ({ reply }: Answer) => reply["text"] === text;
            const isAskedAgain = ({ reply }: Answer) => reply.confirmation !== undefined;
            const isToWait = ({ reply }: Answer) =>
              reply.error === "upstream_unavailable" && reply["retryable"] === true;
            const times = answers.map(hear).filter(isWritten).length;
            told.written += times;
            if (!answers.every((one) => isWritten(one) || isAskedAgain(one) || isToWait(one))) told.wrong.push(answers);
            // What may have been used before is used again nowhere.
            const old = confirmed[Math.floor(confirmed.length / 2)]!;
            if (old.text === text) return;
            if (isWritten(hear(await through("ann", "add_note", old)))) told.written += 1;
          },
          async meter() {
            const { status } = hear(await through("dan", "list_items", {}, "metered"));
            if (status === 200) told.admitted += 1;
            else if (status === 429) told.refused += 1;
            else told.wrong.push(status);
          },
          async comeBack() {
            const { status, reply } = hear(await through("gone", "list_items"));
            // Who tries too often is shut out for a while.
            if (status !== 401 && status !== 429) told.wrong.push([status, reply]);
          },
        };
        const working = Promise.all(
          Object.values(work).map(async (one) => {
            for (let at = 0; !told.isOver; at += 1)
              await one(at).catch((error: unknown) => told.wrong.push(String(error)));
          }),
        );
        let windows = 1;
        const faults = Array.from({ length: ROUNDS }, () => FAULTS).flat();
        try {
          for (const [name, forgets, fault] of faults) {
            await fault();
            windows += forgets ? 1 : 0;
            const before = told.written;
            // Confirmations count again that were made since.
            const isBack = () => expect(told.written, name).toBeGreaterThan(before + 1);
            await vi.waitFor(isBack, { timeout: 30_000 });
          }
        } finally {
          told.isOver = true;
        }
        await working;
        await annotate(
          `${told.calls} calls, ${told.written} notes, ${told.admitted} admitted of a limit of ${LIMIT} in ${windows} windows, ${opened.proxy.passedOn.length} passed on`,
        );
        expect(told.wrong).toStrictEqual([]);
        for (const one of confirmed) await through("ann", "add_note", one);
        expect(new Set(opened.shop.notes).size).toBe(opened.shop.notes.length);
        expect(told.refused).toBeGreaterThan(0);
        expect(told.admitted).toBeGreaterThanOrEqual(LIMIT);
        // Beside each window that the store began there may have been the replicas' own, one of all their shares together.
        expect(told.admitted).toBeLessThanOrEqual((windows + 1) * LIMIT);
        for (const { running } of opened.replicas) expect(running.child.exitCode).toBeNull();
      },
      60_000 + ROUNDS * 60_000,
    );
  },
);
