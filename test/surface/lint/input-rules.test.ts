import { describe, expect, test } from "vitest";
import { PARAMETER_RULES } from "../../../src/surface/lint/rules/parameter-rules.ts";
import { SCHEMA_RULES } from "../../../src/surface/lint/rules/schema-rules.ts";
import { VALUE_RULES } from "../../../src/surface/lint/rules/value-rules.ts";
import { lintTools, specOfQuery } from "./lint-text.ts";

const OWN = new Set([...PARAMETER_RULES, ...SCHEMA_RULES, ...VALUE_RULES].map(({ code }) => code));

/** `severity code`, of the rules on inputs. */
async function find(parameters: readonly string[], input: string): Promise<string[]> {
  const tools = `list_things: {operation: list, use: List the things that there are., input: {${input}}}`;
  const found = await lintTools(specOfQuery(parameters), tools);
  return found.filter(({ code }) => OWN.has(code)).map(({ severity, code }) => `${severity} ${code}`);
}

const TEXT = "schema: {type: string}";
const said = (type: string, words: string) => `schema: {type: ${type}}, description: "${words}"`;
const values = (list: string, words = "One of the kinds that are told apart.") =>
  `schema: {type: string, enum: [${list}]}, description: "${words}"`;

type Case = readonly [title: string, parameters: readonly string[], input: string, want: readonly string[]];

describe("one input", () => {
  const cases: readonly Case[] = [
    ["that nobody describes", [`colour: {${TEXT}}`], "colour: {}", ["warning input_undescribed"]],
    ["that the spec describes", [`colour: {${said("string", "Only things of it.")}}`], "colour: {}", []],
    ["that the author describes", [`colour: {${TEXT}}`], "colour: {describe: Only things of it.}", []],
    ["whose values say what it is", ["state: {schema: {type: string, enum: [open, closed]}}"], "state: {}", []],
    [
      "whose description is its name",
      [`orderId: {${said("string", "The order ID.")}}`],
      "orderId: {}",
      ["note input_repeats_name"],
    ],
    [
      "whose description says a word more",
      [`orderId: {${said("string", "The ID of an open order")}}`],
      "orderId: {}",
      [],
    ],
    ["with codes", [`kind: {${values("'1', '2', '3'")}}`], "kind: {}", ["warning enum_of_codes"]],
    ["with letters", [`kind: {${values("A, B, XC")}}`], "kind: {}", ["warning enum_of_codes"]],
    ["with codes that are told", [`kind: {${values("'1', '2', '3'", "1 is new, 2 used, 3 broken.")}}`], "kind: {}", []],
    ["with codes that everybody knows", [`language: {${values("de, en, fr")}}`], "language: {}", []],
    ["with words", [`kind: {${values("new, used, broken")}}`], "kind: {}", []],
    ["with two codes", [`kind: {${values("A, B")}}`], "kind: {}", []],
    [
      "that is true where nothing is done",
      [`no_cache: {${said("boolean", "Read it anew.")}}`],
      "no_cache: {}",
      ["note negative_switch"],
    ],
    ["that begins like that", [`notify: {${said("boolean", "Tell the owner.")}}`], "notify: {}", []],
    ["that is no switch", [`no_cache: {${said("string", "Read it anew.")}}`], "no_cache: {}", []],
    ["for anything", [`payload: {${said("string", "What belongs to it.")}}`], "payload: {}", ["note generic_input"]],
    ["of a name that holds one for anything", [`bodyText: {${said("string", "Words in it.")}}`], "bodyText: {}", []],
    ["that is a credential", [`apiKey: {${said("string", "Yours.")}}`], "apiKey: {}", ["warning credential_input"]],
    ["that is no credential", [`tokenType: {${said("string", "Its kind.")}}`], "tokenType: {}", []],
    ["that is a tenant", [`tenantId: {${said("string", "Whose they are.")}}`], "tenantId: {}", ["note tenant_input"]],
    [
      "that is a time in no form",
      [`created_at: {${said("string", "When.")}}`],
      "created_at: {}",
      ["warning untyped_time"],
    ],
    [
      "that is a count of something",
      [`startDate: {${said("integer", "When.")}}`],
      "startDate: {}",
      ["warning untyped_time"],
    ],
    ["that is a time in a form in words", [`startDate: {${said("string", "As YYYY-MM-DD")}}`], "startDate: {}", []],
    ["that is a time by its type", [`startDate: {${TEXT}}`], "startDate: {type: date, describe: When.}", []],
    [
      "that is a time by its form",
      [`startDate: {${said("integer", "When.")}}`],
      "startDate: {type: date-time, as: unix}",
      [],
    ],
    ["that only ends like a time", [`candidate: {${said("string", "Whose.")}}`], "candidate: {}", []],
    ["of money without a unit", [`amount: {${said("integer", "How much.")}}`], "amount: {}", ["warning unit_unsaid"]],
    ["of a size without a unit", [`size: {${said("integer", "How much.")}}`], "size: {}", ["note unit_unsaid"]],
    ["of money with its unit", [`amount: {${said("integer", "In cents.")}}`], "amount: {}", []],
    ["of a size that is a count", [`page_size: {${said("integer", "How much.")}}`], "page_size: {}", []],
    [
      "for anything, with words that tell what",
      [`data: {${said("string", "The text of the message, at most a page long, in Markdown.")}}`],
      "data: {}",
      [],
    ],
    ["with the unit in its name", [`minutes_interval: {${said("integer", "How often.")}}`], "minutes_interval: {}", []],
    ["of money that is a text", [`amount: {${said("string", "How much.")}}`], "amount: {}", []],
    ["that could be anything", ["x: {schema: {}}"], "x: {}", ["warning input_undescribed", "warning untyped_input"]],
    ["that could be anything and is described", ["x: {schema: {}}"], "x: {describe: 'A JSON patch.'}", []],
    [
      "with one value that must be given",
      ["mode: {required: true, schema: {type: string, enum: [full]}}"],
      "mode: {}",
      ["note single_value"],
    ],
    ["with one value that may be given", ["mode: {schema: {type: string, enum: [full]}}"], "mode: {}", []],
  ];
  test.each(cases)("%s", async (_, parameters, input, want) => {
    expect((await find(parameters, input)).toSorted()).toStrictEqual(want);
  });
});

describe("the end of a range", () => {
  const dates = ["from", "to"].map(
    (name) => `${name}: {schema: {type: string, format: date}, description: "A moment."}`,
  );
  const cases: readonly Case[] = [
    ["of which nothing says whether it belongs to it", dates, "from: {}, to: {}", ["note range_end_unsaid"]],
    ["of which the curation says it", dates, "from: {}, to: {end: inclusive}", []],
    ["of which the words say it", dates, "from: {}, to: {describe: Only before this day.}", []],
    ["without a start", dates.slice(1), "to: {}", []],
  ];
  test.each(cases)("%s", async (_, parameters, input, want) => {
    expect(await find(parameters, input)).toStrictEqual(want);
  });
});

describe("the size of a tool's inputs", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}: {${said("string", "Words.")}}`);
  const inputs = (count: number) =>
    many(count)
      .map((_, at) => `p${at}: {}`)
      .join(", ");
  const list = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(", ");
  const cases: readonly Case[] = [
    ["15 inputs", many(15), inputs(15), []],
    ["16 inputs", many(16), inputs(16), ["note many_inputs"]],
    ["26 inputs", many(26), inputs(26), ["warning many_inputs"]],
    ["20 values", [`kind: {${values(list(20))}}`], "kind: {}", []],
    ["21 values", [`kind: {${values(list(21))}}`], "kind: {}", ["note many_values"]],
    ["51 values", [`kind: {${values(list(51))}}`], "kind: {}", ["warning many_values"]],
  ];
  test.each(cases)("%s", async (_, parameters, input, want) => {
    expect(await find(parameters, input)).toStrictEqual(want);
  });

  test("objects in objects", async () => {
    const nested = (levels: number): string =>
      levels === 0 ? "{type: string}" : `{type: object, description: Part., properties: {a: ${nested(levels - 1)}}}`;
    const spec = (levels: number) =>
      `paths: {/things: {post: {operationId: add, requestBody: {content: {application/json: {schema: {type: object, properties: {part: ${nested(levels)}}}}}}, responses: {'200': {description: ok}}}}}`;
    const tools = "find_things: {operation: add, effect: read, use: Find the things., input: {part: {}}}";
    const codes = async (levels: number) =>
      (await lintTools(spec(levels), tools))
        .filter(({ code }) => code === "deep_schema")
        .map(({ severity }) => severity);
    expect([await codes(2), await codes(3), await codes(5)]).toStrictEqual([[], ["note"], ["warning"]]);
  });
});

describe("one name in two tools", () => {
  const spec = `paths:
  /a: {get: {operationId: getA, parameters: [{name: ref, in: query, description: Where it is., schema: {type: string}}], responses: {'200': {description: ok}}}}
  /b: {get: {operationId: getB, parameters: [{name: ref, in: query, description: Where it is., schema: {type: integer}}], responses: {'200': {description: ok}}}}`;
  const tools = (of: string) =>
    `read_a: {operation: getA, use: Read one., input: {ref: {}}}\nread_b: {operation: getB, use: Read another., input: {ref: ${of}}}`;
  test("of two types is told at the second", async () => {
    const found = (await lintTools(spec, tools("{}"))).filter(({ code }) => code === "input_of_two_types");
    expect(found).toMatchObject([{ line: 6, tool: "read_b", severity: "note", path: "/input/ref" }]);
  });
  test("of one type is not", async () => {
    const found = (await lintTools(spec.replace("type: integer", "type: string"), tools("{}"))).map(({ code }) => code);
    expect(found).not.toContain("input_of_two_types");
  });
});
