import fc from "fast-check";
import { expect, test } from "vitest";
import type { Step } from "../../../src/model/step.ts";
import { runInOrder } from "../../../src/run/steps/run-in-order.ts";
import { type Asked, hang, read, type Scripted, startFlow, write } from "./fixture.ts";

// Random graphs of steps: what each needs, whether it writes, and how often it is sent.

interface Node {
  readonly needs: readonly number[];
  readonly writes: boolean;
  /** Undefined: once. */
  readonly items: number | undefined;
  /** Turns of the event loop that its answer takes. */
  readonly turns: number;
}

const graphs: fc.Arbitrary<Node[]> = fc.integer({ min: 1, max: 10 }).chain((length) =>
  fc.tuple(
    ...[...Array(length).keys()].map((at) =>
      fc.record({
        needs: at === 0 ? fc.constant([]) : fc.uniqueArray(fc.nat(at - 1), { maxLength: 3 }),
        writes: fc.boolean().map((one) => one && at % 3 === 1),
        items: fc.option(fc.nat(4), { nil: undefined }),
        turns: fc.nat(3),
      }),
    ),
  ),
);

const nameOf = (at: number) => `s${at}`;
const stepsOf = (nodes: readonly Node[]): Step[] =>
  nodes.map(({ needs, writes, items }, at) => {
    const options = { needs, ...(items !== undefined && { each: `\`${JSON.stringify([...Array(items).keys()])}\`` }) };
    return writes ? write(nameOf(at), options) : read(nameOf(at), options);
  });

interface Seen {
  readonly at: number;
  readonly event: "begin" | "end";
}

/** An upstream that writes down what begins and ends, and how much ran at once. */
function watch(nodes: readonly Node[], broken?: number) {
  const seen: Seen[] = [];
  let [running, most] = [0, 0];
  const script = async (asked: Asked): Promise<Scripted> => {
    const at = Number(asked.path.slice(2));
    seen.push({ at, event: "begin" });
    running += 1;
    most = Math.max(most, running);
    try {
      if (at === broken) return await hang(asked);
      for (let turn = 0; turn < nodes[at]!.turns; turn += 1) await new Promise((go) => setImmediate(go));
      return { body: at };
    } finally {
      running -= 1;
      seen.push({ at, event: "end" });
    }
  };
  return { script, seen, most: () => most, running: () => running };
}

const firstBegin = (seen: readonly Seen[], at: number) =>
  seen.findIndex((one) => one.at === at && one.event === "begin");
const lastEnd = (seen: readonly Seen[], at: number) =>
  seen.findLastIndex((one) => one.at === at && one.event === "end");

test("steps run in an order that respects what they need, within the upstream's concurrency, writes alone", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 4 }), async (nodes, concurrency) => {
      const { script, seen, most } = watch(nodes);
      const reply = await startFlow({ steps: stepsOf(nodes), script, concurrency }).ask();
      expect(Object.keys(reply)).toEqual(nodes.map((_, at) => nameOf(at)));
      expect(most()).toBeLessThanOrEqual(concurrency);
      for (const [at, { needs, writes, items }] of nodes.entries()) {
        expect(seen.filter((one) => one.at === at && one.event === "begin")).toHaveLength(items ?? 1);
        const before = nodes.flatMap((node, one) =>
          one < at && (needs.includes(one) || writes || node.writes) ? [one] : [],
        );
        if (items !== 0) for (const one of before) expect(lastEnd(seen, one)).toBeLessThan(firstBegin(seen, at));
      }
    }),
    { numRuns: 1_000 },
  );
}, 60_000);

test("whichever step hangs, the call ends at its deadline and nothing runs on", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.nat(9), async (nodes, which) => {
      const broken = which % nodes.length;
      const { script, running } = watch(nodes, broken);
      const began = performance.now();
      const reply = await startFlow({ steps: stepsOf(nodes), script, tool: { deadlineMs: 15 } }).ask();
      expect(performance.now() - began).toBeLessThan(5_000);
      expect(running()).toBe(0);
      if (nodes[broken]!.items !== 0) expect(reply["error"]).toMatch(/^upstream_timeout$|^outcome_unknown$/);
    }),
    { numRuns: 1_000 },
  );
}, 120_000);

test("after a failure nothing begins, and all that had begun has ended", async () => {
  await fc.assert(
    fc.asyncProperty(graphs, fc.uniqueArray(fc.nat(9), { minLength: 1 }), async (nodes, failing) => {
      const open = new Set<number>();
      let stopped = false;
      let late = 0;
      const run = async (at: number) => {
        if (stopped) late += 1;
        open.add(at);
        for (let turn = 0; turn < nodes[at]!.turns; turn += 1) await Promise.resolve();
        open.delete(at);
        if (failing.some((one) => one === at)) throw new Error(nameOf(at));
      };
      const ran = runInOrder(
        nodes.map(({ needs }) => needs),
        run,
        () => {
          expect(stopped).toBe(false);
          stopped = true;
        },
      );
      const fails = failing.some((one) => one < nodes.length);
      if (fails) await expect(ran).rejects.toThrow(/^s\d$/);
      else await ran;
      expect(stopped).toBe(fails);
      expect(late).toBe(0);
      expect(open.size).toBe(0);
    }),
    { numRuns: 1_000 },
  );
});
