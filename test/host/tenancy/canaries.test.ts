import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CanaryCaller, canary, findCanaries, findLeaks, makeCallers } from "./canaries.ts";
import { type CanaryHost, openCanaryHost } from "./canary-host.ts";
import { type CanaryUpstream, startCanaryUpstream } from "./canary-upstream.ts";

const CALLS = Number(process.env["VITRINE_CANARY_CALLS"] ?? 5_000);
const CALLERS = makeCallers(24);
const AT_ONCE = 24;
/** A step makes so many calls at least. */
const STEPS_A_RUN = 250;

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

const dataOf = (caller: CanaryCaller) => canary(caller.server === "shared" ? "share" : "data", caller);
const twinOf = ({ n }: CanaryCaller) => CALLERS[n % 2 === 0 ? n + 1 : n - 1]!;
const isOpenFor = ({ server, n, pair }: CanaryCaller) => (server === "shared" ? pair : n) % 2 === 1;
const confirmOf = ({ structured }: { structured: object }) =>
  (structured as { confirmation?: { confirm?: string } }).confirmation?.confirm;

const agreed = new Map<number, number>();
const count = ({ n }: CanaryCaller) => agreed.set(n, (agreed.get(n) ?? 0) + 1);

type Step = (caller: CanaryCaller, other: CanaryCaller) => Promise<void>;
const STEPS: Readonly<Record<string, Step>> = {
  async goOn(caller) {
    const first = await host.call(caller, "list_items", { q: "all" });
    expect(first.text).toContain(dataOf(caller));
    const next = await host.call(caller, "list_items", { q: "all", pageToken: first.structured["nextPageToken"] });
    expect(next.text).toContain(`${dataOf(caller)} 3`);
  },
  async goOnWithAnothers(caller, other) {
    const { structured } = await host.call(other, "list_items", { q: "all" });
    const refused = await host.call(caller, "list_items", { q: "all", pageToken: structured["nextPageToken"] });
    expect(refused.structured).toMatchObject({ error: "invalid_cursor" });
  },
  async chooseFromList(caller) {
    const { isError } = await host.call(caller, "list_items", { kind: dataOf(caller) });
    expect(isError).toBe(false);
  },
  async hear(caller) {
    const { text } = await host.call(caller, "echo", { q: canary("arg", caller) });
    expect(text).toContain(dataOf(caller));
    expect(text).toContain("***");
    expect(text).not.toContain("of-the-server");
  },
  async fail(caller) {
    const { text, isError } = await host.call(caller, "fail", { q: canary("arg", caller) });
    expect(isError).toBe(true);
    expect(text).toContain(canary("arg", caller));
  },
  async write(caller) {
    const args = { text: canary("arg", caller) };
    const confirm = confirmOf(await host.call(caller, "add_note", args));
    const { text } = await host.call(caller, "add_note", { ...args, confirm });
    expect(text).toContain(dataOf(caller));
    count(caller);
  },
  async writeWithAnothers(caller, other) {
    const confirm = confirmOf(await host.call(other, "add_note", { text: "same" }));
    expect(confirm).toBeDefined();
    const refused = await host.call(caller, "add_note", { text: "same", confirm });
    expect(refused.text).toMatch(/Nothing was done yet/);
    expect(confirmOf(refused)).not.toBe(confirm);
  },
  async look(caller) {
    const names = await host.list(caller);
    expect([names.includes("enter"), names.includes("echo")]).toEqual([isOpenFor(caller), true]);
  },
  async whoAmI(caller) {
    const { text } = await host.call(caller, "describe_access");
    expect(text).toContain(canary("tenant", caller));
  },
  leave: (caller) => host.leave(caller, "echo"),
};

const step = fc.record({
  does: fc.constantFrom(...Object.keys(STEPS)),
  caller: fc.constantFrom(...CALLERS),
  /** Another one: the twin, whose claims are the same, half of the time. */
  other: fc.option(fc.constantFrom(...CALLERS)),
});

test(`over ${CALLS} calls of ${CALLERS.length} callers through one process nothing of one comes to another`, {
  timeout: 60_000 + CALLS * 40,
}, async () => {
  const steps = fc.array(step, { minLength: STEPS_A_RUN, maxLength: STEPS_A_RUN });
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const from = host.shown.length;
      const waiting = drawn.values();
      const work = async () => {
        for (const { does, caller, other } of waiting)
          await STEPS[does]!(caller, other === null || other === caller ? twinOf(caller) : other);
      };
      await Promise.all([...Array.from({ length: AT_ONCE }, work), host.reload()]);
      expect(host.shown.slice(from).flatMap(({ caller, text }) => findLeaks(text, caller))).toEqual([]);
      expect(upstream.crossings).toEqual([]);
    }),
    { numRuns: Math.ceil(CALLS / STEPS_A_RUN), endOnFailure: true },
  );
  expect(host.shown.length).toBeGreaterThanOrEqual(CALLS);
  expect(Object.fromEntries(notesByCaller())).toEqual(Object.fromEntries(agreed));
  const told = host.log() + (await host.end());
  expect(findCanaries(told)).toEqual([]);
  expect(told).not.toContain("of-the-server");
  expect(new Set(told.match(/"key_id":"[^"]*"/g)).size).toBe(CALLERS.length);
});

/** Where callers share a credential the upstream knows them by what they wrote. */
function notesByCaller(): [number, number][] {
  return [...upstream.notes].toSorted(([a], [b]) => a - b);
}
