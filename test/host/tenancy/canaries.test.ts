import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findCanaries, makeCallers } from "./canaries.ts";
import { openCanaryHost } from "./canary-host.ts";
import { type CanaryUpstream, startCanaryUpstream } from "./canary-upstream.ts";
import { type CanaryHost, mixCalls } from "./mix-calls.ts";

const CALLS = Number(process.env["VITRINE_CANARY_CALLS"] ?? 5_000);
const CALLERS = makeCallers(24);

let folder: string;
let upstream: CanaryUpstream;
let host: CanaryHost;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-canaries-"));
  upstream = await startCanaryUpstream();
  host = await openCanaryHost(folder, upstream.url, CALLERS);
});
afterAll(() => {
  upstream.close();
  rmSync(folder, { recursive: true });
});

test(`over ${CALLS} calls of ${CALLERS.length} callers through one process nothing of one comes to another`, {
  timeout: 60_000 + CALLS * 40,
}, async () => {
  const { crossings, notes } = upstream;
  const agreed = await mixCalls(host, CALLERS, { calls: CALLS, stepsARun: 250, crossings });
  expect(host.answered()).toBeGreaterThanOrEqual(CALLS);
  // Where callers share a credential the upstream knows them by what they wrote.
  expect(Object.fromEntries(notes)).toEqual(Object.fromEntries(agreed));
  const told = await host.end();
  expect(findCanaries(told)).toEqual([]);
  expect(told).not.toContain("of-the-server");
  expect(told).toContain("vitrine_calls_total{");
  expect(new Set(told.match(/"key_id":"[^"]*"/g)).size).toBe(CALLERS.length);
});
