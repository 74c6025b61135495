import { mkdtempSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FieldType, NullOnNegation } from "../../src/model/filter.ts";
import { type Served, serve } from "../egress/serve.ts";
import { readDirectus, readTemplated } from "../filter/readers/read-json.ts";
import { readOdata } from "../filter/readers/read-packages.ts";
import { readStripe } from "../filter/readers/read-texts.ts";
import { all, leaf, type Node, type Row, selects } from "../filter/selects.ts";
import { openSession, type Session } from "../setup/clients.ts";
import { vitrine } from "../setup/program.ts";

// Filters over the built program: the upstream reads what it receives by readers that share no code with the writers, and answers with
// the rows that it means.

const CURATION = "test/fixtures/stories/filters.curation.yaml";

const row = (id: number, tenantID: string, status: string, note: string | null, created: string): Row => ({
  id,
  tenantID,
  tenant_id: tenantID,
  status,
  note,
  customer: `O'Hara ${id}`,
  amount: id * 10.5,
  created,
});
const ROWS: readonly Row[] = [
  row(1, "t-1", "active", "first", "2026-01-01T00:00:00Z"),
  row(2, "t-1", "past_due", null, "2026-02-01T00:00:00Z"),
  row(3, "t-1", "active", "it's \"x\" or '1' eq '1", "2026-03-01T00:00:00Z"),
  row(4, "t-1", "closed", null, "2026-04-01T00:00:00Z"),
  row(5, "t-2", "active", "first", "2026-01-01T00:00:00Z"),
  row(6, "t-2", "past_due", null, "2026-02-01T00:00:00Z"),
];
const TYPES: ReadonlyMap<string, FieldType> = new Map([
  ["tenantID", "string"],
  ["tenant_id", "string"],
  ["status", "string"],
  ["note", "string"],
  ["customer", "string"],
  ["amount", "decimal"],
  ["created", "date-time"],
]);
const PAGES: Readonly<Record<string, unknown>> = {
  first: {
    dimensions: [
      { schemaFieldName: "status", dataType: "String" },
      { schemaFieldName: "amount", dataType: "Decimal" },
      { schemaFieldName: "tenantID", dataType: "String" },
    ],
    nextPageToken: "second",
  },
  second: {
    dimensions: [
      { schemaFieldName: "note", dataType: "String" },
      { schemaFieldName: "tags", dataType: "Map" },
    ],
  },
};

interface Heard {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
}
const heard: Heard[] = [];
const last = () => heard.at(-1)!;

/** What of its rows an operation answers with. */
const OPERATIONS: Readonly<Record<string, (heard: Heard) => readonly Row[]>> = {
  "/v1/costs": ({ body }) => pick(readTemplated(body["filter"] as Parameters<typeof readTemplated>[0]), "drop"),
  "/v1/orders": ({ query }) => pick(readPlain(query), "drop"),
  "/odata/People": ({ query }) => pick(readOdata(query.get("$filter")!), "drop"),
  "/items/tickets": ({ query }) => pick(readDirectus(JSON.parse(query.get("filter")!)), "drop"),
  "/v1/charges/search": ({ query }) => pick(readStripe(query.get("query")!), "drop"),
};

function pick(node: Node, nulls: NullOnNegation): readonly Row[] {
  return ROWS.filter((one) => selects(node, one, TYPES, nulls));
}

function readPlain(query: URLSearchParams): Node {
  const parts = [...new Set(query.keys())].flatMap((name): Node[] => {
    const values = query.getAll(name);
    if (name === "sort") return [];
    if (name === "created[gte]") return [leaf("created", "gte", String(Number(values[0]) * 1000))];
    return [leaf(name, "in", ...values)];
  });
  return all(parts);
}

let upstream: Served;
let session: Session;
let env: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), "vitrine-filters-"));
const claims = join(folder, "claims.yaml");

beforeAll(async () => {
  writeFileSync(claims, "claims: { tenantID: t-1 }");
  upstream = await serve(async (request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(await answer(request)));
  });
  env = { FILTERS_URL: upstream.url };
  session = await openSession([CURATION, "--as", claims], env);
});
afterAll(async () => {
  await session?.close();
  await upstream?.close();
});
beforeEach(() => {
  heard.length = 0;
});

async function answer(request: IncomingMessage): Promise<unknown> {
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://x");
  const sent = await text(request);
  const one: Heard = { path: pathname, query, body: sent === "" ? {} : JSON.parse(sent) };
  heard.push(one);
  if (pathname === "/v1/dimensions") return PAGES[query.get("pageToken") ?? "first"];
  return { rows: OPERATIONS[pathname]!(one) };
}

const single = (field: string, op: string, value?: string) => ({
  kind: "single",
  field,
  op,
  ...(value !== undefined && { value }),
});
const group = (match: string, ...conditions: unknown[]) => ({ kind: "composite", match, conditions });
const idsOf = (json: Record<string, unknown>) => (json["data"] as { id: number }[] | undefined)?.map(({ id }) => id);

test("the curation checks without an error", async () => {
  const { code, stdout } = await vitrine(["check", CURATION, "--json"]);
  const errors = JSON.parse(stdout).filter(({ severity }: { severity: string }) => severity === "error");
  expect([errors, code]).toStrictEqual([[], 0]);
});

test("a filter is offered where it is not hidden, its fields by name where they are known", async () => {
  const { tools } = await session.client.listTools();
  const filterOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties?.["filter"];
  expect(filterOf("list_people")).toMatchObject({
    properties: { field: { enum: ["status", "amount", "created", "customer", "note"] } },
  });
  expect(filterOf("query_costs")).toMatchObject({ properties: { field: { type: "string" } } });
  expect(filterOf("list_failed")).toBeUndefined();
});

describe("what a filter means is what comes back, in each language", () => {
  const ACTIVE = single("status", "eq", "active");
  const LARGE = single("amount", "gte", "20");
  const IN = { kind: "single", field: "status", op: "in", values: ["past_due", "closed"] };
  const HOSTILE = single("note", "eq", "it's \"x\" or '1' eq '1");
  const cases: [tool: string, filter: unknown, ids: number[]][] = [
    ["query_costs", ACTIVE, [1, 3]],
    ["query_costs", group("all", ACTIVE, LARGE), [3]],
    ["query_costs", group("any", single("status", "eq", "closed"), group("all", ACTIVE, LARGE)), [3, 4]],
    ["query_costs", HOSTILE, [3]],
    ["query_costs_dropping", single("note", "ne", "first"), [2, 3, 4]],
    ["query_costs_dropping", group("none", single("note", "eq", "first"), single("amount", "gte", "40")), [2, 3]],
    ["list_orders", ACTIVE, [1, 3]],
    ["list_orders", IN, [2, 4]],
    ["list_orders", group("all", IN, single("created_from", "eq", "2026-03-01T00:00:00Z")), [4]],
    ["list_orders", single("customer", "eq", "O'Hara 3"), [3]],
    ["list_people", group("any", IN, LARGE), [2, 3, 4]],
    ["list_people", HOSTILE, [3]],
    ["list_people", single("note", "ne", "first"), [2, 3, 4]],
    ["list_people", group("none", ACTIVE, single("note", "is_null")), []],
    ["list_tickets", group("all", group("any", ACTIVE, IN), LARGE), [2, 3, 4]],
    ["list_tickets", HOSTILE, [3]],
    ["search_charges", group("all", ACTIVE, LARGE), [3]],
    ["search_charges", single("note", "contains", "irs"), [1]],
  ];
  test.each(cases)("%s %j", async (tool, filter, ids) => {
    const { isError, json } = await session.call(tool, { filter });
    expect([isError, json["error"]]).toStrictEqual([false, undefined]);
    expect(idsOf(json)).toStrictEqual(ids);
    expect(json["appliedFilter"]).toStrictEqual(filter);
  });

  test("the echo is canonical: filled in, in the caller's own form, without what no caller sees", async () => {
    const filter = JSON.stringify({ field: "created_from", op: "eq", value: "2026-03-01T01:00:00+01:00" });
    const { json, text: shown } = await session.call("list_orders", { filter });
    expect(json["appliedFilter"]).toStrictEqual(single("created_from", "eq", "2026-03-01T00:00:00Z"));
    expect(last().query.get("created[gte]")).toBe("1772323200");
    expect(shown).not.toContain("tenantID");
  });

  test("an empty list with a filter says that nothing matched", async () => {
    const { json } = await session.call("list_people", {
      filter: single("status", "eq", "closed"),
      since: "2026-05-01",
    });
    expect(json).toMatchObject({ rowCount: 0, hasMore: false, note: expect.any(String), data: [] });
  });
});

describe("the pages of a filtered list", () => {
  const filter = single("amount", "gte", "20");

  test("keep the filter, and give each row once", async () => {
    const ids: unknown[] = [];
    let pageToken: unknown;
    for (let pages = 0; pages < 5; pages += 1) {
      const { json } = await session.call("list_people", { filter, limit: 1, ...(pages > 0 && { pageToken }) });
      expect(json).toMatchObject({ appliedFilter: filter, rowCount: 1 });
      ids.push(...(idsOf(json) ?? []));
      expect(last().query.get("$filter")).toContain("amount ge 20");
      pageToken = json["nextPageToken"];
      if (pageToken === undefined) break;
    }
    expect(ids).toStrictEqual([2, 3, 4]);
  });

  test("belong to it: another filter, written otherwise or not, is told from the same", async () => {
    const { json } = await session.call("list_people", { filter, limit: 1 });
    const pageToken = json["nextPageToken"];
    const same = JSON.stringify({ op: "gte", value: "20", field: "amount" });
    expect(idsOf((await session.call("list_people", { filter: same, pageToken })).json)).toStrictEqual([3, 4]);
    for (const other of [single("amount", "gte", "10"), undefined]) {
      const answer = await session.call("list_people", { pageToken, ...(other && { filter: other }) });
      expect(answer.json).toMatchObject({ error: "invalid_cursor" });
    }
  });
});

describe("what no caller sees", () => {
  test.each([
    ["query_costs", [1, 2, 3, 4]],
    ["list_people", [1, 2, 3, 4]],
    ["list_orders", [1, 2, 3, 4]],
    ["list_failed", [2]],
    ["search_charges", [1, 2, 3, 4]],
  ])("holds without a filter too: %s", async (tool, ids) => {
    const { json } = await session.call(tool);
    expect(idsOf(json)).toStrictEqual(ids);
    expect(json).not.toHaveProperty("appliedFilter");
  });

  test("reads arguments, and is left out where they are not given", async () => {
    expect(idsOf((await session.call("list_people", { since: "2026-03-01" })).json)).toStrictEqual([3, 4]);
    expect(last().query.get("$filter")).toBe("tenantID eq 't-1' and created ge 2026-03-01T00:00:00Z");
  });

  test.each([
    [
      "an `or` around it",
      group("any", single("status", "eq", "active"), single("status", "ne", "active")),
      [1, 2, 3, 4],
    ],
    ["its opposite", group("none", single("status", "eq", "nothing")), undefined],
  ])("is not widened by %s", async (_, filter, ids) => {
    const { json } = await session.call("list_people", { filter });
    expect(idsOf(json)).toStrictEqual(ids);
  });

  test("a hidden filter is no argument", async () => {
    const { json } = await session.call("list_failed", { filter: single("status", "eq", "active") });
    expect(json).toMatchObject({ error: "unknown_argument", path: "filter" });
    expect(heard).toHaveLength(0);
  });

  test("a field that a pin sets cannot be asked about", async () => {
    const { json } = await session.call("query_costs", { filter: single("tenantID", "eq", "t-2") });
    expect(json).toMatchObject({ error: "pinned_argument", path: "filter.field" });
    expect(heard.map(({ path }) => path)).not.toContain("/v1/costs");
  });
});

describe("what cannot be asked is refused before anything is sent", () => {
  const cases: [tool: string, filter: unknown, want: Record<string, unknown>][] = [
    [
      "query_costs",
      single("Status", "eq", "x"),
      {
        error: "unknown_fields",
        path: "filter.field",
        got: "Status",
        nearest: ["status"],
        recover: "Call `list_dimensions` and use exact name values.",
      },
    ],
    ["query_costs", single("tags", "eq", "x"), { error: "filter_not_expressible", path: "filter.field" }],
    ["query_costs", single("note", "ne", "x"), { error: "filter_not_expressible", path: "filter" }],
    ["query_costs", group("none", single("note", "eq", "x")), { error: "filter_not_expressible" }],
    [
      "query_costs",
      group("all", group("any", group("all", single("note", "eq", "x")))),
      { error: "invalid_arguments" },
    ],
    [
      "list_orders",
      group("any", single("status", "eq", "active"), single("customer", "eq", "x")),
      { error: expect.stringMatching(/filter_not_expressible|invalid_arguments/) },
    ],
    [
      "list_orders",
      group("all", single("customer", "eq", "a"), single("customer", "eq", "b")),
      { error: "filter_not_expressible" },
    ],
    [
      "list_people",
      single("status", "eq", "actve"),
      { error: "invalid_arguments", path: "filter.value", nearest: ["active"] },
    ],
    ["list_people", single("amount", "gte", "1e3"), { error: "invalid_arguments", path: "filter.value" }],
    [
      "search_charges",
      group("any", single("status", "eq", "active"), single("status", "eq", "closed")),
      { error: "filter_not_expressible", path: expect.stringMatching(/^filter/) },
    ],
    [
      "search_charges",
      { kind: "single", field: "status", op: "in", values: ["active", "closed"] },
      { error: "filter_not_expressible" },
    ],
    ["search_charges", single("note", "contains", "ab"), { error: "filter_not_expressible", path: "filter.value" }],
    ["search_charges", single("note", "ne", "first"), { error: "filter_not_expressible" }],
    ["list_tickets", single("note", "eq", "$NOW"), { error: "filter_not_expressible", path: "filter.value" }],
  ];
  test.each(cases)("%s %j", async (tool, filter, want) => {
    const { isError, json } = await session.call(tool, { filter });
    expect([isError, json]).toMatchObject([
      true,
      { ...want, message: expect.any(String), recover: expect.any(String) },
    ]);
    expect(heard.filter(({ path }) => path !== "/v1/dimensions")).toHaveLength(0);
  });

  test("`nullOnNegation` decides what is written: kept rows need no second half", async () => {
    const filter = single("note", "ne", "first");
    await session.call("list_people", { filter });
    expect(last().query.get("$filter")).toBe("tenantID eq 't-1' and (note ne 'first' or note eq null)");
    await session.call("list_people_keeping", { filter });
    expect(last().query.get("$filter")).toBe("tenantID eq 't-1' and note ne 'first'");
  });
});

describe("values that the upstream lists", () => {
  test("are checked over every page, and refused with the nearest and the tool that lists them", async () => {
    const { json } = await session.call("query_costs", { dimensions: ["note", "Amount"] });
    expect(json).toMatchObject({
      error: "unknown_fields",
      message: "Unknown fields: Amount.",
      path: "dimensions[1]",
      got: "Amount",
      nearest: ["amount"],
      recover: "Call `list_dimensions` and use exact name values.",
    });
    expect(heard.map(({ path }) => path)).not.toContain("/v1/costs");
  });

  test("are asked for once, under the pins", async () => {
    const fresh = await openSession([CURATION, "--as", claims], env);
    const filter = single("status", "eq", "active");
    await Promise.all([1, 2, 3].map(() => fresh.call("query_costs", { dimensions: ["note"], filter })));
    await fresh.call("query_costs", { dimensions: ["note"], filter });
    await fresh.close();
    const listed = heard.filter(({ path }) => path === "/v1/dimensions");
    expect(listed.map(({ query }) => [query.get("tenantID"), query.get("pageToken")])).toStrictEqual([
      ["t-1", null],
      ["t-1", "second"],
    ]);
  });
});
