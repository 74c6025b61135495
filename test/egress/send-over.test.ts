import fc from "fast-check";
import type { Client, Dispatcher } from "undici";
import { describe, expect, test } from "vitest";
import { sendOver } from "../../src/egress/send-over.ts";

const OPTIONS: Dispatcher.DispatchOptions = { path: "/", method: "GET" };
const MOST_WAITING = 64 * 1024;

/** A connection whose other side is played by the test. */
function openFake() {
  let handler: Dispatcher.DispatchHandler = {};
  let isPaused = false;
  const controller = {
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
  } as Dispatcher.DispatchController;
  const client = {
    dispatch(_: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler) {
      handler = given;
      return true;
    },
  } as unknown as Client;
  return {
    client,
    isPaused: () => isPaused,
    start: () => handler.onRequestStart?.(controller, {}),
    head: (status: number) => handler.onResponseStart?.(controller, status, { "x-a": "b" }),
    data: (bytes: Buffer) => handler.onResponseData?.(controller, bytes),
    end: () => handler.onResponseEnd?.(controller, {}),
    fail: (error: Error) => handler.onResponseError?.(controller, error),
  };
}

async function openAnswer() {
  const fake = openFake();
  const answered = sendOver(fake.client, OPTIONS, () => {});
  fake.start();
  fake.head(200);
  const { body } = await answered;
  return { ...fake, reader: body[Symbol.asyncIterator]() };
}

describe("a request over one connection", () => {
  test("says when it goes out, and not before", () => {
    const { client, start } = openFake();
    let sent = 0;
    sendOver(client, OPTIONS, () => {
      sent += 1;
    });
    expect(sent).toBe(0);
    start();
    expect(sent).toBe(1);
  });

  test("passes over informational answers", async () => {
    const { client, start, head } = openFake();
    const answered = sendOver(client, OPTIONS, () => {});
    start();
    for (const status of [100, 103, 404]) head(status);
    expect(await answered).toMatchObject({ status: 404, headers: { "x-a": "b" } });
  });

  test("rejects where no answer comes", async () => {
    const { client, start, fail } = openFake();
    const answered = sendOver(client, OPTIONS, () => {});
    start();
    fail(new Error("gone"));
    await expect(answered).rejects.toThrow("gone");
  });

  test("a body that breaks off fails for its reader, also one that waits, and what came is not taken for all", async () => {
    const waiting = await openAnswer();
    const step = waiting.reader.next();
    waiting.fail(new Error("broken"));
    await expect(step).rejects.toThrow("broken");
    const late = await openAnswer();
    late.data(Buffer.from("half"));
    late.fail(new Error("broken"));
    await expect(late.reader.next()).rejects.toThrow("broken");
  });

  test("gives every byte once and in order, and takes no more off the connection while much waits", async () => {
    const pieces = fc.array(fc.record({ size: fc.integer({ min: 1, max: 50_000 }), reads: fc.nat(3) }), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (sent) => {
        const { reader, data, end, isPaused } = await openAnswer();
        const read: Buffer[] = [];
        const waits = () => sent.slice(read.length, given).reduce((sum, { size }) => sum + size, 0);
        let given = 0;
        for (const { size, reads } of sent) {
          data(Buffer.alloc(size, given));
          given += 1;
          expect(isPaused()).toBe(waits() >= MOST_WAITING);
          for (let more = Math.min(reads, given - read.length); more > 0; more -= 1) {
            read.push(Buffer.from((await reader.next()).value ?? []));
            expect(isPaused()).toBe(waits() >= MOST_WAITING);
          }
        }
        end();
        for (let step = await reader.next(); step.done !== true; step = await reader.next())
          read.push(Buffer.from(step.value));
        expect(read.map((one) => [one[0], one.length])).toEqual(sent.map(({ size }, at) => [at, size]));
      }),
      { numRuns: 100 },
    );
  });
});
