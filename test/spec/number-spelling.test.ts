import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseText } from "../../src/spec/parse-text.ts";
import { bodySchema, openSpec, openText, withBody } from "./open-spec.ts";

const BIG = "9007199254740993";

async function schemaOf(schema: string, asYaml = false) {
  const spec = JSON.stringify(withBody("3.1.0", "SCHEMA")).replace('"SCHEMA"', schema);
  // A comment makes it YAML.
  return bodySchema(await openText(asYaml ? `# yaml\n${spec}` : spec));
}

describe("integers beyond 2^53 in a spec", () => {
  const cases: [title: string, schema: string, want: object][] = [
    ["an enum", `{"type": "integer", "format": "int64", "enum": [1, ${BIG}, -${BIG}]}`, { enum: [1, BIG, `-${BIG}`] }],
    ["a const", `{"format": "int64", "const": ${BIG}}`, { const: BIG }],
    ["a default", `{"type": ["integer", "null"], "default": ${BIG}}`, { default: BIG }],
    [
      "beyond int64",
      `{"type": "integer", "format": "uint64", "default": 18446744073709551615}`,
      { default: "18446744073709551615" },
    ],
  ];
  test.each(
    cases.flatMap(
      ([title, schema, want]) =>
        [
          ["JSON", title, schema, want],
          ["YAML", title, schema, want],
        ] as const,
    ),
  )("%s: %s is kept by its digits", async (format, _title, schema, want) => {
    expect(await schemaOf(schema, format === "YAML")).toMatchObject(want);
  });

  test("block YAML too, and under an alias", async () => {
    const text = `openapi: 3.1.0
info: {title: t, version: '1'}
paths: {/x: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, responses: {}}}}
components:
  schemas:
    B: &b
      type: integer
      enum:
        - ${BIG}
        - 0x1F
    A: *b
`;
    expect(bodySchema(await openText(text)).enum).toEqual([BIG, 31]);
  });

  test("bounds, fractions, texts and schemas of other types are what they were", async () => {
    const schema = await schemaOf(
      `{"type": "integer", "maximum": 9223372036854775807, "enum": [${BIG}], "description": ": ${BIG},", "x": [${BIG}, 0.${BIG}, 1e30, "${BIG}"]}`,
    );
    expect(schema).toMatchObject({ maximum: 2 ** 63, description: `: ${BIG},`, enum: [BIG] });
    const text = await schemaOf(`{"type": "string", "default": ${BIG}, "enum": ["[ ${BIG} ]"]}`);
    expect(text).toMatchObject({ default: BIG, enum: [`[ ${BIG} ]`] });
    expect(bodySchema(await openSpec(withBody("3.1.0", { type: "integer", enum: [5] })))).toMatchObject({ enum: [5] });
  });

  test("a key of YAML that is such a number is the text of the number", () => {
    expect(parseText("x", `a: {${BIG}: 1, 1.0: 2, b: 3}\nenum: [1.10]\n`)).toEqual({
      a: { [String(Number(BIG))]: 1, 1: 2, b: 3 },
      enum: [1.1],
    });
  });

  test("any JSON is parsed to what JSON.parse makes of it", () => {
    const value = fc
      .tuple(fc.jsonValue(), fc.bigInt())
      .map(([json, big]) => JSON.stringify([json, 0]).replace(/0\]$/, `${big}]`));
    const law = fc.property(value, (text) => {
      expect(parseText("x", text)).toEqual(JSON.parse(text));
    });
    fc.assert(law, { seed: 7 });
  });
});

describe("numbers where a spec means texts", () => {
  const cases: [title: string, schema: string, want: object][] = [
    ["a version", `{type: string, enum: [1.0, 1.10, 2]}`, { enum: ["1.0", "1.10", "2"] }],
    ["leading zeros", `{type: string, default: 0123}`, { default: "0123" }],
    ["an exponent", `{type: string, const: 1e5}`, { const: "1e5" }],
    ["more digits than a number holds", `{type: [string, 'null'], default: ${BIG}}`, { default: BIG }],
    [
      "other bases, signs and bare points",
      `{type: string, enum: [0x1F, +5, .5, 1.]}`,
      { enum: ["0x1F", "+5", ".5", "1."] },
    ],
    [
      "the default of a list of texts",
      `{type: array, items: {type: string}, default: [1.10, 2]}`,
      { default: ["1.10", "2"] },
    ],
    ["a plain number", `{type: string, default: 1.5}`, { default: "1.5" }],
    [
      "an entry with a comment behind it",
      `{type: string, enum: [\n1.10, # the tenth\n1.20\n]}`,
      { enum: ["1.10", "1.20"] },
    ],
  ];
  test.each(cases)("%s is kept as it is written", async (_title, schema, want) => {
    expect(await schemaOf(schema, true)).toMatchObject(want);
  });

  test("block lists as well, and JSON", async () => {
    const text = `openapi: 3.0.3
info: {title: t, version: '1'}
paths:
  /x:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: string
              default: 1.10
              enum:
                - 1.10
                - 1.0   # the first
      responses: {}
`;
    expect(bodySchema(await openText(text))).toMatchObject({ default: "1.10", enum: ["1.10", "1.0"] });
    expect(await schemaOf(`{"type": "string", "default": 1.10, "enum": [1.10, 1.0, 1e2]}`)).toMatchObject({
      default: "1.10",
      enum: ["1.10", "1.0", "1e2"],
    });
  });

  test("where numbers are meant, numbers stay", async () => {
    expect(await schemaOf(`{type: number, default: 1.10, enum: [1.10, 2.0]}`, true)).toMatchObject({
      default: 1.1,
      enum: [1.1, 2],
    });
    expect(await schemaOf(`{type: [string, number], default: 1.10}`, true)).toMatchObject({ default: 1.1 });
  });

  test("in a parameter of Swagger 2.0, and in variables of a server", async () => {
    const swagger = await openText(
      "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {parameters: [{name: v, in: query, type: string, default: 1.0}], responses: {}}}}\n",
    );
    const operation = swagger.read(swagger.find("GET /x")!);
    expect("fault" in operation ? operation : operation.parameters[0]!.schema).toMatchObject({ default: "1.0" });
    const openapi = await openText(
      "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://a.example/{v}', variables: {v: {default: 1.0, enum: [1.0, 1.10, 2]}}}]\npaths: {}\n",
    );
    expect(openapi.servers[0]!.variables).toEqual([{ name: "v", default: "1.0", enum: ["1.0", "1.10", "2"] }]);
  });
});

test("a document that is parsed as it is read keeps the digits too", async () => {
  const filler = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at) => [`/p${at}`, { get: { description: "x".repeat(400), responses: {} } }]),
  );
  const spec = withBody("3.1.0", { type: "integer", format: "int64", enum: ["BIG"] }) as { paths: object };
  Object.assign(spec.paths, filler);
  expect(bodySchema(await openText(JSON.stringify(spec).replace('"BIG"', BIG))).enum).toEqual([BIG]);
});
