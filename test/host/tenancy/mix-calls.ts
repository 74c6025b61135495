import fc from "fast-check";
import { expect } from "vitest";
import { type CanaryCaller, canary } from "./canaries.ts";

export interface Answer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A host under test, of one process or of several. */
export interface CanaryHost {
  call(caller: CanaryCaller, tool: string, args?: object): Promise<Answer>;
  list(caller: CanaryCaller): Promise<string[]>;
  /** Calls, and is gone before the answer comes. */
  leave(caller: CanaryCaller, tool: string): Promise<void>;
  /** Reads all files anew, and serves what they say from now on. */
  reload(): Promise<void>;
  /** How often callers were answered. */
  answered(): number;
  /** What callers were shown and must not be. */
  readonly leaks: readonly string[];
  /** Ends it, and gives all that the operator was told: log, events and metrics. */
  end(): Promise<string>;
}

const AT_ONCE = 24;

/** Makes `calls` calls at least, mixed at random, and checks of each what its caller is told. Gives how many notes each caller has written. */
export async function mixCalls(
  host: CanaryHost,
  callers: readonly CanaryCaller[],
  { calls, stepsARun, crossings }: { calls: number; stepsARun: number; crossings: readonly string[] },
): Promise<ReadonlyMap<number, number>> {
  const agreed = new Map<number, number>();
  const steps = makeSteps(host, ({ n }) => agreed.set(n, (agreed.get(n) ?? 0) + 1));
  const twinOf = ({ n }: CanaryCaller) => callers[n % 2 === 0 ? n + 1 : n - 1]!;
  const step = fc.record({
    does: fc.constantFrom(...Object.keys(steps)),
    caller: fc.constantFrom(...callers),
    /** Another one: the twin, whose claims are the same, half of the time. */
    other: fc.option(fc.constantFrom(...callers)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: stepsARun, maxLength: stepsARun }), async (drawn) => {
      if (host.answered() >= calls) return;
      const waiting = drawn.values();
      const work = async () => {
        for (const { does, caller, other } of waiting)
          await steps[does]!(caller, other === null || other === caller ? twinOf(caller) : other);
      };
      await Promise.all([...Array.from({ length: AT_ONCE }, work), host.reload()]);
      expect(host.leaks).toEqual([]);
      expect(crossings).toEqual([]);
    }),
    // A step makes a call at least.
    { numRuns: Math.ceil(calls / stepsARun), endOnFailure: true },
  );
  return agreed;
}

const dataOf = (caller: CanaryCaller) => canary(caller.server === "shared" ? "share" : "data", caller);
const isOpenFor = ({ server, n, pair }: CanaryCaller) => (server === "shared" ? pair : n) % 2 === 1;
const confirmOf = ({ structured }: { structured: object }) =>
  (structured as { confirmation?: { confirm?: string } }).confirmation?.confirm;

type Step = (caller: CanaryCaller, other: CanaryCaller) => Promise<void>;

function makeSteps(host: CanaryHost, wrote: (caller: CanaryCaller) => void): Readonly<Record<string, Step>> {
  return {
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
      wrote(caller);
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
}
