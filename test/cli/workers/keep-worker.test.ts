import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EndedEarly, type KeptWorker, keepWorker, type WorkerFact } from "../../../src/cli/workers/keep-worker.ts";
import type { FirstAnswers, WorkerAnswers } from "../../../src/cli/workers/messages.ts";
import type { Channel } from "../../../src/cli/workers/open-channel.ts";
import type { WorkerEnd } from "../../../src/cli/workers/start-worker.ts";

/** Stands for a process. */
interface Started {
  readonly answers: FirstAnswers;
  readonly killed: string[];
  end(how: Partial<WorkerEnd>): Promise<void>;
}

let started: Started[];
let told: WorkerFact[];
let kept: KeptWorker;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  started = [];
  told = [];
  kept = keepWorker(3, {
    joining: () => ({ of: 4, secret: "s", mark: "m", areReady: false }),
    answers: {
      use: async () => true,
      count: () => ({ admitted: true, msLeft: 0 }),
      metrics: async () => "",
    },
    wrote: () => {},
    serves: () => {},
    reads: () => {},
    left: () => {},
    tell: (fact) => void told.push(fact),
    start: (answers) => {
      const killed: string[] = [];
      let ends = (_: WorkerEnd): void => {};
      const ended = new Promise<WorkerEnd>((resolve) => {
        ends = resolve;
      });
      const end = async (how: Partial<WorkerEnd>): Promise<void> => {
        ends({ code: null, signal: null, ...how });
        await vi.advanceTimersByTimeAsync(0);
      };
      started.push({ answers, killed, end });
      const ask = async (name: string): Promise<undefined> => void killed.push(name);
      const channel = { ask, close: () => {} } as unknown as Channel<WorkerAnswers>;
      return { channel, ended, kill: (signal) => void killed.push(signal) };
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
});

const serve = (): void => {
  started.at(-1)?.answers.join();
  started.at(-1)?.answers.listening({ port: 1 });
};

test("a worker joins under its number, and may be asked from then on", () => {
  expect(kept.channel()).toBeUndefined();
  expect(started[0]?.answers.join()).toStrictEqual({ number: 3, of: 4, secret: "s", mark: "m", areReady: false });
  expect(kept.channel()).toBeDefined();
});

test("one that ends before it has ever served is not replaced, and says how it ended", async () => {
  const listening = expect(kept.listening).rejects.toMatchObject({ code: "ENDED_EARLY", exitCode: 2 });
  await started[0]?.end({ code: 2 });
  await listening;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toHaveLength(1);
  expect(new EndedEarly({ code: 2, signal: null }).isSaid).toBe(true);
  expect(new EndedEarly({ code: null, signal: "SIGKILL" })).toMatchObject({ exitCode: 70, isSaid: false });
});

test("one that has served for long is replaced at once, others that end soon after their start later and later", async () => {
  serve();
  await vi.advanceTimersByTimeAsync(20_000);
  const rests: number[] = [];
  for (let at = 0; at < 9; at += 1) {
    const count = started.length;
    await started.at(-1)?.end({ signal: "SIGKILL" });
    const last = told.at(-1);
    if (last?.kind === "worker_ended") rests.push(last.restMs);
    await vi.advanceTimersByTimeAsync(Math.max(0, rests.at(-1)! - 1));
    if (rests.at(-1)! > 0) expect(started).toHaveLength(count);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toHaveLength(count + 1);
    serve();
  }
  expect(rests).toStrictEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test("that another one serves in its place is told", async () => {
  serve();
  await started[0]?.end({ code: 70 });
  expect(kept.channel()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1_000);
  serve();
  expect(told).toStrictEqual([
    { kind: "worker_ended", worker: 3, code: 70, signal: null, restMs: 500 },
    { kind: "worker_back", worker: 3 },
  ]);
  expect(kept.channel()).toBeDefined();
});

test("one that fails is replaced before it has ended, and once", async () => {
  serve();
  started[0]?.answers.failing();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).toHaveLength(2);
  await started[0]?.end({ code: 70 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toHaveLength(2);
});

test("at the end all that live are asked to end, nobody is started any more, and the worst exit code counts", async () => {
  serve();
  started[0]?.answers.failing();
  await vi.advanceTimersByTimeAsync(1_000);
  serve();
  const ended = kept.end(60_000);
  expect(started.map(({ killed }) => killed)).toStrictEqual([["end"], ["end"]]);
  await started[1]?.end({ code: 0 });
  await started[0]?.end({ code: 70 });
  expect(await ended).toBe(70);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toHaveLength(2);
});

test("one that does not end in time is killed", async () => {
  serve();
  const ended = kept.end(60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started[0]?.killed).toStrictEqual(["end", "SIGKILL"]);
  await started[0]?.end({ signal: "SIGKILL" });
  expect(await ended).toBe(70);
});

test("one that has not joined yet is ended by the system, and that is no fault", async () => {
  const ended = kept.end(60_000);
  expect(started[0]?.killed).toStrictEqual(["SIGTERM"]);
  await started[0]?.end({ signal: "SIGTERM" });
  expect(await ended).toBe(0);
});

test("only one that has joined is told to read its files again", async () => {
  kept.hangUp();
  serve();
  kept.hangUp();
  expect(started[0]?.killed).toStrictEqual(["SIGHUP"]);
});
