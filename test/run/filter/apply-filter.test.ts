import { describe, expect, test } from "vitest";
import type { Binding, OperationPlan } from "../../../src/model/call.ts";
import type { Condition, FilterTarget } from "../../../src/model/filter.ts";
import type { Json } from "../../../src/model/json.ts";
import { applyFilter } from "../../../src/run/filter/apply-filter.ts";
import { planRequest } from "../../../src/run/request/plan-request.ts";
import { conditionOf, groupOf, withPaths } from "../../filter/conditions.ts";
import {
  askingOf,
  bind,
  body,
  callOf,
  field,
  filled,
  type Given,
  operation,
  POST,
  parameter,
  query,
  refusalOf,
  value,
} from "./fixture.ts";

const status = field("status");
const created = field("created", { type: "date-time", nullable: false });
const open = conditionOf(status, "eq", ["open"]);
const since = conditionOf(created, "gte", ["2026-01-31T00:00:00Z"]);
const both = withPaths(groupOf("all", [open, since]));

/** What is sent, without the origin, and the body. */
function requestOf(given: Given, condition: Condition | undefined): { readonly target: string; readonly body: Json } {
  const asking = askingOf({ filter: {}, ...given });
  const call = applyFilter(callOf(asking), condition, asking);
  const { url, body } = planRequest(call, asking.toolset.operations[0]!, asking.access.upstream, asking.wire);
  return {
    target: decodeURIComponent(new URL(url).href.slice(new URL(url).origin.length)),
    body: typeof body === "string" ? JSON.parse(body) : null,
  };
}

const JSON_TEMPLATES: FilterTarget = {
  dialect: "json",
  templates: {
    single: { field: "{field}", op: "{op}", value: "{value}" },
    all: { and: "{conditions}" },
    any: { or: "{conditions}" },
  },
};
const WRITTEN = {
  and: [
    { field: "status", op: "eq", value: "open" },
    { field: "created", op: "gte", value: "2026-01-31T00:00:00Z" },
  ],
};
const DIRECTUS = { _and: [{ status: { _eq: "open" } }, { created: { _gte: "2026-01-31T00:00:00Z" } }] };
const ONLY_CREATED = { filter: { target: { dialect: "odata" }, to: filled(query("$filter"), "string") } } as const;

describe("a filter goes", () => {
  const PLACES: readonly (readonly [title: string, given: Given, target: string, body?: Json])[] = [
    [
      "as text to its place in the query",
      { call: ONLY_CREATED },
      "/things?$filter=status eq 'open' and created ge 2026-01-31T00:00:00Z",
    ],
    [
      "as text into a body, beside what is there",
      {
        operations: [operation("/things", POST)],
        call: {
          bindings: [bind(body("search", "sort"), { literal: "name" })],
          filter: { target: { dialect: "odata" }, to: filled(body("search", "q"), "string") },
        },
      },
      "/things",
      { search: { sort: "name", q: "status eq 'open' and created ge 2026-01-31T00:00:00Z" } },
    ],
    [
      "as JSON into a body",
      {
        operations: [operation("/things", POST)],
        call: { filter: { target: JSON_TEMPLATES, to: filled(body("filter"), "object") } },
      },
      "/things",
      { filter: WRITTEN },
    ],
    [
      "as a whole body, beside what else is in it",
      {
        operations: [operation("/things", POST)],
        call: {
          bindings: [bind(body("limit"), { literal: 5 })],
          filter: { target: { dialect: "directus" }, to: filled(body(), "object") },
        },
      },
      "/things",
      { limit: 5, ...DIRECTUS },
    ],
    [
      "as the text of JSON where a body takes a text",
      {
        operations: [operation("/things", POST)],
        call: { filter: { target: JSON_TEMPLATES, to: filled(body("filter"), "string") } },
      },
      "/things",
      { filter: JSON.stringify(WRITTEN) },
    ],
    [
      "as the text of JSON in a query, also where the spec calls it an object",
      { call: { filter: { target: { dialect: "directus" }, to: filled(query("filter"), "object") } } },
      `/things?filter=${JSON.stringify(DIRECTUS)}`,
    ],
    [
      "in brackets where the spec says so",
      {
        operations: [operation("/things", { parameters: [parameter("filter", { style: "deepObject" })] })],
        call: { filter: { target: { dialect: "directus" }, to: filled(query("filter"), "object") } },
      },
      "/things?filter[_and][0][status][_eq]=open&filter[_and][1][created][_gte]=2026-01-31T00:00:00Z",
    ],
    [
      "as parameters",
      { call: { filter: { target: { dialect: "django" } } } },
      "/things?status=open&created__gte=2026-01-31T00:00:00Z",
    ],
  ];
  test.each(PLACES.map(([title, ...rest]) => ({ title, rest })))("$title", ({ rest: [given, target, sent = null] }) => {
    expect(requestOf(given, both)).toStrictEqual({ target, body: sent });
  });

  test("nowhere where there is none", () => {
    const asking = askingOf({ filter: {}, call: { bindings: [bind(query("sort"), { literal: "name" })] } });
    expect(applyFilter(callOf(asking), undefined, asking)).toBe(callOf(asking));
  });

  test("never away without a word: a call without a place for it is an error of ours", () => {
    const asking = askingOf({ filter: {} });
    expect(() => applyFilter(callOf(asking), open, asking)).toThrow("has no place for the filter");
  });
});

describe("values at places of their own (params)", () => {
  const target: FilterTarget = { dialect: "params" };
  const by = (to: string, templates: Readonly<Record<string, Json>>, type: "string" | "integer" = "string") =>
    field("x", { to, type, templates, nullable: false });
  const at = (
    name: string,
    type: Parameters<typeof filled>[1],
    style: Partial<Parameters<typeof parameter>[1]> = {},
  ): Given => ({
    operations: [operation("/things", { parameters: [parameter(name, style)] })],
    call: { filter: { target, places: [[`query.${name}`, filled(query(name), type)]] } },
  });

  test.each([
    ["a value", by("query.n", {}), "eq", ["a b"], at("n", "string"), "/things?n=a b"],
    ["a number as a number", by("query.n", {}, "integer"), "eq", [5], at("n", "integer"), "/things?n=5"],
    ["a list", by("query.n", { in: "{values}" }), "in", ["a", "b"], at("n", "array"), "/things?n=a&n=b"],
    ["one of a list", by("query.n", {}), "eq", ["a"], at("n", "array"), "/things?n=a"],
    [
      "a list in one",
      by("query.n", { in: "{values}" }),
      "in",
      ["a", "b"],
      at("n", "array", { explode: false }),
      "/things?n=a,b",
    ],
    [
      "a bound in brackets",
      by("query.n", { gte: { gte: "{value}" } }, "integer"),
      "gte",
      [5],
      at("n", "object", { style: "deepObject" }),
      "/things?n[gte]=5",
    ],
  ] as const)("%s", (_, one, op, values, given, want) => {
    expect(requestOf(given, conditionOf(one, op, values)).target).toBe(want);
  });

  test("inside a body and inside an object of the query", () => {
    const bounds = [field("from", { to: "query.created/gte" }), field("kind", { to: "body/where/kind" })];
    const given: Given = {
      operations: [operation("/things", { ...POST, parameters: [parameter("created", { style: "deepObject" })] })],
      call: {
        filter: {
          target,
          places: [
            ["query.created/gte", filled(query("created", "gte"))],
            ["body/where/kind", filled(body("where", "kind"))],
          ],
        },
      },
    };
    const condition = groupOf(
      "all",
      bounds.map((one) => conditionOf(one, "eq", ["5"])),
    );
    expect(requestOf(given, condition)).toStrictEqual({
      target: "/things?created[gte]=5",
      body: { where: { kind: "5" } },
    });
  });

  test.each([
    [
      "a value that the place cannot take",
      by("query.n", {}),
      "eq",
      ["abc"],
      at("n", "integer"),
      { path: "filter", message: expect.stringContaining("does not take") },
    ],
    [
      "a comma where commas separate, encoded or not",
      by("query.n", { in: "{values}" }),
      "in",
      ["a,b", "c"],
      at("n", "array", { explode: false }),
      { path: "filter", message: expect.stringContaining("separates") },
    ],
    [
      "a bar where bars separate",
      by("query.n", { in: "{values}" }),
      "in",
      ["a|b", "c"],
      at("n", "array", { explode: false, style: "pipeDelimited" }),
      { path: "filter", message: expect.stringContaining("separates") },
    ],
  ] as const)("refuse %s", async (_, one, op, values, given, want) => {
    expect(await refusalOf(() => requestOf(given, conditionOf(one, op, values)))).toMatchObject({
      error: "filter_not_expressible",
      retryable: false,
      ...want,
    });
  });
});

describe("what a language cannot say", () => {
  const stripe: Given = {
    call: { filter: { target: { dialect: "stripe-search" }, to: filled(query("query"), "string") } },
  };
  const any = groupOf("any", [open, conditionOf(status, "eq", ["past_due"])]);

  test.each([
    ["groups that mix", withPaths(groupOf("all", [any, since])), "filter.conditions[0]", /mix/],
    [
      "a value",
      withPaths(groupOf("all", [conditionOf(status, "contains", ["ab"]), since])),
      "filter.conditions[0].value",
      /3 characters/,
    ],
  ])("is refused with its place: %s", async (_, condition, path, message) => {
    expect(await refusalOf(() => requestOf(stripe, condition))).toMatchObject({
      error: "filter_not_expressible",
      path,
      message: expect.stringMatching(message),
      recover: expect.any(String),
    });
  });

  test("is refused where it is longer than the upstream takes", async () => {
    const target: FilterTarget = { dialect: "odata", limits: { characters: 20 } };
    const given: Given = { call: { filter: { target, to: filled(query("q"), "string") } } };
    expect(await refusalOf(() => requestOf(given, both))).toMatchObject({
      error: "filter_not_expressible",
      path: "filter",
    });
    expect(requestOf(given, open).target).toBe("/things?q=status eq 'open'");
  });

  const secret = { ...conditionOf(field("secret_flag"), "contains", ["ab"]), path: "always.secret_flag.contains" };
  test("of a condition that no caller sees, no caller learns", () => {
    expect(() => requestOf(stripe, secret)).toThrow(/^A condition of `filter.always`/);
    expect(() =>
      requestOf({ ...stripe, filter: { always: [["secret_flag.contains", value("pins.x")]] } }, secret),
    ).toThrow(/^A condition of `filter.always`/);
  });

  test("of a condition whose value is a caller's argument is told in words of that argument", async () => {
    const always = [["secret_flag.contains", value("input.part")]] as const;
    const refusal = await refusalOf(() => requestOf({ ...stripe, filter: { always } }, { ...secret }));
    expect(refusal).toMatchObject({ error: "filter_not_expressible", path: "part" });
    expect(JSON.stringify(refusal)).not.toContain("secret_flag");
  });
});

describe("a part of a filter never goes where something else goes", () => {
  const django = { target: { dialect: "django" } } as const;
  const json = { target: JSON_TEMPLATES, to: filled(body("filter")) };
  const pinned = { pinned: true } as const;
  const key = (name: string): Given["toolset"] => ({
    upstream: {
      ...askingOf({}).toolset.upstream,
      credentials: [{ scheme: "k", credential: { kind: "apiKey", in: "query", name, value: value("env.KEY") } }],
    },
  });
  type Taken = readonly [
    title: string,
    name: string,
    error: "pinned_argument" | "filter_not_expressible",
    bindings: readonly Binding[],
    more?: { readonly operation?: Partial<OperationPlan>; readonly toolset?: Given["toolset"] },
  ];
  const TAKEN: readonly Taken[] = [
    ["a pin", "tenant", "pinned_argument", [bind(query("tenant"), { literal: "t-1" }, pinned)]],
    ["a pin in other letters", "Tenant", "pinned_argument", [bind(query("tenant"), { literal: "t-1" }, pinned)]],
    [
      "a pin in an object that is spread",
      "tenant",
      "pinned_argument",
      [bind(query("scope", "tenant"), { literal: "t-1" }, pinned)],
    ],
    ["another argument", "sort", "filter_not_expressible", [bind(query("sort"), "input.sort")]],
    ["a fixed value", "format", "filter_not_expressible", [bind(query("format"), { literal: "json" })]],
    [
      "a property that becomes a parameter",
      "sort",
      "filter_not_expressible",
      [bind(query("options"), { literal: { sort: "x" } })],
    ],
    ["a page", "page", "filter_not_expressible", [bind(query("page"), { literal: 2 }, { type: "integer" })]],
    ["a credential", "api_key", "filter_not_expressible", [], { toolset: key("api_key") }],
    ["the template's own query", "kind", "filter_not_expressible", [], { operation: { path: "/things?kind=a" } }],
  ];
  test.each(TAKEN.map(([title, ...taken]) => ({ title, taken })))("$title", async ({ taken }) => {
    const [name, error, bindings, more = {}] = taken;
    const given: Given = {
      operations: [operation("/things", more.operation)],
      call: { bindings, filter: django },
      input: { sort: "name" },
      ...(more.toolset && { toolset: { ...more.toolset, operations: [operation("/things", more.operation)] } }),
    };
    const condition = withPaths(conditionOf(field(name), "eq", ["t-2"]));
    expect(await refusalOf(() => requestOf(given, condition))).toMatchObject({ error, path: "filter" });
    expect(requestOf(given, conditionOf(field("other"), "eq", ["x"])).target).toContain("other=x");
  });

  test("an argument that is not given is not in the way", () => {
    const call = { bindings: [bind(query("status"), "input.status")], filter: django };
    expect(requestOf({ call }, open).target).toBe("/things?status=open");
  });

  test("brackets of another name are another place, those of the same name are not", async () => {
    const target: FilterTarget = { dialect: "json-api" };
    const call = (pointer: string) => ({
      bindings: [bind(query("filter", pointer), { literal: "x" })],
      filter: { target },
    });
    const operations = [operation("/things", { parameters: [parameter("filter", { style: "deepObject" })] })];
    expect(requestOf({ operations, call: call("kind") }, open).target).toBe(
      "/things?filter[kind]=x&filter[status]=open",
    );
    expect(await refusalOf(() => requestOf({ operations, call: call("status") }, open))).toMatchObject({
      error: "filter_not_expressible",
    });
  });

  test.each([
    ["a property of its own beside it", body("filter", "tenant"), undefined],
    ["one that it has", body("filter", "and"), "pinned_argument"],
    ["the whole of it", body("filter"), "pinned_argument"],
  ] as const)("a pin inside the filter's object may be %s", async (_, place, error) => {
    const operations = [operation("/things", POST)];
    const call = { bindings: [bind(place, { literal: "t-1" }, pinned)], filter: json };
    const given: Given = { operations, call };
    if (error === undefined)
      expect(requestOf(given, both).body).toStrictEqual({ filter: { ...WRITTEN, tenant: "t-1" } });
    else expect(await refusalOf(() => requestOf(given, both))).toMatchObject({ error });
  });
});
