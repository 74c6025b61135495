import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { compareMarks, type MarksFact, type NumberedWorker } from "../../../src/cli/workers/compare-marks.ts";

let told: MarksFact[];
let workers: NumberedWorker[];
let marks: ReturnType<typeof compareMarks>;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  workers = [1, 2, 3].map((number) => ({ number, channel: {} as NumberedWorker["channel"] }));
  marks = compareMarks(
    () => workers,
    (fact) => told.push(fact),
    1_000,
  );
});
afterEach(() => {
  vi.useRealTimers();
});

const read = (number: number, mark: string): void => {
  const worker = workers.find((one) => one.number === number);
  marks.reads(mark, worker!.channel);
};

describe("workers that each read the files by themselves", () => {
  test("and come to the same are nothing to tell of", () => {
    for (const number of [1, 2, 3]) read(number, "a");
    vi.advanceTimersByTime(1_000);
    for (const number of [3, 1]) read(number, "b");
    vi.advanceTimersByTime(999);
    read(2, "b");
    vi.advanceTimersByTime(60_000);
    expect(told).toStrictEqual([]);
  });

  test("are named where they stay behind, and it is told when all agree again", () => {
    for (const number of [1, 2, 3]) read(number, "a");
    read(2, "b");
    vi.advanceTimersByTime(60_000);
    expect(told).toStrictEqual([{ kind: "workers_differ", workers: [1, 3] }]);
    read(1, "b");
    vi.advanceTimersByTime(1_000);
    expect(told.at(-1)).toStrictEqual({ kind: "workers_differ", workers: [3] });
    read(3, "b");
    vi.advanceTimersByTime(60_000);
    expect(told.slice(2)).toStrictEqual([{ kind: "workers_agree" }]);
  });

  test("are not compared with one that has gone, nor with one that has read nothing yet", () => {
    for (const number of [1, 2]) read(number, "a");
    workers = workers.slice(1);
    read(2, "b");
    vi.advanceTimersByTime(60_000);
    expect(told).toStrictEqual([]);
  });

  test("are compared no more once that was stopped", () => {
    read(1, "a");
    read(2, "b");
    marks.stop();
    vi.advanceTimersByTime(60_000);
    expect(told).toStrictEqual([]);
  });
});
