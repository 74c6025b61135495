import { describe, expect, test } from "vitest";
import { bodySchema, openapi, openSpec, openText, readOf, resolveOf, withBody } from "./open-spec.ts";

type Lift = [title: string, version: string, given: unknown, want: unknown];

const LIFTS: readonly Lift[] = [
  ["nullable adds null to the type", "3.0.3", { type: "number", nullable: true }, { type: ["number", "null"] }],
  [
    "nullable adds null to the enum too",
    "3.0.3",
    { type: "string", nullable: true, enum: ["OPEN"] },
    { type: ["string", "null"], enum: ["OPEN", null] },
  ],
  [
    "an enum that has null keeps one",
    "3.0.3",
    { type: "string", nullable: true, enum: ["a", null] },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  ["nullable false is nothing", "3.0.3", { type: "string", nullable: false }, { type: "string" }],
  ["x-nullable is nullable", "3.0.3", { type: "string", "x-nullable": true }, { type: ["string", "null"] }],
  [
    "nullable beside allOf is an alternative",
    "3.0.3",
    { nullable: true, description: "d", allOf: [{ type: "object" }] },
    { description: "d", anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }] },
  ],
  [
    "nullable beside oneOf is one more",
    "3.0.3",
    { nullable: true, oneOf: [{ type: "string" }] },
    { oneOf: [{ type: "string" }, { type: "null" }] },
  ],
  [
    "exclusiveMinimum true makes minimum exclusive",
    "3.0.3",
    { type: "integer", minimum: 0, exclusiveMinimum: true },
    { type: "integer", exclusiveMinimum: 0 },
  ],
  [
    "exclusiveMaximum false is dropped",
    "3.0.3",
    { type: "integer", maximum: 100, exclusiveMaximum: false },
    { type: "integer", maximum: 100 },
  ],
  [
    "exclusiveMaximum true without maximum is dropped",
    "3.0.3",
    { type: "integer", exclusiveMaximum: true },
    { type: "integer" },
  ],
  [
    "a numeric exclusiveMinimum stays beside minimum",
    "3.1.0",
    { minimum: 1, exclusiveMinimum: 2 },
    { minimum: 1, exclusiveMinimum: 2 },
  ],
  ["example becomes examples", "3.0.3", { type: "string", example: "hi" }, { type: "string", examples: ["hi"] }],
  ["examples win over example", "3.1.0", { examples: ["a"], example: "b" }, { examples: ["a"] }],
  ["type lists are kept", "3.1.0", { type: ["array", "null"], items: {} }, { type: ["array", "null"], items: {} }],
  ["a type list of one is that type", "3.1.0", { type: ["string"] }, { type: "string" }],
  [
    "true is anything, false is nothing",
    "3.1.0",
    { properties: { a: true, b: false } },
    { properties: { a: {}, b: { not: {} } } },
  ],
  [
    "additionalProperties true and false",
    "3.0.3",
    { allOf: [{ additionalProperties: true }, { additionalProperties: false }] },
    { allOf: [{ additionalProperties: {} }, { additionalProperties: { not: {} } }] },
  ],
  [
    "binary and byte say their content",
    "3.0.3",
    { allOf: [{ format: "binary" }, { format: "byte" }] },
    {
      allOf: [
        { format: "binary", contentMediaType: "application/octet-stream" },
        { format: "byte", contentEncoding: "base64" },
      ],
    },
  ],
  [
    "a list of items is prefixItems",
    "3.1.0",
    { type: "array", items: [{ type: "string" }, { type: "integer" }] },
    { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] },
  ],
  ["an array without items stays so", "3.1.0", { type: "array" }, { type: "array" }],
  [
    "noise is stripped at every depth",
    "3.0.3",
    {
      type: "object",
      xml: {},
      externalDocs: {},
      "x-a": 1,
      $id: "q",
      id: "q",
      $schema: "q",
      properties: { a: { type: "string", "x-b": 1 } },
    },
    { type: "object", properties: { a: { type: "string" } } },
  ],
  [
    "properties named as keywords are properties",
    "3.0.3",
    { properties: { example: { type: "string" }, "x-a": { type: "string" }, id: {} } },
    { properties: { example: { type: "string" }, "x-a": { type: "string" }, id: {} } },
  ],
  [
    "unknown types are dropped, wrongly spelt ones kept",
    "3.0.3",
    { allOf: [{ type: "any" }, { type: "String" }] },
    { allOf: [{}, { type: "string" }] },
  ],
  [
    "keywords of the wrong kind are dropped",
    "3.0.3",
    { required: true, minimum: "3", enum: "a", pattern: 7, allOf: {}, items: 3, properties: [] },
    {},
  ],
  [
    "readOnly, writeOnly and deprecated are kept",
    "3.0.3",
    { readOnly: true, writeOnly: false, deprecated: true },
    { readOnly: true, writeOnly: false, deprecated: true },
  ],
  [
    "a discriminator is kept",
    "3.1.0",
    { discriminator: { propertyName: "t", mapping: { a: "#/components/schemas/A", b: "B" } } },
    { discriminator: { propertyName: "t", mapping: { a: "#/components/schemas/A", b: "B" } } },
  ],
  [
    "other 2020-12 keywords are lifted too",
    "3.1.0",
    { if: true, contains: { properties: { a: false } }, dependentRequired: { a: ["b"] } },
    { if: {}, contains: { properties: { a: { not: {} } } }, dependentRequired: { a: ["b"] } },
  ],
  [
    "data is never lifted",
    "3.1.0",
    { default: { $ref: "#/nowhere", nullable: true }, const: { example: 1 }, enum: [{ $ref: "#/nowhere" }] },
    { default: { $ref: "#/nowhere", nullable: true }, const: { example: 1 }, enum: [{ $ref: "#/nowhere" }] },
  ],
  ["null where a schema should be is anything", "3.0.3", { properties: { a: null } }, { properties: { a: {} } }],
];

describe("a schema is lifted to 2020-12", () => {
  test.each(LIFTS)("%s (%s)", async (_title, version, given, want) => {
    expect(bodySchema(await openSpec(withBody(version, given)))).toEqual(want);
  });

  test("the 2.0 discriminator is the name of the property", async () => {
    const definitions = { Pet: { type: "object", discriminator: "kind", "x-nullable": true } };
    const parameters = [{ in: "body", name: "b", schema: { $ref: "#/definitions/Pet" } }];
    const api = await openSpec({
      swagger: "2.0",
      info: {},
      definitions,
      paths: { "/x": { post: { parameters, responses: {} } } },
    });
    expect(bodySchema(api)).toEqual({ type: ["object", "null"], discriminator: { propertyName: "kind" } });
  });

  test("x-ms-discriminator-value says the value of a subtype, of subtypes of subtypes too", async () => {
    const under = (name: string, value?: string) => ({
      allOf: [{ $ref: `#/definitions/${name}` }],
      ...(value !== undefined && { "x-ms-discriminator-value": value }),
    });
    const definitions = {
      Pet: { type: "object", discriminator: "kind" },
      Cat: under("Pet", "#animal.cat"),
      Lion: under("Cat", "#animal.lion"),
      Dog: under("Pet"),
    };
    const parameters = [{ in: "body", name: "b", schema: { $ref: "#/definitions/Pet" } }];
    const paths = { "/x": { post: { parameters, responses: {} } } };
    const api = await openSpec({ swagger: "2.0", info: {}, definitions, paths });
    expect(resolveOf(api, { $ref: "#/definitions/Pet" }).discriminator).toEqual({
      propertyName: "kind",
      mapping: { "#animal.cat": "#/definitions/Cat", "#animal.lion": "#/definitions/Lion" },
    });
  });

  test("names of the prototype are plain names", async () => {
    const text = `{"openapi":"3.1.0","info":{},"paths":{"/__proto__":{"post":{"operationId":"constructor","parameters":[{"name":"__proto__","in":"query","schema":{"type":"string"}}],
      "requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"type":"string"}}}}},"responses":{}}}}}}`;
    const before = Object.getOwnPropertyNames(Object.prototype);
    const api = await openText(text);
    const operation = readOf(api, "POST /__proto__");
    expect(operation.id).toBe("constructor");
    expect(api.find("toString")).toBeUndefined();
    expect(operation.parameters[0]?.name).toBe("__proto__");
    const properties = operation.body?.content[0]?.schema?.properties ?? {};
    expect(Object.entries(properties)).toEqual([
      ["__proto__", { type: "integer" }],
      ["constructor", { type: "string" }],
    ]);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  test("an object that aliases share is lifted once", async () => {
    const api = await openText(
      [
        "openapi: 3.1.0",
        "x-a: &a {type: object, properties: {n: {type: string}}}",
        "paths: {/x: {post: {requestBody: {content: {application/json: {schema: {properties: {p: *a, q: *a}}}}}}}}",
      ].join("\n"),
    );
    const { p, q } = bodySchema(api).properties ?? {};
    expect(p).toBe(q);
  });

  test("a schema is the same object however often it is asked for", async () => {
    const api = await openSpec(openapi("3.1.0", { components: { schemas: { A: { type: "string" } } }, paths: {} }));
    expect(api.resolve({ $ref: "#/components/schemas/A" })).toEqual(api.resolve({ $ref: "#/components/schemas/A" }));
    const first = api.resolve({ $ref: "#/components/schemas/A" });
    const again = api.resolve({ $ref: "#/components/schemas/A" });
    expect("schema" in first && "schema" in again && first.schema === again.schema).toBe(true);
  });
});
