import { expect, test } from "vitest";
import type { Caller } from "../../src/model/exchange.ts";
import { onlyReads } from "../../src/model/only-reads.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { createRunner, type Outside } from "../../src/run/run-tool.ts";
import { confirmTool, toolsetOf } from "./confirm/confirm-fixture.ts";

function openOutside() {
  const [sent, reported]: [string[], string[]] = [[], []];
  async function* body() {
    yield Buffer.from("{}");
  }
  const outside: Outside = {
    egress: {
      request: async ({ method, url }) => {
        sent.push(method);
        return { status: 200, headers: new Map([["content-type", "application/json"]]), url, body: body() };
      },
      close: async () => {},
    },
    authorize: async (request) => ({ request, secrets: [] }),
    observe: () => {},
    report: (error) => reported.push(String(error)),
    now: () => new Date("2026-11-30T12:00:00Z"),
  };
  return { outside, sent, reported };
}

const { confirm: _, ...TOOL } = confirmTool();

/** As it would be if the curation declared each of its operations to be so. */
function declared(method: string, safe: boolean): Toolset {
  const plain = toolsetOf([TOOL]);
  return { ...plain, operations: plain.operations.map((one) => ({ ...one, method, safe })) };
}

const CASES: [method: string, safe: boolean, isSent: boolean][] = [
  ["GET", true, true],
  ["POST", true, true],
  ["POST", false, false],
  ["GET", false, false],
  ["PUT", true, false],
  ["PATCH", true, false],
  ["DELETE", true, false],
  ["delete", true, false],
];

test.each(CASES)(
  "for a caller that only reads a %s that is declared safe=%s is sent: %s",
  async (method, safe, isSent) => {
    const toolset = declared(method, safe);
    const { outside, sent, reported } = openOutside();
    const runner = createRunner(toolset, { env: { KEY: "sk-live-0123456789" } }, outside);
    const caller: Caller = { key: { account: "a" }, signal: new AbortController().signal, onlyReads: true };
    const reply = await runner.call(TOOL.name, { zone: "example.com" }, caller);
    expect(onlyReads({ method, safe })).toBe(isSent);
    expect([reply.isError, sent.length > 0]).toStrictEqual([!isSent, isSent]);
    expect(reported.some((line) => line.includes("may change something"))).toBe(!isSent);
    // Anybody else's call is sent as ever.
    const { onlyReads: __, ...other } = caller;
    const before = sent.length;
    await runner.call(TOOL.name, { zone: "example.com" }, other);
    expect(sent.length).toBeGreaterThan(before);
  },
);
