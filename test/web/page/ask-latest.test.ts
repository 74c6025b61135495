import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AskFailed } from "../../../src/web/page/ask-failed.ts";
import { askLatest } from "../../../src/web/page/ask-latest.ts";
import { openBackOff } from "../../../src/web/page/back-off.ts";
import type { PageData } from "../../../src/web/page-data.ts";
import { hostileData } from "./hostile-data.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

type Answer = PageData | number;

/** Answers in turn, the last for ever; a number is a status. */
function openAsking(...answers: Answer[]) {
  const heard: (string | number)[] = [];
  const leaving = new AbortController();
  let asked = 0;
  const askOnce = async (): Promise<PageData> => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? 500;
    asked += 1;
    if (typeof answer === "number") throw new AskFailed(answer, `status ${answer}`);
    return answer;
  };
  const latest = askLatest(
    askOnce,
    { onData: ({ revision }) => heard.push(revision), onFailure: ({ status }) => heard.push(status) },
    leaving.signal,
  );
  return { latest, heard, leave: () => leaving.abort(), asked: () => asked };
}

const one = hostileData("r1");
const other = hostileData("r2");

describe("the data of a server", () => {
  test("is asked for again until it comes, later each time", async () => {
    const { latest, heard } = openAsking(503, 0, one);
    latest.ask();
    await vi.advanceTimersByTimeAsync(499);
    expect(heard).toStrictEqual([503]);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toStrictEqual([503, 0]);
    await vi.advanceTimersByTimeAsync(999);
    expect(heard).toStrictEqual([503, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toStrictEqual([503, 0, one.revision]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is asked for at once when somebody asks", async () => {
    const { latest, heard } = openAsking(503, one);
    latest.ask();
    await vi.advanceTimersByTimeAsync(0);
    latest.ask();
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toStrictEqual([503, one.revision]);
  });

  test.each([401, 403, 404])("is not asked for again by itself after a %i, but when somebody asks", async (status) => {
    const { latest, heard } = openAsking(status, one);
    latest.ask();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heard).toStrictEqual([status]);
    latest.ask();
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toStrictEqual([status, one.revision]);
  });

  test("of a revision that is shown is not asked for, and of another is", async () => {
    const { latest, heard } = openAsking(one, other);
    latest.ask();
    await vi.advanceTimersByTimeAsync(0);
    latest.ask(one.revision);
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toStrictEqual([one.revision]);
    latest.ask(other.revision);
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toStrictEqual([one.revision, other.revision]);
  });

  test("is asked for no more when the page is left", async () => {
    const { latest, heard, leave, asked } = openAsking(503);
    latest.ask();
    await vi.advanceTimersByTimeAsync(0);
    leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([heard, asked(), vi.getTimerCount()]).toStrictEqual([[503], 1, 0]);
  });
});

test("attempts are never more than 15 s apart, and begin anew with a success", async () => {
  const backOff = openBackOff(new AbortController().signal);
  const rested = async (): Promise<number> => {
    const start = Date.now();
    const resting = backOff.rest();
    await vi.runAllTimersAsync();
    await resting;
    return Date.now() - start;
  };
  const times: number[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) times.push(await rested());
  expect(times).toStrictEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  backOff.reset();
  expect(await rested()).toBe(500);
});
