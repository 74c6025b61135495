import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningLedger, startLedger } from "../../../src/demo/start-ledger.ts";
import { CONTROLS, HOSTILE } from "../../filter/conditions.ts";
import { openSession, type Session } from "../../setup/clients.ts";
import { sumsOf } from "./laws.ts";
import { type CallerFilter, catalogue, trueTotals } from "./ledger-sql.ts";

// Hostile text in every input of the demo: it selects what its plain meaning selects, or is refused.

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

const RANGE = { tenantID: "acme", start: "2026-10-01", end: "2026-10-31", dimensions: [] };
const REFUSED = ["invalid_arguments", "filter_not_expressible", "unknown_fields"];

/** Whether the filter was answered; then the total is that of its plain meaning. */
async function totalsPlainly(filter: CallerFilter): Promise<boolean> {
  const answer = await session.call("ledger_run_cost_query", { ...RANGE, filter });
  if (answer.isError) {
    expect(REFUSED, answer.text).toContain(answer.json.error);
    expect(answer.json).not.toHaveProperty("upstream");
    return false;
  }
  const true_ = await trueTotals(ledger, { ...RANGE, filter });
  const told = new Map(sumsOf(answer).map((sum) => [sum.currency, sum.total]));
  for (const [currency, total] of true_) expect([filter, told.get(currency)]).toStrictEqual([filter, rounded(total)]);
  expect([...told.keys()].filter((currency) => !true_.has(currency ?? ""))).toStrictEqual([]);
  return true;
}

const rounded = (text: string) => Number(Number(text).toFixed(2));

const OPS = ["eq", "ne", "contains", "in", "not_in"] as const;
const single = (op: (typeof OPS)[number], text: string): CallerFilter => ({
  kind: "single",
  field: "Tags/team",
  op,
  ...(op === "in" || op === "not_in" ? { values: [text, "forecasting"] } : { value: text }),
});

describe("hostile text as the value of a filter", () => {
  test.each(OPS)(
    "under %s has the total of its plain meaning",
    async (op) => {
      for (const text of [...HOSTILE, ...CONTROLS])
        expect([text, await totalsPlainly(single(op, text))]).toStrictEqual([text, true]);
    },
    120_000,
  );

  test("of any characters, within groups, too", async () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }),
      fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom(..."\"'\\,;:()[]{}<>=!~*%_?&|+-/#@$ .aO\n") }),
    );
    const law = fc.asyncProperty(
      text,
      fc.constantFrom(...OPS),
      fc.constantFrom("all", "any", "none"),
      async (one, op, match) => {
        const usage: CallerFilter = { kind: "single", field: "FOCUS/ChargeCategory", op: "eq", value: "Usage" };
        await totalsPlainly({ kind: "composite", match, conditions: [usage, single(op, one)] } as CallerFilter);
      },
    );
    await fc.assert(law, { numRuns: 60, endOnFailure: true });
  }, 60_000);

  test("of another type is refused before anything is sent", async () => {
    for (const [field, value] of [
      ["FOCUS/BilledCost", "1 OR 1=1"],
      ["FOCUS/BilledCost", "1e3"],
      ["FOCUS/BilledCost", "NaN"],
      ["FOCUS/ChargePeriodStart", "2026-02-30T00:00:00Z"],
      ["FOCUS/ChargePeriodStart", "yesterday'); DROP TABLE others"],
    ]) {
      const filter = { kind: "single", field, op: "eq", value };
      const answer = await session.call("ledger_run_cost_query", { ...RANGE, filter });
      expect(answer.json).toMatchObject({ error: "invalid_arguments", path: "filter.value", got: value });
    }
  });

  test("that is an object, or an operator, is refused", async () => {
    for (const wrong of [{ $ne: null }, ["a"], { op: "EQUALS" }, null]) {
      const filter = { kind: "single", field: "Tags/team", op: "eq", value: wrong };
      expect((await session.call("ledger_run_cost_query", { ...RANGE, filter })).json).toMatchObject({
        error: "invalid_arguments",
      });
    }
    for (const op of ["EQUALS", "or", "__proto__", "constructor", "$where"]) {
      const filter = { kind: "single", field: "Tags/team", op, value: "x" };
      expect((await session.call("ledger_run_cost_query", { ...RANGE, filter })).json).toMatchObject({
        error: "invalid_arguments",
        path: "filter.op",
      });
    }
  });
});

describe("hostile text as the name of a field", () => {
  const names = [
    ...HOSTILE,
    "FOCUS/ServiceName'",
    "FOCUS/ServiceName\u0000",
    "focus/servicename",
    "FOCUS/Service\u200bName",
  ];

  test("of a filter or a group is refused with the nearest names, and nothing is asked", async () => {
    for (const name of names) {
      const filter = { kind: "single", field: name, op: "eq", value: "x" };
      const asFilter = await session.call("ledger_run_cost_query", { ...RANGE, filter });
      expect(asFilter.json).toMatchObject({ error: "unknown_fields", path: "filter.field" });
      const asGroup = await session.call("ledger_run_cost_query", { ...RANGE, dimensions: [name] });
      expect(asGroup.json).toMatchObject({ error: "unknown_fields", path: "dimensions[0]" });
      for (const { json } of [asFilter, asGroup]) {
        expect(json["recover"]).toContain("`ledger_list_dimensions`");
        expect(json).not.toHaveProperty("upstream");
      }
    }
  });

  test("near a real one, the real one is named", async () => {
    const { json } = await session.call("ledger_run_cost_query", {
      ...RANGE,
      dimensions: ["ServiceName", "FOCUS/RegionID"],
    });
    expect(json).toMatchObject({ error: "unknown_fields", nearest: expect.arrayContaining(["FOCUS/ServiceName"]) });
  });

  test("an amount cannot be grouped by, though it is a field, and that is said", async () => {
    const { json } = await session.call("ledger_run_cost_query", { ...RANGE, dimensions: ["FOCUS/BilledCost"] });
    expect(json).toMatchObject({
      error: "not_groupable",
      message: expect.stringContaining("FOCUS/BilledCost"),
      recover: expect.stringContaining("decimal"),
    });
  });
});

describe("hostile text as a search", () => {
  test("for values finds those that contain it, in any letter case", async () => {
    const cell = catalogue.get("FOCUS/ResourceName")!.sql;
    for (const search of ["-", "%", "_", "'", "gpu", "GPU", "\\", "a' OR '1'='1", "*"]) {
      const { json } = await session.call("ledger_get_dimension_values", {
        tenantID: "acme",
        field: "FOCUS/ResourceName",
        search,
        limit: 1000,
      });
      const rows = await ledger.query(
        `SELECT count(DISTINCT ${cell})::INTEGER AS n FROM charges WHERE TenantId = 'acme' AND contains(lower(${cell}), lower('${search.replaceAll("'", "''")}'))`,
      );
      if (json["hasMore"] === false) expect([search, json["rowCount"]]).toStrictEqual([search, rows[0]?.["n"]]);
      for (const row of json.data ?? []) expect(String(row["value"]).toLowerCase()).toContain(search.toLowerCase());
    }
  });

  test("for fields is words, never a pattern", async () => {
    const find = async (search: string) => {
      const { json } = await session.call("ledger_list_dimensions", { tenantID: "acme", search, limit: 100 });
      return json.data?.map((row) => row["schemaFieldName"]);
    };
    const region = await find("region");
    expect(region?.length).toBeGreaterThan(3);
    for (const search of ["REGION", " region "]) expect([search, await find(search)]).toStrictEqual([search, region]);
    for (const search of [
      "regi.n",
      "regi_n",
      "regi%n",
      "r.*n",
      "region%",
      "%region",
      "region'",
      "region; --",
      "[region]",
    ])
      for (const name of (await find(search)) ?? []) expect(region).not.toContain(name);
  });
});

test("a tenant that does not exist is refused with where to find one, whatever its text", async () => {
  for (const tenantID of ["nobody", "acme' OR '1'='1", "ACME", "acme\u0000"]) {
    const { json } = await session.call("ledger_run_cost_query", { ...RANGE, tenantID });
    expect(["unknown_tenant", "invalid_arguments"]).toContain(json.error);
  }
});

test("the reply echoes the filter that was applied", async () => {
  const filter = { kind: "single", field: "FOCUS/ProviderName", op: "eq", value: "Microsoft" };
  const { json } = await session.call("ledger_run_cost_query", { ...RANGE, filter });
  expect(json["appliedFilter"]).toMatchObject({ field: "FOCUS/ProviderName", op: "eq", value: "Microsoft" });
});
