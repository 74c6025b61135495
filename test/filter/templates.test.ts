import { describe, expect, test } from "vitest";
import { listFieldTemplateFaults, listTemplateFaults } from "../../src/filter/check-templates.ts";
import { findDialect } from "../../src/filter/find-dialect.ts";
import { offerOps } from "../../src/filter/offer-ops.ts";
import { NotExpressible } from "../../src/filter/refusal.ts";
import { writeFilter } from "../../src/filter/write-filter.ts";
import type {
  Condition,
  FilterField,
  FilterOp,
  FilterTarget,
  FilterTemplates,
  WrittenFilter,
} from "../../src/model/filter.ts";
import type { Json } from "../../src/model/json.ts";
import { conditionOf, groupOf } from "./conditions.ts";

const field = (name: string, more: Partial<FilterField> = {}): FilterField => ({
  name,
  to: name,
  type: "string",
  nullable: false,
  ...more,
});
const NAME = field("name");
const QTY = field("qty", { type: "integer" });

function contentOf(written: WrittenFilter): Json {
  switch (written.kind) {
    case "text":
      return written.text;
    case "json":
      return written.value;
    case "parameters":
      return written.parameters.map(([name, value]) => `${name}=${value}`).join("&");
    default:
      return Object.fromEntries(written.values.map(({ to, value }) => [to, value]));
  }
}
const write = (target: FilterTarget, condition: Condition): Json => contentOf(writeFilter(condition, target));
const json = (templates: FilterTemplates): FilterTarget => ({ dialect: "json", templates });
const text = (templates: FilterTemplates): FilterTarget => ({ dialect: "text", templates });

/** The ledger's: one template with a place for one value and for several. */
const LEDGER = json({
  single: { field: "{field}", op: "{op}", value: "{value}", values: "{values}" },
  all: { and: "{conditions}" },
  any: { or: "{conditions}" },
  ops: { eq: "EQUALS", in: "IN", gte: "GREATER_THAN_OR_EQUAL", is_null: "IS_EMPTY" },
});

describe("templates of JSON", () => {
  const cases: readonly (readonly [string, FilterTarget, Condition, Json])[] = [
    [
      "keep the type of a value that stands alone",
      LEDGER,
      conditionOf(QTY, "gte", [5]),
      { field: "qty", op: "GREATER_THAN_OR_EQUAL", value: 5 },
    ],
    [
      "give a list where one is wanted",
      LEDGER,
      conditionOf(QTY, "in", [5, 6]),
      { field: "qty", op: "IN", values: [5, 6] },
    ],
    [
      "leave out a value that there is none of",
      LEDGER,
      conditionOf(NAME, "is_null", []),
      { field: "name", op: "IS_EMPTY" },
    ],
    [
      "nest groups",
      LEDGER,
      groupOf("all", [
        conditionOf(NAME, "eq", ["a"]),
        groupOf("any", [conditionOf(QTY, "eq", [1]), conditionOf(QTY, "gte", [5])]),
      ]),
      {
        and: [
          { field: "name", op: "EQUALS", value: "a" },
          {
            or: [
              { field: "qty", op: "EQUALS", value: 1 },
              { field: "qty", op: "GREATER_THAN_OR_EQUAL", value: 5 },
            ],
          },
        ],
      },
    ],
    [
      "take the field as a key",
      json({ single: { "{field}": { "{op}": "{value}" } } }),
      conditionOf(QTY, "gte", [5]),
      { qty: { gte: 5 } },
    ],
    [
      "without ops use our words",
      json({ single: ["{field}", "{op}", "{value}"] }),
      conditionOf(QTY, "lt", [5]),
      ["qty", "lt", 5],
    ],
    [
      "write a list as equalities where there is no place for one",
      json({ single: ["{field}", "{op}", "{value}"], any: ["or", "{conditions}"] }),
      conditionOf(QTY, "in", [5, 6]),
      [
        "or",
        [
          ["qty", "eq", 5],
          ["qty", "eq", 6],
        ],
      ],
    ],
    [
      "may be another for one operator",
      json({ single: ["{field}", "{value}"], ops: { eq: "eq", in: ["{field}", "one of", "{values}"] } }),
      conditionOf(QTY, "in", [5, 6]),
      ["qty", "one of", [5, 6]],
    ],
    [
      "may be another for one field",
      LEDGER,
      conditionOf(field("qty", { type: "integer", templates: { lt: { below: "{value}" } } }), "lt", [5]),
      { below: 5 },
    ],
    [
      "put values into a text",
      json({ single: { q: "{field}:{value}", o: "{op}" } }),
      conditionOf(QTY, "eq", [5]),
      { q: "qty:5", o: "eq" },
    ],
    [
      "join values by what the template says",
      json({ single: { "{field}": "{values:|}", o: "{op}" } }),
      conditionOf(QTY, "in", [5, 6]),
      { qty: "5|6", o: "in" },
    ],
    [
      "negate by `none` where there is no other way",
      json({ single: { f: "{field}", o: "{op}", v: "{value}" }, none: { not: "{conditions}" }, ops: { eq: "eq" } }),
      conditionOf(NAME, "ne", ["a"]),
      { not: [{ f: "name", o: "eq", v: "a" }] },
    ],
  ];
  test.each(cases)("%s", (_, target, condition, want) => expect(write(target, condition)).toStrictEqual(want));

  const refused: readonly (readonly [string, FilterTarget, Condition])[] = [
    ["an operator that `ops` does not name", LEDGER, conditionOf(QTY, "lt", [5])],
    [
      "is_null where nothing names it",
      json({ single: ["{field}", "{op}", "{value}"] }),
      conditionOf(NAME, "is_null", []),
    ],
    [
      "another operator than equality where {op} does not stand",
      json({ single: { "{field}": "{value}" } }),
      conditionOf(QTY, "lt", [5]),
    ],
    [
      "a group without a template",
      json({ single: ["{field}", "{op}", "{value}"] }),
      groupOf("all", [conditionOf(QTY, "lt", [5]), conditionOf(QTY, "gt", [1])]),
    ],
    [
      "a template that would drop the field",
      json({ single: { v: "{value}", o: "{op}" } }),
      conditionOf(QTY, "eq", [5]),
    ],
    [
      "a template that would drop the value",
      json({ single: { f: "{field}", o: "{op}" } }),
      conditionOf(QTY, "eq", [5]),
    ],
    [
      "a group's template that would drop the conditions",
      json({ single: ["{field}", "{op}", "{value}"], all: { and: [] } }),
      groupOf("all", [conditionOf(QTY, "lt", [5]), conditionOf(QTY, "gt", [1])]),
    ],
    ["a value as a key", json({ single: { "{value}": "{field}", o: "{op}" } }), conditionOf(NAME, "eq", ["$where"])],
    [
      "ne where it is not known what becomes of rows without a value",
      LEDGER,
      conditionOf(field("n", { nullable: true }), "ne", ["a"]),
    ],
    [
      "a value that holds the separator",
      json({ single: { "{field}": "{values:|}", o: "{op}" } }),
      conditionOf(NAME, "in", ["a|b", "c"]),
    ],
    ["a number of too many digits for JSON", LEDGER, conditionOf(QTY, "eq", ["9007199254740993"])],
  ];
  test.each(refused)("refuse %s", (_, target, condition) =>
    expect(() => write(target, condition)).toThrow(NotExpressible),
  );
});

describe("templates of text", () => {
  const quoted: FilterTemplates = {
    single: "{field} {op} '{value}'",
    all: "({conditions: and })",
    any: "({conditions: or })",
    ops: {
      eq: "=",
      gt: ">",
      in: "{field} in ('{values:','}')",
      contains: "{field} like '%{value}%'",
      is_null: "{field} is null",
    },
  };
  const bare: FilterTemplates = {
    single: "{field}{op}{value}",
    all: "{conditions: }",
    ops: { eq: ":", gt: ":>", in: "{field}:{values}" },
  };
  const cases: readonly (readonly [string, FilterTemplates, Condition, string])[] = [
    [
      "take any text in quotes but the quote and the backslash",
      quoted,
      conditionOf(NAME, "eq", [`a "b", (or) 1=1 --`]),
      `name = 'a "b", (or) 1=1 --'`,
    ],
    [
      "join conditions by what they say",
      quoted,
      groupOf("all", [
        conditionOf(NAME, "eq", ["a"]),
        groupOf("any", [conditionOf(QTY, "gt", [5]), conditionOf(NAME, "is_null", [])]),
      ]),
      "(name = 'a' and (qty > '5' or name is null))",
    ],
    ["quote each value of a list", quoted, conditionOf(NAME, "in", ["a", "b"]), "name in ('a','b')"],
    ["take a plain word without quotes", bare, conditionOf(NAME, "eq", ["abc-1.x"]), "name:abc-1.x"],
    [
      "take a number without quotes",
      bare,
      groupOf("all", [conditionOf(QTY, "gt", [-5]), conditionOf(NAME, "in", ["a", "b"])]),
      "qty:>-5 name:a,b",
    ],
  ];
  test.each(cases)("%s", (_, templates, condition, want) => expect(write(text(templates), condition)).toBe(want));

  const REFUSED: readonly (readonly [string, FilterTemplates, FilterOp, readonly string[]])[] = [
    ["in quotes", quoted, "eq", ["O'Hara", "a\\", "a\u0000", "a\nb"]],
    ["in a list in quotes", quoted, "in", ["a','b"]],
    ["beside wildcards", quoted, "contains", ["50%", "a_b", "a\\"]],
    [
      "without quotes",
      bare,
      "eq",
      [
        "a b",
        "or",
        "AND",
        "not",
        "null",
        "a:b",
        "a,b",
        "(a)",
        "a..b",
        "-a",
        "*",
        "na\u00efve",
        "\uff2f\uff32",
        "'",
        "#",
        "a--",
        "/*",
      ],
    ],
    ["in a list without quotes", bare, "in", ["a,b", "a b"]],
  ];
  test.each(REFUSED)("refuse text %s that could be more", (_, templates, op, values) => {
    for (const value of values)
      expect(() => write(text(templates), conditionOf(NAME, op, op === "in" ? [value, "x"] : [value])), value).toThrow(
        NotExpressible,
      );
  });

  test("that stand without brackets are never nested", () => {
    const flat: FilterTemplates = { ...quoted, all: "{conditions: and }", any: "{conditions: or }" };
    const nested = groupOf("any", [
      conditionOf(NAME, "eq", ["a"]),
      groupOf("all", [conditionOf(NAME, "eq", ["b"]), conditionOf(QTY, "gt", [1])]),
    ]);
    expect(() => write(text(flat), nested)).toThrow(NotExpressible);
    expect(write(text({ ...flat, all: "({conditions: and })" }), nested)).toBe(
      "name = 'a' or (name = 'b' and qty > '1')",
    );
  });
});

describe("a template for one operator of a field", () => {
  const like = (template: Json, op: FilterOp = "contains") => field("name", { templates: { [op]: template } });
  const cases: readonly (readonly [string, FilterTarget, Condition, Json])[] = [
    [
      "takes the language's own literal",
      { dialect: "rsql" },
      conditionOf(like("{field}=like={value}"), "contains", [`a"b`]),
      'name=like="a\\"b"',
    ],
    [
      "joins literals to a list",
      { dialect: "odata" },
      conditionOf(like("{field} in ({values})", "in"), "in", ["a,b", "O'H"]),
      "name in ('a,b','O''H')",
    ],
    [
      "stands beside the others",
      { dialect: "rsql" },
      groupOf("all", [conditionOf(like("{field}=like={value}"), "contains", ["a"]), conditionOf(QTY, "gt", [1])]),
      'name=like="a";qty=gt="1"',
    ],
    [
      "takes text in quotes of its own",
      { dialect: "odata" },
      conditionOf(like("startswith({field},'{value}')"), "contains", ["a b"]),
      "startswith(name,'a b')",
    ],
    [
      "gives JSON where the language is JSON",
      { dialect: "mongo" },
      conditionOf(like({ name: { $text: "{value}" } }), "contains", ["a"]),
      { name: { $text: "a" } },
    ],
    [
      "stands at the place of its field in params",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { gte: ">={value}" } }), "gte", ["5"]),
      { "query.q": ">=5" },
    ],
    [
      "gives a list in params",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { in: "{values}" } }), "in", ["a", "b,c"]),
      { "query.q": ["a", "b,c"] },
    ],
    [
      "joins values in params",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { in: "in:{values:|}" } }), "in", ["a", "b"]),
      { "query.q": "in:a|b" },
    ],
    [
      "leads into a parameter of json-api",
      { dialect: "json-api" },
      conditionOf(field("q", { templates: { gte: { ge: "{value}" } } }), "gte", ["5"]),
      "filter[q][ge]=5",
    ],
    [
      "adds a suffix in django",
      { dialect: "django" },
      conditionOf(field("q", { templates: { contains: { icontains: "{value}" } } }), "contains", ["a"]),
      "q__icontains=a",
    ],
    [
      "leads into brackets in strapi",
      { dialect: "strapi" },
      conditionOf(field("q", { templates: { contains: { $containsi: "{value}" } } }), "contains", ["a"]),
      "filters[q][$containsi]=a",
    ],
    [
      "may be an object, and several stand at one place",
      { dialect: "params" },
      groupOf("all", [
        conditionOf(
          field("at", {
            to: "query.created",
            type: "integer",
            templates: { gte: { gte: "{value}" }, lt: { lt: "{value}" } },
          }),
          "gte",
          [1],
        ),
        conditionOf(
          field("at", {
            to: "query.created",
            type: "integer",
            templates: { gte: { gte: "{value}" }, lt: { lt: "{value}" } },
          }),
          "lt",
          [9],
        ),
      ]),
      { "query.created": { gte: 1, lt: 9 } },
    ],
  ];
  test.each(cases)("%s", (_, target, condition, want) => expect(write(target, condition)).toStrictEqual(want));

  const range = field("q", {
    to: "query.q",
    templates: { eq: "{value}", gte: ">={value}", gt: ">{value}", ne: "!{value}", is_null: "none", in: "{values}" },
  });
  const refused: readonly (readonly [string, FilterTarget, Condition])[] = [
    ["a value that would become another operator", { dialect: "params" }, conditionOf(range, "eq", [">=5"])],
    ["a value that would make the operator another", { dialect: "params" }, conditionOf(range, "gt", ["=5"])],
    ["a value that would become its negation", { dialect: "params" }, conditionOf(range, "eq", ["!a"])],
    ["a value that would be read as none", { dialect: "params" }, conditionOf(range, "eq", ["none"])],
    [
      "a value in its quotes that closes them",
      { dialect: "odata" },
      conditionOf(like("startswith({field},'{value}')"), "contains", ["a') or (1 eq 1"]),
    ],
    [
      "a value that is refused elsewhere too",
      { dialect: "directus" },
      conditionOf(like({ name: { _icontains: "{value}" } }), "contains", ["$NOW"]),
    ],
    [
      "a wildcard before its wildcard",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { contains: "{value}*" } }), "contains", ["a*b"]),
    ],
    [
      "a wildcard behind its wildcard",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { contains: "*{value}" } }), "contains", ["a*b"]),
    ],
    [
      "a wildcard at its wildcard",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { contains: "*{value}*" } }), "contains", ["a*b"]),
    ],
    [
      "a template that drops the value",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { gte: ">=" } }), "gte", ["5"]),
    ],
    [
      "a list in a template for one value",
      { dialect: "params" },
      conditionOf(field("q", { to: "query.q", templates: { in: "{value}" } }), "in", ["5", "6"]),
    ],
    [
      "two texts at one place",
      { dialect: "params" },
      groupOf("all", [conditionOf(range, "gte", ["1"]), conditionOf(range, "gt", ["0"])]),
    ],
    [
      "a list whose item holds a comma in json-api",
      { dialect: "json-api" },
      conditionOf(field("q", { templates: { in: "in:{values}" } }), "in", ["a,b", "c"]),
    ],
  ];
  test("with a comma in a value gives a list of one, which the place keeps apart or refuses", () => {
    expect(write({ dialect: "params" }, conditionOf(range, "eq", ["a,b"]))).toStrictEqual({ "query.q": ["a,b"] });
  });

  test.each(refused)("refuses %s", (_, target, condition) =>
    expect(() => write(target, condition)).toThrow(NotExpressible),
  );

  test("is offered where it is whole", () => {
    expect(offerOps(range, { dialect: "params" })).toStrictEqual(["eq", "ne", "in", "gt", "gte", "is_null"]);
    expect(offerOps(field("q", { templates: { gte: ">=" } }), { dialect: "params" })).toStrictEqual([]);
  });

  test("says a list by its own template where the plain form would be read as something else", () => {
    const types = field("type", {
      to: "query.type",
      templates: { in: "IS_ANY_OF:{values}", not_in: "IS_NONE_OF:{values}" },
    });
    expect(write({ dialect: "params" }, conditionOf(types, "in", ["a"]))).toStrictEqual({
      "query.type": "IS_ANY_OF:a",
    });
  });

  test("refuses white space around a value that stands without quotation marks", () => {
    const name = field("name", { to: "query.name", templates: { eq: "IS:{value}" } });
    expect(() => write({ dialect: "params" }, conditionOf(name, "eq", [" shop\u00a0"]))).toThrow("White space");
  });
});

test("what is wrong in templates is said before anything is written", () => {
  expect(listTemplateFaults(LEDGER.templates!)).toStrictEqual([]);
  expect(listTemplateFaults({})).toStrictEqual(["`single` is needed: how one condition is written."]);
  expect(
    listTemplateFaults({ single: "{op}", all: "and", ops: { gte: "{field} >", lt: "<", in: "{values}" } }),
  ).toStrictEqual([
    "`single` must hold {field}.",
    "`all` must hold {conditions}.",
    "`ops.in` must hold {field}.",
    "`ops.gte` must hold {value}, and not {values}.",
  ]);
  expect(
    listFieldTemplateFaults(field("q", { templates: { in: "{value}", is_null: "{value}", eq: "{value}" } })),
  ).toStrictEqual([
    "`ops.in` must hold {values}, and not {value}.",
    "`ops.is_null` can hold neither {value} nor {values}.",
  ]);
});

test("a dialect is opened once for a target, and anew for another", () => {
  const target: FilterTarget = { dialect: "json", templates: { single: { "{field}": "{value}" } } };
  expect(findDialect(target)).toBe(findDialect(target));
  expect(findDialect({ ...target })).not.toBe(findDialect(target));
});
