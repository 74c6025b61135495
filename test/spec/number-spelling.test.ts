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
    expect(text).toMatchObject({ default: Number(BIG), enum: [`[ ${BIG} ]`] });
    expect(bodySchema(await openSpec(withBody("3.1.0", { type: "integer", enum: [5] })))).toMatchObject({ enum: [5] });
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

test("a document that is parsed as it is read keeps the digits too", async () => {
  const filler = Object.fromEntries(
    Array.from({ length: 3_000 }, (_, at) => [`/p${at}`, { get: { description: "x".repeat(400), responses: {} } }]),
  );
  const spec = withBody("3.1.0", { type: "integer", format: "int64", enum: ["BIG"] }) as { paths: object };
  Object.assign(spec.paths, filler);
  expect(bodySchema(await openText(JSON.stringify(spec).replace('"BIG"', BIG))).enum).toEqual([BIG]);
});
