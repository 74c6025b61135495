import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningLedger, startLedger } from "../../../src/demo/start-ledger.ts";
import { type Answer, openSession, type Session } from "../../setup/clients.ts";
import { sumsOf } from "./laws.ts";
import { catalogue, deniesContains, keyOf, questions, trueGroups } from "./ledger-sql.ts";
import { walk } from "./walk.ts";

let ledger: RunningLedger;
let session: Session;

beforeAll(async () => {
  ledger = await startLedger({ key: "canary-ledger-key", now: new Date("2026-11-29T12:00:00Z") });
  session = await openSession(["curation/ledger.yaml"], { LEDGER_URL: ledger.url, LEDGER_KEY: "canary-ledger-key" });
});
afterAll(async () => {
  await session?.close();
  await ledger?.close();
});

/** What one walk asks, and the keys of every row that it must meet, each once. */
interface Walked {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly key: (row: Record<string, unknown>) => string;
  readonly want: () => Promise<readonly string[]>;
}

const tenants = fc.constantFrom("acme", "globex", "initech");

const dimensions: fc.Arbitrary<Walked> = tenants.map((tenantID) => ({
  tool: "ledger_list_dimensions",
  args: { tenantID },
  key: (row) => String(row["schemaFieldName"]),
  want: async () => [...catalogue.keys()],
}));

const values: fc.Arbitrary<Walked> = fc
  .record({
    tenantID: tenants,
    field: fc.constantFrom(
      "FOCUS/ResourceName",
      "FOCUS/ServiceName",
      "Tags/team",
      "FOCUS/ChargeDescription",
      "FOCUS/SkuId",
    ),
  })
  .map((args) => ({
    tool: "ledger_get_dimension_values",
    args,
    key: (row) => String(row["value"]),
    want: async () => {
      const cell = `CAST(${catalogue.get(args.field)!.sql} AS VARCHAR)`;
      const rows = await ledger.query(
        `SELECT DISTINCT ${cell} AS value FROM charges WHERE TenantId = '${args.tenantID}' AND ${cell} IS NOT NULL`,
      );
      return rows.map((row) => String(row["value"]));
    },
  }));

const groups: fc.Arbitrary<Walked> = questions
  .filter(
    ({ tenantID, dimensions, bucket, filter }) =>
      tenantID !== "hooli" && dimensions.length > 0 && bucket !== "day" && !deniesContains(filter),
  )
  .map(({ limit: _, ...question }) => ({
    tool: "ledger_run_cost_query",
    args: { ...question },
    key: (row) => keyOf([...question.dimensions, "bucket", "currency"].map((name) => row[name])),
    want: async () => (await trueGroups(ledger, question)).map(({ key }) => key),
  }));

/** Every page tells the same totals, and what the pages show adds up to them. */
function expectOneTotal(replies: readonly Answer[]): void {
  const [first] = replies.map(sumsOf);
  for (const { currency, total } of first ?? []) {
    const ofUnit = replies.flatMap((reply) => sumsOf(reply).filter((sum) => sum.currency === currency));
    expect(ofUnit.map((sum) => sum.total)).toStrictEqual(replies.map(() => total));
    const added = ofUnit.reduce((sum, { sumReturned = 0 }) => sum + sumReturned, 0);
    expect(Math.abs(added - total!)).toBeLessThanOrEqual(0.005 * (replies.length + 1) + 1e-6);
  }
}

test("30 random walks over all pages of the demo's lists meet every row once", async () => {
  const limits = fc.array(fc.constantFrom(undefined, 1, 7, 20, 33, 100, 200), { minLength: 1, maxLength: 4 });
  let pages = 0;
  const law = fc.asyncProperty(fc.oneof(dimensions, values, groups), limits, async (walked, sizes) => {
    const want = await walked.want();
    // A walk of single rows over hundreds is long, and no other than that of a few.
    const each = want.length > 60 ? sizes.map((size) => (size === undefined ? undefined : Math.max(size, 20))) : sizes;
    const { rows, replies } = await walk(session, walked.tool, walked.args, each);
    expect(rows.map(walked.key).toSorted()).toStrictEqual([...want].toSorted());
    const notes = replies.flatMap((reply) => reply.json["omitted"] ?? []) as { what: string }[];
    expect(notes.filter(({ what }) => what === "rows")).toStrictEqual([]);
    if (walked.tool === "ledger_run_cost_query") expectOneTotal(replies);
    pages += replies.length;
  });
  await fc.assert(law, { numRuns: 30, endOnFailure: true });
  expect(pages).toBeGreaterThan(30);
}, 200_000);

test("pages of an ordered list are one order, cut", async () => {
  const args = {
    tenantID: "acme",
    start: "2026-10-01",
    end: "2026-10-31",
    dimensions: ["FOCUS/ServiceName", "Tags/team"],
  };
  const whole = await session.call("ledger_run_cost_query", { ...args, limit: 1000 });
  expect(whole.json["hasMore"]).toBe(false);
  const { rows } = await walk(session, "ledger_run_cost_query", args, [9, 4, 25]);
  expect(rows).toStrictEqual(whole.json.data);
});

test("the whole catalogue is one reply of 38 kB, first sentences only, or pages of it", async () => {
  const whole = await session.call("ledger_list_dimensions", { tenantID: "acme", limit: 1000 });
  expect(whole.json).toMatchObject({ rowCount: 375, hasMore: false });
  const { rows } = await walk(session, "ledger_list_dimensions", { tenantID: "acme" }, [undefined]);
  expect(rows).toStrictEqual(whole.json.data);
});
