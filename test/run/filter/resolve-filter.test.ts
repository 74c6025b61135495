import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { ToolFilter } from "../../../src/model/tool.ts";
import { resolveFilter } from "../../../src/run/filter/resolve-filter.ts";
import {
  argumentsOf,
  askingOf,
  bind,
  dimensions,
  expression,
  field,
  type Given,
  query,
  refusalOf,
  scripted,
  value,
} from "./fixture.ts";

const status = field("status", {
  type: "enum",
  values: [
    { text: "open", wire: 1 },
    { text: "closed", wire: 2 },
  ],
});
const created = field("created", { type: "date-time", as: { as: "unix" } });
const amount = field("amount", {
  type: "decimal",
  as: { as: "minor", unit: { kind: "literal", value: "EUR" } },
});

function resolve(
  filter: unknown,
  given: Given & { readonly filter?: Partial<ToolFilter> } = {},
  egress = scripted({}).egress,
) {
  const { filter: more, ...rest } = given;
  const asking = askingOf({ ...rest, filter: { fields: [status, created, amount], ...more } }, egress);
  return resolveFilter(argumentsOf(given.input ?? {}, filter), asking);
}

const single = (name: string, op: string, text: Json) => ({ kind: "single", field: name, op, value: text });

describe("a caller's filter", () => {
  test("is echoed as it was understood, its values in the caller's form", async () => {
    const conditions = [
      single("status", "eq", "open"),
      single("created", "gte", "2026-01-31T02:00:00+02:00"),
      single("amount", "lt", 12.5),
    ];
    const { applied, condition } = await resolve({ match: "any", conditions });
    expect(applied).toStrictEqual({
      kind: "composite",
      match: "any",
      conditions: [
        single("status", "eq", "open"),
        single("created", "gte", "2026-01-31T00:00:00Z"),
        single("amount", "lt", "12.5"),
      ],
    });
    expect(condition).toMatchObject({
      match: "any",
      conditions: [{ value: { wire: 1 } }, { value: { wire: 1769817600 } }, { value: { wire: 1250 } }],
    });
  });

  test.each([
    ["no filter", undefined],
    ["null", null],
  ])("%s is none", async (_, raw) => {
    expect(await resolve(raw ?? undefined)).toStrictEqual({});
  });

  test("is needed where the upstream takes no call without a condition", async () => {
    const needed = { required: true } as const;
    expect(await refusalOf(() => resolve(undefined, { filter: needed }))).toMatchObject({
      error: "invalid_arguments",
      path: "filter",
      message: expect.stringContaining("is required"),
    });
    const always: ToolFilter["always"] = [["repo", { kind: "literal", value: "a/b" }]];
    expect(await resolve(undefined, { filter: { ...needed, always } })).toHaveProperty("condition");
  });

  test("of a tool without filters is not looked at", async () => {
    expect(await resolveFilter(argumentsOf({}, single("a", "eq", "b")), askingOf({}))).toStrictEqual({});
  });

  const WRONG: readonly (readonly [title: string, filter: Json, want: JsonObject])[] = [
    [
      "an unknown field, with the nearest",
      single("Status", "eq", "open"),
      {
        error: "unknown_fields",
        path: "filter.field",
        got: "Status",
        nearest: ["status"],
        allowed: ["status", "created", "amount"],
      },
    ],
    [
      "a value of no listed kind",
      single("status", "eq", "opne"),
      { error: "invalid_arguments", path: "filter.value", nearest: ["open"] },
    ],
    ["no digit is dropped", single("amount", "eq", "1.005"), { error: "invalid_arguments", path: "filter.value" }],
    [
      "no part of a second is dropped",
      single("created", "gte", "2026-01-31T00:00:00.5Z"),
      { error: "invalid_arguments", path: "filter.value" },
    ],
    ["text that is no JSON", "status=open", { error: "invalid_arguments", path: "filter" }],
    ["an object as a value", single("status", "eq", { $ne: 1 }), { error: "invalid_arguments", path: "filter.value" }],
    [
      "several things at once",
      { match: "all", conditions: [single("x", "eq", "1"), single("amount", "eq", "abc")] },
      { error: "unknown_fields", path: "filter.conditions[0].field" },
    ],
  ];
  test.each(WRONG)("is refused: %s", async (_, filter, want) => {
    expect(await refusalOf(() => resolve(filter))).toMatchObject({ ...want, retryable: false });
  });

  test("is refused with all that is wrong in one message", async () => {
    const conditions = [single("x", "eq", "1"), single("amount", "eq", "abc")];
    const { message } = await refusalOf(() => resolve({ match: "all", conditions }));
    expect(message).toMatch(
      /^2 arguments are wrong: \(1\) There is no field `x`.*\(2\) `filter.conditions\[1\].value` must be/,
    );
  });

  test("of an operator that the field has not is refused as not expressible", async () => {
    const filter = { fields: [field("name", { ops: ["eq"] })] };
    expect(await refusalOf(() => resolve(single("name", "contains", "x"), { filter }))).toMatchObject({
      error: "filter_not_expressible",
      path: "filter.op",
      allowed: ["eq"],
    });
  });
});

describe("fields that the upstream lists", () => {
  const LISTED = {
    dimensions: [
      { schemaFieldName: "FOCUS/ServiceName", dataType: "string" },
      { schemaFieldName: "FOCUS/BilledCost", dataType: "Decimal" },
      { schemaFieldName: "FOCUS/Tags", dataType: "json" },
      { schemaFieldName: "tenantID", dataType: "string" },
      { schemaFieldName: "status", dataType: "decimal" },
      { schemaFieldName: null, dataType: "string" },
    ],
  };
  const filter = { fields: [status], from: { ...dimensions(), type: expression("dataType") } };
  const listed = () => scripted(LISTED);
  const refusal = (raw: Json, given: Given = {}) =>
    refusalOf(() => resolve(raw, { filter, ...given }, listed().egress));

  test("are filtered by under their exact names and types", async () => {
    const { condition } = await resolve(single("FOCUS/BilledCost", "gt", "5"), { filter }, listed().egress);
    expect(condition).toMatchObject({ field: { to: "FOCUS/BilledCost", type: "decimal", nullable: true } });
  });

  test("never stand over those of the author", async () => {
    const { condition } = await resolve(single("status", "eq", "open"), { filter }, listed().egress);
    expect(condition).toMatchObject({ field: { type: "enum" } });
  });

  test("of no known name are refused with the nearest and the tool that lists them", async () => {
    expect(await refusal(single("ServiceName", "eq", "x"))).toMatchObject({
      error: "unknown_fields",
      path: "filter.field",
      got: "ServiceName",
      nearest: ["FOCUS/ServiceName"],
      recover: "Call `ledger_list_dimensions` and use exact name values.",
    });
  });

  test("of a type that nobody knows are refused by it", async () => {
    expect(await refusal(single("FOCUS/Tags", "eq", "x"))).toMatchObject({
      error: "filter_not_expressible",
      message: expect.stringContaining("`json`"),
    });
  });

  test.each([
    ["its own name", { pins: { tenantID: "t-1" } }],
    ["its own name in other letters", { pins: { TENANTID: "t-1" } }],
    ["a place", { call: { bindings: [bind(query("tenantId"), "pins.t", { pinned: true })] }, pins: { t: "t-1" } }],
  ] as const)("that a pin sets under %s are refused", async (_, given) => {
    expect(await refusal(single("tenantID", "eq", "t-2"), given)).toMatchObject({
      error: "pinned_argument",
      path: "filter.field",
    });
  });

  test("are asked for only where a caller filters", async () => {
    const { egress, sent } = listed();
    await resolve(
      undefined,
      { filter: { ...filter, always: [["status", { kind: "literal", value: "open" }]] } },
      egress,
    );
    expect(sent).toHaveLength(0);
  });

  test("that cannot be read fail the call in words of the filter", async () => {
    const { egress } = scripted(async () => ({ status: 503, body: '{"message":"down"}' }));
    expect(await refusalOf(() => resolve(single("x", "eq", "y"), { filter }, egress))).toMatchObject({
      error: "upstream_unavailable",
      message: expect.stringMatching(/^The upstream's list of what `filter` can hold was not read\./),
    });
  });

  test("cannot be judged beyond what was read, and the message says so", async () => {
    const { egress } = scripted({ ...LISTED, next_page_token: "p2" });
    const { message } = await refusalOf(() => resolve(single("zzz", "eq", "y"), { filter }, egress));
    expect(message).toContain("lists more of them than were read");
  });

  test.each([
    ["an empty list", { body: '{"dimensions":[]}' }, "lists no field at all", "Call again without `filter`."],
    ["nothing", { status: 204, body: "" }, "lists no field at all", "Call again without `filter`."],
  ])("are none where the upstream gives %s: no other name would fare better", async (_, reply, words, recover) => {
    const { egress } = scripted(async () => ({ status: 200, ...reply }));
    const refused = await refusalOf(() =>
      resolve(single("x", "eq", "y"), { filter: { ...filter, fields: [] } }, egress),
    );
    expect(refused).toMatchObject({ error: "unknown_fields", message: expect.stringContaining(words), recover });
  });

  test("are all known where they came in one answer, however many", async () => {
    const all = Array.from({ length: 12_000 }, (_, at) => ({ schemaFieldName: `f${at}`, dataType: "string" }));
    const { message } = await refusalOf(() =>
      resolve(single("x", "eq", "y"), { filter }, scripted({ dimensions: all }).egress),
    );
    expect(message).not.toContain("more of them");
  });
});

describe("`always`", () => {
  const always = (entries: Readonly<Record<string, string | { literal: Json }>>): Partial<ToolFilter> => ({
    always: Object.entries(entries).map(([key, from]) => [
      key,
      typeof from === "string" ? value(from) : { kind: "literal", value: from.literal },
    ]),
  });
  const given = (entries: Parameters<typeof always>[0], more: Given = {}): Given => ({
    ...more,
    filter: always(entries),
  });

  test("stands beside the caller's filter and is not echoed", async () => {
    const { condition, applied } = await resolve(
      single("status", "eq", "open"),
      given(
        { repo: "pins.repo", "created.gte": "input.since" },
        { pins: { repo: "a/b" }, input: { since: "2026-01-31T00:00:00Z" } },
      ),
    );
    expect(applied).toStrictEqual(single("status", "eq", "open"));
    expect(condition).toMatchObject({
      kind: "group",
      match: "all",
      conditions: [
        { field: { name: "repo" }, op: "eq", value: { wire: "a/b" } },
        { field: { name: "created" }, op: "gte", value: { wire: 1769817600 } },
        { field: { name: "status" } },
      ],
    });
  });

  test("holds without a filter of the caller too", async () => {
    expect(await resolve(undefined, given({ repo: { literal: "a/b" } }))).toStrictEqual({
      condition: expect.objectContaining({ op: "eq", path: "always.repo" }),
    });
  });

  test("leaves out a condition whose argument is not given", async () => {
    expect(await resolve(undefined, given({ repo: "input.repo" }))).toStrictEqual({});
  });

  test("reads arguments in the upstream's form", async () => {
    const { condition } = await resolve(undefined, given({ n: "input.n" }, { input: { n: "five" }, wire: { n: 5 } }));
    expect(condition).toMatchObject({ field: { type: "integer" }, value: { wire: 5 } });
  });

  test.each([
    ["alone", "pins.repo"],
    ["inside", "pins.scope.repo"],
    ["with a way out", "input.repo || pins.repo"],
  ])("fails closed where a pin %s has no value", async (_, from) => {
    await expect(resolve(undefined, given({ repo: from }, { pins: { other: "x" } }))).rejects.toThrow(
      "The pin in `filter.always.repo` has no value.",
    );
  });

  test("tells the caller of an argument that is no value of its field, in words of that argument", async () => {
    expect(
      await refusalOf(() =>
        resolve(undefined, given({ "created.gte": "input.since" }, { input: { since: "yesterday" } })),
      ),
    ).toMatchObject({ error: "invalid_arguments", path: "since", message: expect.stringMatching(/^`since` must be/) });
  });

  test.each([
    ["a fixed value of the wrong type", { "created.gte": { literal: "soon" } }],
    ["an object that an argument gives inside another", { repo: { literal: { $ne: 1 } } }],
    ["an empty list", { "repo.in": { literal: [] } }],
  ])("is the operator's where it is at fault: %s", async (_, entries) => {
    await expect(resolve(undefined, given(entries))).rejects.toThrow(
      /^A condition of `filter.always` cannot be asked for/,
    );
  });
});
