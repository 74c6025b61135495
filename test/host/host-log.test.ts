import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openHostLog } from "../../src/host/host-log.ts";

const NOW = new Date("2026-11-30T12:00:00Z");
const TEXT = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    '\n{"level":"error"}',
    "\u001b[2J\u001b]0;x\u0007",
    "\u202egpj.exe",
    "a\u2028b\u0085c",
    "\ud800",
    "\0\r\n",
  ),
);

describe("a line of the log", () => {
  test("is one line of JSON, in which no text of others is another line or moves a cursor", () => {
    fc.assert(
      fc.property(TEXT, TEXT, fc.constantFrom("info", "warn", "error"), (event, message, level) => {
        const lines: string[] = [];
        openHostLog(
          (line) => lines.push(line),
          () => NOW,
        ).tell(level as "info", event, { message, n: 1, none: null, absent: undefined });
        expect(lines).toHaveLength(1);
        expect(lines[0]).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(JSON.parse(lines[0]!)).toMatchObject({ time: "2026-11-30T12:00:00.000Z", level, n: 1, none: null });
      }),
      { numRuns: 500 },
    );
  });

  test("is no longer than it may be, whatever is told", () => {
    const lines: string[] = [];
    const log = openHostLog(
      (line) => lines.push(line),
      () => NOW,
    );
    log.tell("warn", "finding", { message: "x".repeat(1_000_000) });
    expect(lines[0]!.length).toBeLessThan(3_000);
  });
});

test("what is told belongs to the request that it was told in, however requests and their timers cross", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat({ max: 3 }), { maxLength: 5 }), { minLength: 2, maxLength: 12 }),
      async (works) => {
        const told: { request_id?: string; of: string }[] = [];
        const log = openHostLog(
          (line) => told.push(JSON.parse(line)),
          () => NOW,
        );
        const shared = wait(1);
        const work = async (id: string, pauses: readonly number[]): Promise<void> => {
          for (const ms of pauses) {
            if (ms === 0) await nextTurn();
            else if (ms === 1) await shared;
            else await wait(ms);
            log.tell("info", "step", { of: id });
          }
          log.tell("info", "end", { of: id });
        };
        await Promise.all(works.map((pauses, n) => log.within({ request_id: `r${n}` }, () => work(`r${n}`, pauses))));
        expect(told.filter(({ request_id, of }) => request_id !== of)).toEqual([]);
        expect(told.length).toBe(works.flat().length + works.length);
      },
    ),
    { numRuns: 50 },
  );
});
