import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWorkers } from "../../../src/cli/read-workers.ts";
import { gatherMetrics } from "../../../src/cli/workers/gather-metrics.ts";
import type { WorkerAnswers } from "../../../src/cli/workers/messages.ts";
import { type Channel, openChannel, type Pipe } from "../../../src/cli/workers/open-channel.ts";
import { openCommon } from "../../../src/cli/workers/open-common.ts";
import { takeShare } from "../../../src/cli/workers/take-share.ts";
import type { Toolset } from "../../../src/model/tool.ts";
import { run } from "../fake-shell.ts";

describe("--workers", () => {
  test("is a whole number from 1 to 64, and 1 unless said", () => {
    expect([undefined, "1", "64"].map((text) => readWorkers(text))).toStrictEqual([1, 1, 64]);
    for (const text of ["0", "65", "1.5", "-1", "", "two", "1e1", " 2"])
      expect(() => readWorkers(text), text).toThrow(/--workers/);
  });

  test("goes with HTTP only", async () => {
    const ran = await run(["serve", "test/fixtures/cli/curation/shop.yaml", "--workers", "2"]);
    expect([ran.code, ran.out]).toStrictEqual([2, ""]);
    expect(ran.err).toContain("--workers goes with --http");
  });
});

test("workers share the requests that an upstream may be sent at once, as far as there is one for each", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 64 }), (concurrency, of) => {
      const toolset = { upstream: { concurrency } } as Toolset;
      const shares = Array.from({ length: of }, (_, at) => takeShare(toolset, { number: at + 1, of }));
      const each = shares.map(({ upstream }) => upstream.concurrency);
      expect(each.reduce((a, b) => a + b, 0)).toBe(Math.max(concurrency, of));
      expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
    }),
  );
});

describe("what workers have in common", () => {
  const until = Date.now() + 60_000;

  test("a confirmation counts once, and never one of another run", async () => {
    const { joining, answers } = openCommon();
    const other = openCommon();
    const one = { id: "a", until, mark: joining.mark };
    expect([await answers.use(one), await answers.use(one)]).toStrictEqual([true, false]);
    expect(await answers.use({ id: "b", until, mark: other.joining.mark })).toBe(false);
    expect(joining.secret).not.toBe(other.joining.secret);
  });

  test("what is asked in a time is counted together, callers apart from addresses", () => {
    const { answers } = openCommon();
    const take = (of: "callers" | "addresses", key: string) =>
      answers.count({ of, key, rate: { calls: 2, perMs: 60_000 } }).admitted;
    expect([take("callers", "a"), take("callers", "a"), take("callers", "a")]).toStrictEqual([true, true, false]);
    expect([take("addresses", "a"), take("callers", "b")]).toStrictEqual([true, true]);
  });
});

interface Doubling {
  double(by: number): number;
  fail(): void;
}

/** Two ends of one pipe. */
function openPipe(): [Pipe, Pipe] {
  const heard: [((message: unknown) => void)[], ((message: unknown) => void)[]] = [[], []];
  const end = (own: 0 | 1): Pipe => ({
    send: (message) => {
      for (const listener of heard[own === 0 ? 1 : 0])
        queueMicrotask(() => listener(JSON.parse(JSON.stringify(message))));
    },
    onMessage: (listener) => void heard[own].push(listener),
  });
  return [end(0), end(1)];
}

describe("a channel", () => {
  const answers = {
    double: (by: number) => by * 2,
    fail: () => {
      throw new Error("no");
    },
  };

  test("gives each question its answer, whichever way it is asked", async () => {
    const [a, b] = openPipe();
    const [one, other] = [openChannel<Doubling>(a, answers), openChannel<Doubling>(b, answers)];
    const asked = [one.ask("double", 1), other.ask("double", 2), one.ask("double", 3)];
    expect(await Promise.all(asked)).toStrictEqual([2, 4, 6]);
  });

  test("rejects where the other side fails, where it cannot be sent, and where the other side ends", async () => {
    const [a, b] = openPipe();
    openChannel<Doubling>(b, answers);
    await expect(openChannel<Doubling>(a, {}).ask("fail")).rejects.toThrow("no");
    const cut = openChannel<Doubling>({ send: (_, failed) => failed(new Error("cut")), onMessage: () => {} }, {});
    await expect(cut.ask("fail")).rejects.toThrow("cut");
    const silent = openChannel<Doubling>({ send: () => {}, onMessage: () => {} }, {});
    const asked = silent.ask("fail");
    silent.close();
    await expect(asked).rejects.toThrow("ended");
    await expect(silent.ask("fail")).rejects.toThrow("ended");
  });

  test("asks one that does not answer in time no more, until something is heard of it", async () => {
    const sent: object[] = [];
    let hear = (_: unknown): void => {};
    const pipe: Pipe = {
      send: (message) => void sent.push(message),
      onMessage: (listener) => {
        hear = listener;
      },
    };
    const one = openChannel<Doubling>(pipe, {}, 5);
    await expect(one.ask("double", 1)).rejects.toThrow("does not answer");
    await expect(one.ask("double", 2)).rejects.toThrow("does not answer");
    one.tell("fail");
    expect(sent).toHaveLength(2);
    hear({ answers: 1, value: 2 });
    const asked = one.ask("double", 3);
    hear({ answers: 2, value: 6 });
    expect(await asked).toBe(6);
  });
});

test("counts of a worker that has gone stay as they were last told, and of one that is late too", async () => {
  const counting = (value: () => number | undefined) =>
    ({
      ask: () => {
        const now = value();
        const told = `# HELP a_total A.\n# TYPE a_total counter\na_total ${now}\n`;
        return now === undefined ? new Promise(() => {}) : Promise.resolve(told);
      },
      close: () => {},
    }) as unknown as Channel<WorkerAnswers>;
  let [first, second] = [3, 4] as (number | undefined)[];
  const [one, two] = [counting(() => first), counting(() => second)];
  const channels = [one, two];
  const gathering = gatherMetrics(() => channels);
  const count = async () => Number(/^a_total (\d+)$/m.exec(await gathering.text())?.[1]);
  expect(await count()).toBe(7);
  second = undefined;
  first = 5;
  expect(await count()).toBe(9);
  channels.pop();
  gathering.left(two);
  expect(await count()).toBe(9);
  channels.push(counting(() => 1));
  expect(await count()).toBe(10);
  expect(await gathering.text()).toMatch(/^vitrine_workers 2$/m);
});

test("counts of a worker that goes while it is asked are counted once", async () => {
  const told = (count: number) => `# HELP a_total A.\n# TYPE a_total counter\na_total ${count}\n`;
  const answers: ((text: string) => void)[] = [];
  const ask = () => new Promise<string>((resolve) => answers.push(resolve));
  const channel = { ask, close: () => {} } as unknown as Channel<WorkerAnswers>;
  const channels = [channel];
  const gathering = gatherMetrics(() => channels);
  const [first, second] = [gathering.text(), gathering.text()];
  answers[0]!(told(3));
  expect(await first).toMatch(/^a_total 3$/m);
  channels.pop();
  gathering.left(channel);
  answers[1]!(told(5));
  expect(await second).toMatch(/^a_total 3$/m);
});

test("a worker that hangs is asked for its counts once, until it answers", async () => {
  const answers: ((text: string) => void)[] = [];
  const ask = () => new Promise<string>((resolve) => answers.push(resolve));
  const channel = { ask, close: () => {} } as unknown as Channel<WorkerAnswers>;
  const gathering = gatherMetrics(() => [channel]);
  await gathering.text();
  await gathering.text();
  expect(answers).toHaveLength(1);
  answers[0]!("");
  await new Promise((resolve) => setImmediate(resolve));
  void gathering.text();
  expect(answers).toHaveLength(2);
});
