import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, test, vi } from "vitest";
import { openTurns, type Turns, takeTurns } from "../../../src/cli/workers/take-turns.ts";

/** Turns of one worker, on a clock that stands still. */
function openWorker(): { turns: Turns; waits: number[]; pass: (ms: number) => void } {
  const waits: number[] = [];
  let now = 0;
  const turns = openTurns(
    (ms) => waits.push(ms),
    () => now,
  );
  const pass = (ms: number): void => {
    now += ms;
  };
  return { turns, waits, pass };
}

describe("a worker", () => {
  test("lets the others run before each further connection of a rush", () => {
    const { turns, waits } = openWorker();
    for (let at = 0; at < 5; at += 1) turns.opened();
    expect(waits).toHaveLength(4);
    expect(Math.max(...waits)).toBeLessThan(5);
  });

  test("is put to sleep for a moment only, however many connections come at once", () => {
    const { turns, waits } = openWorker();
    for (let at = 0; at < 5_000; at += 1) turns.opened();
    expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThan(100);
  });

  test("waits for nothing where connections come one by one", () => {
    const { turns, waits, pass } = openWorker();
    for (let at = 0; at < 5; at += 1) {
      turns.opened();
      pass(200);
    }
    expect(waits).toStrictEqual([]);
  });

  test("waits for no connection in the place of one that has closed, however fast they come", () => {
    const { turns, waits } = openWorker();
    turns.opened();
    turns.opened();
    expect(waits).toHaveLength(1);
    for (let at = 0; at < 100; at += 1) {
      turns.closed();
      turns.opened();
    }
    expect(waits).toHaveLength(1);
  });

  test("takes turns again in a rush after all have gone", () => {
    const { turns, waits, pass } = openWorker();
    const rush = (): void => {
      for (let at = 0; at < 3; at += 1) turns.opened();
    };
    rush();
    for (let at = 0; at < 3; at += 1) turns.closed();
    pass(200);
    rush();
    expect(waits).toHaveLength(4);
  });
});

test("the connections of whatever server the process has are counted", async () => {
  const wait = vi.spyOn(Atomics, "wait");
  takeTurns();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
  for (let at = 0; at < sockets.length; at += 1) await once(server, "connection");
  for (const socket of sockets) socket.destroy();
  server.close();
  expect(wait).toHaveBeenCalled();
});
