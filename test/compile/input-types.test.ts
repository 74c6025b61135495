import { describe, expect, test } from "vitest";
import { compileTools, errorsOf, inputOf, toolOf } from "./compile-text.ts";
import { portableFaults } from "./portable-faults.ts";

const COMPONENTS = `
components:
  schemas:
    Address: {type: object, required: [street], properties: {street: {type: string}, zip: {type: string, maxLength: 5}}}
    Node: {type: object, properties: {name: {type: string}, children: {type: array, items: {$ref: '#/components/schemas/Node'}}}}
    Pet: {type: object, required: [petType], properties: {petType: {type: string}}, discriminator: {propertyName: petType, mapping: {cat: '#/components/schemas/Cat', dog: Dog}}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {meowVolume: {type: integer}}}]}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {packSize: {type: integer}}}]}
`;

/** A POST whose body has one optional property `x` of this schema, and a tool with the input `x`. */
function withProperty(schema: string, entry = "{}") {
  const spec = `paths: {/t: {post: {operationId: t, requestBody: {content: {application/json: {schema: {type: object, properties: {x: ${schema}}}}}}, responses: {'200': {description: ok}}}}}${COMPONENTS}`;
  return compileTools(spec, `test: {operation: t, effect: read, use: Test., input: {x: ${entry}}}`);
}

const DIGITS = "^-?[0-9]+$";

describe("what a caller may write for a schema of the spec", () => {
  const cases: readonly [title: string, schema: string, want: object][] = [
    [
      "a text with its limits",
      "{type: string, minLength: 2, maxLength: 9}",
      { type: "string", minLength: 2, maxLength: 9, description: "2 to 9 characters." },
    ],
    [
      "a description without markup",
      "{type: string, description: 'The <b>name</b> is [here](http://x.example).'}",
      { type: "string", description: "The name is here." },
    ],
    [
      "an integer with its limits",
      "{type: integer, minimum: 1, maximum: 100}",
      { type: "integer", description: "1 to 100.", minimum: 1, maximum: 100 },
    ],
    [
      "limits that the subset lacks are words",
      "{type: number, exclusiveMinimum: 0, multipleOf: 5}",
      { type: "number", description: "More than 0. A multiple of 5." },
    ],
    [
      "64 bits are digits, as text",
      "{type: integer, format: int64}",
      { type: "string", description: "Digits, as text.", pattern: DIGITS },
    ],
    [
      "64 bits within 2^53 are a number",
      "{type: integer, format: int64, maximum: 1000}",
      { type: "integer", description: "At most 1000.", maximum: 1000 },
    ],
    [
      "the bounds of 64 bits are told to the last digit",
      "{type: integer, format: int64, minimum: 1, maximum: 9223372036854775807}",
      { type: "string", description: "1 to 9223372036854775807. Digits, as text.", pattern: DIGITS },
    ],
    [
      "a bound beyond 2^53 says so much without a format",
      "{type: integer, maximum: 18446744073709551615}",
      { type: "string", description: "At most 18446744073709551615. Digits, as text.", pattern: DIGITS },
    ],
    [
      "a bound that is none does not",
      "{type: integer, maximum: 1.0e+300}",
      { type: "integer", description: "At most 1e+300.", maximum: 1e300 },
    ],
    [
      "a number that YAML has for a text is written as it is there",
      "{type: string, enum: [1.0, 1.10]}",
      { type: "string", enum: ["1.0", "1.10"] },
    ],
    [
      "a moment has no format, since a date alone is fine",
      "{type: string, format: date-time}",
      { type: "string", description: "RFC 3339 date-time or date." },
    ],
    ["a day", "{type: string, format: date}", { type: "string", description: "A date, YYYY-MM-DD." }],
    ["other formats are words", "{type: string, format: uuid}", { type: "string", description: "Format: uuid." }],
    ["a pattern", "{type: string, pattern: '^a+$'}", { type: "string", description: "Pattern: ^a+$", pattern: "^a+$" }],
    [
      "a pattern that RE2 cannot read is said in words alone",
      "{type: string, pattern: '^(?=a)b$'}",
      { type: "string", description: "Pattern: ^(?=a)b$" },
    ],
    ["a list of values", "{enum: [a, b]}", { type: "string", enum: ["a", "b"] }],
    ["numbers to choose from are texts", "{type: integer, enum: [1, 2]}", { type: "string", enum: ["1", "2"] }],
    ["one constant", "{const: x}", { type: "string", enum: ["x"] }],
    ["true or false to choose from", "{enum: [true, false]}", { type: "boolean" }],
    [
      "null beside values is no value of the list",
      "{type: [string, 'null'], enum: [a, null]}",
      { type: "string", enum: ["a"] },
    ],
    [
      "an empty text is no value of the list, but said",
      "{type: string, enum: ['', a]}",
      { type: "string", description: 'May be "".', enum: ["a"] },
    ],
    ["null beside a type", "{type: [integer, 'null']}", { type: "integer" }],
    [
      "a list without items",
      "{type: array}",
      { type: "array", items: { type: "string", description: "JSON as text." } },
    ],
    [
      "a pair",
      "{type: array, prefixItems: [{type: string}, {type: integer}]}",
      {
        type: "array",
        items: { type: "string", description: "One of text, integer: a text as it is, the rest as JSON text." },
      },
    ],
    [
      "a list with its limits",
      "{type: array, items: {type: string}, maxItems: 3, uniqueItems: true}",
      { type: "array", description: "At most 3 items. No item twice.", items: { type: "string" }, maxItems: 3 },
    ],
    ["nothing is known of it", "{}", { type: "string", description: "JSON as text." }],
    [
      "an object that lacks its type",
      "{properties: {a: {type: integer}}}",
      { type: "object", properties: { a: { type: "integer" } } },
    ],
    ["an open object", "{type: object}", { type: "string", description: "A JSON object, as text." }],
    [
      "a map is a list of key and value",
      "{type: object, additionalProperties: {type: integer}}",
      {
        type: "array",
        description: "A list of key and value.",
        items: {
          type: "object",
          properties: { key: { type: "string" }, value: { type: "integer" } },
          required: ["key", "value"],
        },
      },
    ],
    [
      "a reference is inlined",
      "{$ref: '#/components/schemas/Address'}",
      {
        type: "object",
        properties: {
          street: { type: "string" },
          zip: { type: "string", description: "At most 5 characters.", maxLength: 5 },
        },
        required: ["street"],
      },
    ],
    [
      "allOf is one object with the tightest limits",
      "{allOf: [{$ref: '#/components/schemas/Address'}, {required: [zip], properties: {zip: {maxLength: 4}}}]}",
      {
        type: "object",
        properties: {
          street: { type: "string" },
          zip: { type: "string", description: "At most 4 characters.", maxLength: 4 },
        },
        required: ["street", "zip"],
      },
    ],
    [
      "readOnly is never asked for, at any depth",
      "{type: object, required: [id, o], properties: {id: {type: string, readOnly: true}, o: {type: object, required: [oid], properties: {oid: {type: string, readOnly: true}, mail: {type: string}}}}}",
      {
        type: "object",
        properties: { o: { type: "object", properties: { mail: { type: "string" } } } },
        required: ["o"],
      },
    ],
    [
      "names that callers cannot write are folded, and told apart",
      "{type: object, required: ['a b'], properties: {'a b': {type: string}, a-b: {type: string}, a_b: {type: string}, $top: {type: integer}, '9x': {type: string}}}",
      {
        type: "object",
        properties: {
          a_b_2: { type: "string" },
          a_b_3: { type: "string" },
          a_b: { type: "string" },
          top: { type: "integer" },
          n9x: { type: "string" },
        },
        required: ["a_b_2"],
      },
    ],
    [
      "choices that are all objects are one, with the rule in words",
      "{oneOf: [{type: object, required: [content], properties: {content: {type: string}}}, {type: object, required: [url], properties: {url: {type: string}}}]}",
      {
        type: "object",
        description: "One of: (1) needs content; (2) needs url.",
        properties: { content: { type: "string" }, url: { type: "string" } },
      },
    ],
    [
      "subtypes that only the discriminator names",
      "{$ref: '#/components/schemas/Pet'}",
      {
        type: "object",
        description: "One of: petType cat takes meowVolume; petType dog takes packSize.",
        properties: {
          petType: { type: "string", enum: ["cat", "dog"] },
          meowVolume: { type: "integer" },
          packSize: { type: "integer" },
        },
        required: ["petType"],
      },
    ],
    [
      "closed lists beside each other are one list",
      "{anyOf: [{type: string, enum: [a]}, {type: string, enum: [b]}]}",
      { type: "string", enum: ["a", "b"] },
    ],
    [
      "a closed list beside any text is open",
      "{anyOf: [{type: string}, {type: string, enum: [a]}]}",
      { type: "string", description: "For example a." },
    ],
    ["a choice with null is none", "{anyOf: [{type: integer}, {type: 'null'}]}", { type: "integer" }],
    [
      "the empty text that unsets a value is no choice, but said",
      "{anyOf: [{type: integer}, {type: string, enum: ['']}]}",
      { type: "integer", description: 'May be "".' },
    ],
    [
      "limits under a choice are the widest",
      "{anyOf: [{type: integer, maximum: 5}, {type: integer, maximum: 9}]}",
      { type: "integer", description: "At most 9.", maximum: 9 },
    ],
    [
      "unlike choices inside an object are JSON",
      "{type: object, properties: {n: {type: [string, integer]}}}",
      {
        type: "object",
        properties: {
          n: { type: "string", description: "One of text, integer: a text as it is, the rest as JSON text." },
        },
      },
    ],
    [
      "OpenAPI's own keywords are left behind, an example is said",
      "{type: string, xml: {name: n}, externalDocs: {url: 'https://e.example'}, x-internal: true, example: hi}",
      { type: "string", description: "For example hi." },
    ],
  ];

  test.each(cases)("%s", async (_title, schema, want) => {
    const result = await withProperty(schema);
    const { inputSchema } = toolOf(result);
    expect(inputSchema).toStrictEqual({ type: "object", properties: { x: want } });
    expect(portableFaults(inputSchema)).toStrictEqual([]);
  });

  test("a recursion is spelled out twice, then said in words", async () => {
    const { inputSchema } = toolOf(await withProperty("{$ref: '#/components/schemas/Node'}"));
    const text = JSON.stringify(inputSchema);
    expect(text.match(/"name"/g)).toHaveLength(2);
    expect(text).toContain("A JSON object (Node), as text.");
  });

  test("shared references cannot make a schema explode", async () => {
    const levels = Array.from(
      { length: 16 },
      (_, at) =>
        `    L${at}: {type: object, properties: {a: {$ref: '#/components/schemas/L${at + 1}'}, b: {$ref: '#/components/schemas/L${at + 1}'}, c: {$ref: '#/components/schemas/L${at + 1}'}}}`,
    );
    const spec = `paths: {/big: {post: {operationId: big, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/L0'}}}}, responses: {'200': {description: ok}}}}}\ncomponents:\n  schemas:\n${levels.join("\n")}\n    L16: {type: string}`;
    const result = await compileTools(
      spec,
      "big: {operation: big, effect: read, use: Test., input: {a: {}, b: {}, all: {}}, args: {body: '${input.all}'}}",
    );
    expect(JSON.stringify(toolOf(result).inputSchema).length).toBeLessThan(65_536);
  });
});

describe("what the spec says beyond the types is left to the server", () => {
  const cases: readonly [title: string, schema: string, want: unknown][] = [
    ["nothing", "{$ref: '#/components/schemas/Address'}", undefined],
    ["a list of values", "{anyOf: [{const: a}, {const: b}]}", undefined],
    [
      "null as a choice",
      "{anyOf: [{type: integer}, {type: 'null'}]}",
      { allOf: [{ anyOf: [{ type: "integer" }, { type: "null" }] }] },
    ],
    [
      "what each choice needs",
      "{oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [b], properties: {b: {type: string}}}]}",
      {
        allOf: [
          {
            anyOf: [
              { type: "object", required: ["a"], properties: { a: { type: "string" } } },
              { type: "object", required: ["b"], properties: { b: { type: "string" } } },
            ],
          },
        ],
      },
    ],
    [
      "what excludes each other",
      "{type: object, properties: {a: {}, b: {}}, not: {required: [a, b]}}",
      { type: "object", not: { type: "object", required: ["a", "b"] } },
    ],
    [
      "several types inside",
      "{type: object, properties: {n: {type: [string, integer]}}}",
      { properties: { n: { type: ["string", "integer"] } } },
    ],
    ["a recursion is left open", "{$ref: '#/components/schemas/Node'}", undefined],
  ];
  test.each(cases)("%s", async (_title, schema, want) => {
    expect(inputOf(await withProperty(schema), "x").residual).toStrictEqual(want);
  });
});

describe("what a curation writes of an input overrides the spec", () => {
  const cases: readonly [title: string, schema: string, entry: string, want: object][] = [
    ["describe", "{type: string, description: Theirs.}", "{describe: Ours.}", { type: "string", description: "Ours." }],
    [
      "a limit",
      "{type: integer, maximum: 100}",
      "{maximum: 10}",
      { type: "integer", description: "At most 10.", maximum: 10 },
    ],
    ["some of the values", "{type: integer, enum: [1, 2, 3]}", "{enum: [1, 3]}", { type: "string", enum: ["1", "3"] }],
    [
      "the values of a list",
      "{type: array, items: {type: string}}",
      "{enum: [a, b], maxItems: 2}",
      { type: "array", description: "At most 2 items.", items: { type: "string", enum: ["a", "b"] }, maxItems: 2 },
    ],
    ["the type", "{type: string}", "{type: 'integer[]'}", { type: "array", items: { type: "integer" } }],
    [
      "the type of a list that agrees keeps the limits of its items",
      "{type: array, items: {type: string, maxLength: 3}}",
      "{type: 'string[]'}",
      { type: "array", items: { type: "string", description: "At most 3 characters.", maxLength: 3 } },
    ],
    [
      "integer, where the spec says 64 bits",
      "{type: integer, format: int64, minimum: 1}",
      "{type: integer}",
      { type: "integer", description: "At least 1.", minimum: 1 },
    ],
    [
      "one choice of a union, with what it says",
      "{oneOf: [{type: integer, minimum: 3}, {type: object, properties: {gte: {type: integer}}}]}",
      "{type: integer}",
      { type: "integer", description: "At least 3.", minimum: 3 },
    ],
    [
      "seconds are moments to a caller",
      "{type: integer, description: When., maximum: 99}",
      "{as: unix}",
      { type: "string", description: "When. RFC 3339 date-time or date." },
    ],
    ["cents are money to a caller", "{type: integer, minimum: 1}", "{as: minor, unit: USD}", { type: "number" }],
    [
      "a comma-separated text is a list to a caller",
      "{type: string}",
      "{as: csv}",
      { type: "array", items: { type: "string" } },
    ],
    ["a default", "{type: integer}", "{default: 5}", { type: "integer", description: "Default: 5.", default: 5 }],
    [
      "a default of values to choose from is text",
      "{type: integer, enum: [1, 2]}",
      "{default: 2}",
      { type: "string", description: "Default: 2.", enum: ["1", "2"], default: "2" },
    ],
    [
      "a default in words is in words only",
      "{type: string, format: date-time}",
      "{default: 30 days ago}",
      { type: "string", description: "RFC 3339 date-time or date. Default: 30 days ago." },
    ],
    [
      "the spec's own default is told and not sent",
      "{type: integer, default: 20}",
      "{}",
      { type: "integer", description: "Default: 20.", default: 20 },
    ],
  ];
  test.each(cases)("%s", async (_title, schema, entry, want) => {
    const { inputSchema } = toolOf(await withProperty(schema, entry));
    expect(inputSchema).toStrictEqual({ type: "object", properties: { x: want } });
  });

  const mistakes: readonly [title: string, schema: string, entry: string, want: string][] = [
    [
      "a union without a choice",
      "{oneOf: [{type: integer}, {type: object, properties: {a: {}}}]}",
      "{}",
      "union_needs_type",
    ],
    ["a limit of another type", "{type: string}", "{minimum: 1}", "bad_bounds"],
    ["limits that nothing fits", "{type: integer, minimum: 5}", "{maximum: 1}", "bad_bounds"],
    ["a pattern that RE2 cannot read", "{type: string}", "{pattern: '(?=a)'}", "bad_pattern"],
    ["a value that the spec does not allow", "{enum: [open, paid]}", "{enum: [opne]}", "unknown_enum_value"],
    ["a default of another type", "{type: integer}", "{default: many}", "bad_default"],
    ["a default that is none of the values", "{enum: [open, paid]}", "{default: opne}", "bad_default"],
    ["a default out of the limits", "{type: integer, maximum: 5}", "{default: 6}", "bad_default"],
    ["a default in words for a text", "{type: string, enum: [a]}", "{default: 30 days ago}", "bad_default"],
    ["a form that the type cannot have", "{type: string}", "{type: boolean, as: unix}", "bad_form"],
    ["an end that is no time", "{type: integer}", "{end: inclusive}", "bad_form"],
  ];
  test.each(mistakes)("a mistake: %s", async (_title, schema, entry, want) => {
    expect(errorsOf(await withProperty(schema, entry))).toStrictEqual([want]);
  });
});

test("a hint names the nearest value", async () => {
  const { problems } = await withProperty("{enum: [open, paid]}", "{default: opne}");
  expect(problems.find(({ code }) => code === "bad_default")?.hint).toBe('Did you mean "open"?');
});

describe("a union of references with a discriminator", () => {
  const pay = (mapping: string) => `
paths: {/pay: {post: {operationId: pay, requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pay'}}}}, responses: {'200': {description: ok}}}}}
components:
  schemas:
    Pay: {oneOf: [{$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Iban'}], discriminator: {propertyName: kind${mapping}}}
    Card: {type: object, required: [kind, number], properties: {kind: {type: string}, number: {type: string}, constructor: {type: string}}}
    Iban: {type: object, required: [kind, iban, toString], properties: {kind: {type: string}, iban: {type: string}}}`;
  const cases: readonly [title: string, mapping: string, want: readonly string[]][] = [
    ["the mapping's values", ", mapping: {card: '#/components/schemas/Card', iban: Iban}", ["card", "iban"]],
    ["the names of the references where nothing is mapped", "", ["Card", "Iban"]],
  ];
  test.each(cases)("is told apart by %s", async (_title, mapping, want) => {
    const tools = "pay: {operation: pay, effect: read, use: Test., input: {all: {}}, args: {body: '${input.all}'}}";
    const all = toolOf(await compileTools(pay(mapping), tools)).inputSchema.properties?.all;
    expect(all?.properties?.kind).toStrictEqual({ type: "string", enum: want });
    expect(all?.required).toStrictEqual(["kind"]);
    expect(Object.keys(all?.properties ?? {})).toStrictEqual(["kind", "number", "constructor", "iban", "toString"]);
    expect(all?.description).toBe(
      `One of: kind ${want[0]} needs number, takes constructor; kind ${want[1]} needs iban, toString.`,
    );
  });
});

describe("which texts stay texts where other kinds are taken too", () => {
  const auto = { kind: "enum", values: [{ text: "auto", wire: "auto" }] };
  const cases: [title: string, schema: string, want: object][] = [
    ["any, beside a number", "{type: [string, number]}", { kind: "json", texts: [{ kind: "string" }] }],
    [
      "those of a list of values, beside an integer",
      "{anyOf: [{type: string, enum: [auto]}, {type: integer}]}",
      { kind: "json", texts: [auto] },
    ],
    [
      "any, beside a list, which is written as JSON",
      "{oneOf: [{type: string}, {type: array, items: {type: string}}]}",
      { kind: "json", texts: [{ kind: "string" }], nested: true },
    ],
    ["none, where no text is taken", "{anyOf: [{type: integer}, {type: boolean}]}", { kind: "json" }],
  ];
  test.each(cases)("%s", async (_title, schema, want) => {
    const [x] = toolOf(await withProperty(`{type: object, properties: {n: ${schema}}}`)).inputs;
    const inner = x?.type.kind === "object" ? x.type.properties[0]?.type : undefined;
    expect(inner).toEqual({ ...want, description: expect.stringMatching(/^One of/) });
  });
});
