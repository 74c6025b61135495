import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openExchange } from "../../../src/mcp/front/open-exchange.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What an exchange writes, head and all. */
function open(isModern: boolean) {
  const written: string[] = [];
  const response = Object.assign(new PassThrough(), {
    headersSent: false,
    writeHead(status: number) {
      written.push(String(status));
      response.headersSent = true;
    },
  });
  response.on("data", (chunk) => written.push(String(chunk)));
  return { written, response, exchange: openExchange(response as unknown as ServerResponse, isModern) };
}

test("a stream says every 15 seconds that it is there, until it is answered", async () => {
  const { written, exchange } = open(false);
  vi.advanceTimersByTime(14_999);
  expect(written).toStrictEqual([]);
  vi.advanceTimersByTime(15_001);
  await exchange.send("answer");
  vi.advanceTimersByTime(60_000);
  expect(written).toStrictEqual(["200", ": keepalive\n\n", ": keepalive\n\n", "answer"]);
});

test("one message is silent until it is there", async () => {
  const { written, exchange } = open(true);
  vi.advanceTimersByTime(60_000);
  await exchange.send("answer");
  expect(written).toStrictEqual(["200", "answer"]);
});

test("an exchange that is released leaves nothing behind", () => {
  const { written, response, exchange } = open(false);
  exchange.release();
  vi.advanceTimersByTime(60_000);
  response.emit("close");
  expect([written, exchange.signal.aborted, response.listenerCount("close")]).toStrictEqual([[], false, 0]);
});

test("a client that went away before it began aborts it", () => {
  const { response, exchange } = open(false);
  exchange.release();
  response.destroy();
  const { signal } = openExchange(response as unknown as ServerResponse, false);
  expect([signal.aborted, (signal.reason as { code: string }).code, vi.getTimerCount()]).toStrictEqual([
    true,
    "CONNECTION_CLOSED",
    0,
  ]);
});

test("to a client that is gone nothing is written", async () => {
  const { written, response, exchange } = open(false);
  response.destroy();
  vi.advanceTimersByTime(60_000);
  await exchange.send("answer");
  expect(written).toStrictEqual([]);
});
