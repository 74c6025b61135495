import { describe, expect, test } from "vitest";
import { writtenText } from "../../src/filter/dialect.ts";
import { NotExpressible } from "../../src/filter/refusal.ts";
import { writeFilter } from "../../src/filter/write-filter.ts";
import type { Condition, FilterField, FilterTarget } from "../../src/model/filter.ts";
import { conditionOf, groupOf, withPaths } from "./conditions.ts";
import { UPSTREAMS } from "./dialects.ts";

const of = (dialect: string) => UPSTREAMS.find(({ title }) => title === dialect)!;
const fieldOf = (dialect: string, name: string) => of(dialect).fields.find((one) => one.name === name)!;
const write = (dialect: string, condition: Condition, more: Partial<FilterTarget> = {}) =>
  writtenText(writeFilter(withPaths(condition), { ...of(dialect).target, ...more }));

/** The research's example: status in (…) AND (amount >= 1000 OR name = N) AND NOT stage = closed AND day is null. */
function example(dialect: string): Condition {
  const field = (name: string) => fieldOf(dialect, name);
  return groupOf("all", [
    conditionOf(field("status"), "in", ["active", "past_due"]),
    groupOf("any", [
      conditionOf(field("amount"), "gte", [1000]),
      conditionOf(field("name"), "eq", [`O'Hara, "X" \\ Co`]),
    ]),
    groupOf("none", [conditionOf(field("stage"), "eq", ["closed"])]),
    conditionOf(field("day"), "is_null", []),
  ]);
}

describe("the example of every language that has all of it", () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      "odata",
      `(status eq 'active' or status eq 'past_due') and (amount ge 1000 or name eq 'O''Hara, "X" \\ Co') and stage ne 'closed' and day eq null`,
    ],
    [
      "aip-160",
      `(status = "active" OR status = "past_due") AND (amount >= 1000 OR name = "O'Hara, \\"X\\" \\\\ Co") AND stage != "closed" AND NOT day:*`,
    ],
    [
      "rsql",
      `status=in=("active","past_due");(amount=ge="1000",name=="O'Hara, \\"X\\" \\\\ Co");stage!="closed";day=isnull=true`,
    ],
    [
      "soql",
      `status IN ('active', 'past_due') AND (amount >= 1000 OR name = 'O\\'Hara, "X" \\\\ Co') AND stage != 'closed' AND day = null`,
    ],
    [
      "jql",
      `"status" IN ("active", "past_due") AND ("amount" >= 1000 OR "name" = "O'Hara, \\"X\\" \\\\ Co") AND "stage" != "closed" AND "day" IS EMPTY`,
    ],
    [
      "lucene",
      `status:("active" OR "past_due") AND (amount:[1000 TO *] OR name:"O'Hara, \\"X\\" \\\\ Co") AND (*:* AND NOT stage:"closed") AND (*:* AND NOT _exists_:day)`,
    ],
    [
      "postgrest",
      `and=(status.in.("active","past_due"),or(amount.gte."1000",name.eq."O'Hara, \\"X\\" \\\\ Co"),stage.neq."closed",day.is.null)`,
    ],
    [
      "shopify",
      `(status:"active" OR status:"past_due") AND (amount:>=1000 OR name:"O'Hara, \\"X\\" \\\\ Co") AND -stage:"closed" AND -day:*`,
    ],
    [
      "datadog",
      `@status:("active" OR "past_due") AND (@amount:>=1000 OR @name:"O'Hara, \\"X\\" \\\\ Co") AND -@stage:"closed" AND -@day:*`,
    ],
    [
      "strapi",
      `filters[$and][0][status][$in][0]=active&filters[$and][0][status][$in][1]=past_due&filters[$and][1][$or][0][amount][$gte]=1000&filters[$and][1][$or][1][name][$eq]=O'Hara, "X" \\ Co&filters[$and][2][stage][$ne]=closed&filters[$and][3][day][$null]=true`,
    ],
  ];
  test.each(cases)("%s", (dialect, want) => expect(write(dialect, example(dialect))).toBe(want));
});

describe("traps", () => {
  const one = (dialect: string, name: string, op: Parameters<typeof conditionOf>[1], ...values: (string | number)[]) =>
    conditionOf(fieldOf(dialect, name), op, values);
  const cases: readonly (readonly [string, string, Condition, string])[] = [
    [
      "milliseconds are said, since Elasticsearch would fill them up",
      "elasticsearch",
      one("elasticsearch", "at", "gt", "2026-01-31T00:00:00Z"),
      '{"range":{"at":{"gt":"2026-01-31T00:00:00.000Z"}}}',
    ],
    [
      "one of should must match",
      "elasticsearch",
      groupOf("any", [one("elasticsearch", "qty", "eq", 1), one("elasticsearch", "qty", "eq", 2)]),
      '{"bool":{"should":[{"term":{"qty":{"value":1}}},{"term":{"qty":{"value":2}}}],"minimum_should_match":1}}',
    ],
    [
      "a part of a text is no pattern",
      "mongo",
      one("mongo", "name", "contains", "a.*(b"),
      '{"name":{"$regex":"a\\\\.\\\\*\\\\(b"}}',
    ],
    ["a sign of SQL's LIKE is escaped", "soql", one("soql", "name", "contains", "50%_'"), "name LIKE '%50\\%\\_\\'%'"],
    [
      "a moment in HubSpot is Unix milliseconds",
      "hubspot",
      one("hubspot", "at", "gte", "2026-01-31T00:00:00Z"),
      '{"filterGroups":[{"filters":[{"propertyName":"at","operator":"GTE","value":"1769817600000"}]}]}',
    ],
    [
      "HubSpot's IN takes lower case only",
      "hubspot",
      one("hubspot", "name", "in", "Abc", "b"),
      '{"filterGroups":[{"filters":[{"propertyName":"name","operator":"EQ","value":"Abc"}]},{"filters":[{"propertyName":"name","operator":"EQ","value":"b"}]}]}',
    ],
    [
      "a moment in Stripe is Unix seconds",
      "stripe-search",
      one("stripe-search", "at", "lt", "2026-01-31T00:00:00Z"),
      "at<1769817600",
    ],
    [
      "two bounds in GitHub are a range",
      "github-search",
      groupOf("all", [one("github-search", "size", "gte", 1), one("github-search", "size", "lte", 9)]),
      "size:1..9",
    ],
    [
      "a date in Notion is before or after",
      "notion",
      one("notion", "day", "ne", "2026-01-31"),
      '{"or":[{"property":"day","date":{"before":"2026-01-31"}},{"property":"day","date":{"after":"2026-01-31"}},{"property":"day","date":{"is_empty":true}}]}',
    ],
    [
      "a dimension of AWS is no tag",
      "aws-cost-explorer",
      groupOf("any", [one("aws-cost-explorer", "code", "eq", "EC2"), one("aws-cost-explorer", "name", "is_null")]),
      '{"Or":[{"Dimensions":{"Key":"CODE","Values":["EC2"],"MatchOptions":["EQUALS"]}},{"Tags":{"Key":"name","MatchOptions":["ABSENT"]}}]}',
    ],
    [
      "NOT over an order keeps rows without a value",
      "odata",
      groupOf("none", [one("odata", "qty", "lt", 5)]),
      "qty ge 5 or qty eq null",
    ],
    [
      "a column called like a parameter is none",
      "postgrest",
      conditionOf({ ...fieldOf("postgrest", "name"), to: "order" }, "eq", ["a"]),
      'and=(order.eq."a")',
    ],
    [
      "dots lead into relations",
      "directus",
      conditionOf({ ...fieldOf("directus", "name"), to: "author.name" }, "eq", ["a"]),
      '{"author":{"name":{"_eq":"a"}}}',
    ],
    [
      "the kind of a Notion property may be named",
      "notion",
      conditionOf({ ...fieldOf("notion", "status"), to: "status:Stage" }, "eq", ["active"]),
      '{"property":"Stage","status":{"equals":"active"}}',
    ],
    [
      "a page's own times in Notion are no properties",
      "notion",
      conditionOf({ ...fieldOf("notion", "at"), to: "created_time:" }, "gt", ["2026-01-31T00:00:00Z"]),
      '{"timestamp":"created_time","created_time":{"after":"2026-01-31T00:00:00Z"}}',
    ],
    [
      "a custom field of Jira is not quoted",
      "jql",
      conditionOf({ ...fieldOf("jql", "name"), to: "cf[10010]" }, "eq", ["a"]),
      'cf[10010] = "a"',
    ],
  ];
  test.each(cases)("%s (%s)", (_, dialect, condition, want) => expect(write(dialect, condition)).toBe(want));
});

describe("what an upstream does when it negates", () => {
  const ne = (dialect: string) => conditionOf(fieldOf(dialect, "status"), "ne", ["active"]);
  test("is made up for where it drops rows without a value", () => {
    expect(write("jql", ne("jql"))).toBe('"status" != "active" OR "status" IS EMPTY');
    expect(write("mongo", ne("mongo"), { nullOnNegation: "drop" })).toBe(
      '{"$or":[{"status":{"$ne":"active"}},{"status":{"$eq":null}}]}',
    );
  });
  test("is left alone where it keeps them", () => {
    expect(write("mongo", ne("mongo"))).toBe('{"status":{"$ne":"active"}}');
    expect(write("odata", ne("odata"), { nullOnNegation: "keep" })).toBe("status ne 'active'");
  });
  test("is left alone where the field always has a value", () => {
    expect(write("odata", conditionOf(fieldOf("odata", "stage"), "ne", ["active"]))).toBe("stage ne 'active'");
  });
});

interface Refusal {
  readonly what: string;
  readonly dialect: string;
  readonly condition: (field: (name: string) => FilterField) => Condition;
  readonly path: string;
  readonly reason: RegExp;
}

describe("a refusal says where and why", () => {
  const cases: readonly Refusal[] = [
    {
      what: "an operator that the language has not",
      dialect: "aws-cost-explorer",
      condition: (f) => groupOf("all", [conditionOf(f("name"), "eq", ["a"]), conditionOf(f("amount"), "gte", [1000])]),
      path: "filter.conditions[1]",
      reason: /no `gte` for the decimal field `amount`/,
    },
    {
      what: "a group that the language has not",
      dialect: "django",
      condition: (f) =>
        groupOf("all", [
          conditionOf(f("code"), "eq", ["a"]),
          groupOf("any", [conditionOf(f("size"), "lt", [1]), conditionOf(f("size"), "gt", [9])]),
        ]),
      path: "filter.conditions[1]",
      reason: /no `any`/,
    },
    {
      what: "AND beside OR",
      dialect: "stripe-search",
      condition: (f) =>
        groupOf("all", [
          conditionOf(f("code"), "eq", ["a"]),
          groupOf("any", [conditionOf(f("size"), "lt", [1]), conditionOf(f("size"), "gt", [9])]),
        ]),
      path: "filter.conditions[1]",
      reason: /mix/,
    },
    {
      what: "a list that becomes OR",
      dialect: "stripe-search",
      condition: (f) => groupOf("all", [conditionOf(f("code"), "eq", ["a"]), conditionOf(f("size"), "in", [1, 2])]),
      path: "filter.conditions[1]",
      reason: /mix/,
    },
    {
      what: "a value of a list",
      dialect: "django",
      condition: (f) => groupOf("all", [conditionOf(f("name"), "in", ["a", "b,c"])]),
      path: "filter.conditions[0].values[1]",
      reason: /comma/,
    },
    {
      what: "a value, deep inside",
      dialect: "rsql",
      condition: (f) =>
        groupOf("any", [
          conditionOf(f("code"), "eq", ["a"]),
          groupOf("none", [conditionOf(f("code"), "eq", ["b"]), conditionOf(f("code"), "eq", ["c*"])]),
        ]),
      path: "filter.conditions[1].conditions[1].value",
      reason: /wildcard/,
    },
    {
      what: "rows without a value that cannot be asked for",
      dialect: "aws-cost-explorer",
      condition: (f) => conditionOf({ ...f("code"), nullable: true }, "ne", ["a"]),
      path: "filter",
      reason: /keeps rows without `code`/,
    },
    {
      what: "an unknown treatment of rows without a value",
      dialect: "params",
      condition: (f) => groupOf("all", [groupOf("none", [conditionOf(f("name"), "eq", ["a"])])]),
      path: "filter.conditions[0].conditions[0]",
      reason: /not known whether/,
    },
    {
      what: "too many groups",
      dialect: "hubspot",
      condition: (f) =>
        groupOf(
          "all",
          [1, 2, 3].map((n) =>
            groupOf(
              "any",
              [1, 2, 3].map((m) => conditionOf(f("size"), "eq", [10 * n + m])),
            ),
          ),
        ),
      path: "filter",
      reason: /27 of at most 5/,
    },
    {
      what: "too many conditions in a group",
      dialect: "hubspot",
      condition: (f) =>
        groupOf(
          "all",
          Array.from({ length: 11 }, (_, n) => conditionOf(f("size"), "gt", [n])),
        ),
      path: "filter",
      reason: /at most 10/,
    },
    {
      what: "too many characters",
      dialect: "github-search",
      condition: (f) => conditionOf(f("code"), "eq", ["a".repeat(300)]),
      path: "filter",
      reason: /256 characters/,
    },
    {
      what: "a second condition on one qualifier",
      dialect: "github-search",
      condition: (f) => groupOf("all", [conditionOf(f("name"), "eq", ["a"]), conditionOf(f("name"), "eq", ["b"])]),
      path: "filter.conditions[1]",
      reason: /only/,
    },
    {
      what: "a second parameter of one name",
      dialect: "json-api",
      condition: (f) => groupOf("all", [conditionOf(f("name"), "eq", ["a"]), conditionOf(f("name"), "eq", ["b"])]),
      path: "filter.conditions[1]",
      reason: /only/,
    },
  ];
  test.each(cases)("$what ($dialect)", ({ dialect, condition, path, reason }) => {
    const given = withPaths(condition((name) => fieldOf(dialect, name)));
    const thrown = (() => {
      try {
        return writeFilter(given, of(dialect).target);
      } catch (error) {
        return error;
      }
    })();
    expect(thrown).toBeInstanceOf(NotExpressible);
    expect(thrown).toMatchObject({ code: "NOT_EXPRESSIBLE", path, message: expect.stringMatching(reason) });
  });
});

test("bounds of the author are laid over the dialect's", () => {
  const condition = conditionOf(fieldOf("hubspot", "size"), "in", [1, 2, 3]);
  expect(() => write("hubspot", condition, { limits: { leaves: 0 } })).toThrow(/at most 0 conditions/);
});

test("what is nested too deep for two levels is multiplied out where that fits", () => {
  const f = (name: string) => fieldOf("notion", name);
  const deep = groupOf("any", [
    conditionOf(f("code"), "eq", ["a"]),
    groupOf("all", [
      conditionOf(f("code"), "eq", ["b"]),
      groupOf("any", [conditionOf(f("size"), "eq", [1]), conditionOf(f("size"), "eq", [2])]),
    ]),
  ]);
  expect(JSON.parse(write("notion", deep)).or).toHaveLength(3);
});
