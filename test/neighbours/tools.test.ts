import { describeRows, type Row, withBody, withParameters } from "./run-rows.ts";

// The neighbours of the public cases 001 to 048 and 140 to 146: what callers see of a schema, and what they may send.

const tool = (title: string, schema: string, expect: Row["expect"], head = ""): Row => ({
  title,
  spec: `${head}${withBody(`{application/json: {schema: ${schema}}}`)}`,
  operation: "POST /x",
  kind: "tool",
  expect,
});
const of30 = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://api.example.com'}]\n";
const of20 = "swagger: '2.0'\ninfo: {title: t, version: '1'}\nhost: api.example.com\n";
const pets = (mapping: string) =>
  `components: {schemas: {Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind${mapping}}}, Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {meow: {type: integer}}}]}, Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [pack], properties: {pack: {type: integer}}}]}}}\n`;
const pet = "{$ref: '#/components/schemas/Pet'}";

await describeRows("what callers see", [
  tool(
    "bounds left out at both ends",
    "{type: object, properties: {i: {type: integer, exclusiveMinimum: 0, exclusiveMaximum: 10}, n: {type: number, exclusiveMinimum: 0}}}",
    {
      property_schema: { i: { type: "integer", minimum: 1, maximum: 9 } },
      mentions: ["More than 0."],
      body_accepts: [{ i: 1, n: 0.1 }],
      body_rejects: [{ i: 0 }, { i: 10 }, { n: 0 }],
    },
  ),
  tool(
    "defaults, nested too",
    "{type: object, properties: {a: {type: string, default: x}, o: {type: object, properties: {b: {type: integer, default: 3}}}, l: {type: array, items: {type: string}, default: [p]}}}",
    { property_schema: { a: { default: "x" }, o: { properties: { b: { default: 3 } } }, l: { default: ["p"] } } },
  ),
  tool(
    "a default that does not fit",
    "{type: object, properties: {a: {type: integer, default: many}, b: {enum: [x], default: y}}}",
    { must_not_contain: ['"default"'] },
  ),
  tool("an enum of numbers", "{type: object, properties: {a: {type: integer, enum: [1, 2], default: 2}}}", {
    property_schema: { a: { type: "string", enum: ["1", "2"], default: "2" } },
    body_accepts: [{ a: 1 }],
    body_rejects: [{ a: 3 }],
  }),
  tool(
    "a nullable reference of 3.0",
    `{type: object, properties: {a: {nullable: true, allOf: [{$ref: '#/components/schemas/A'}]}}}`,
    { body_accepts: [{ a: null }, { a: { b: "x" } }], must_not_contain: ['"nullable"', "allOf"] },
    `${of30}components: {schemas: {A: {type: object, properties: {b: {type: string}}}}}\n`,
  ),
  tool(
    "subtypes that nobody maps",
    pet,
    {
      mentions: ["meow", "pack"],
      body_accepts: [
        { kind: "Cat", meow: 1 },
        { kind: "Dog", pack: 2 },
      ],
      body_rejects: [{ kind: "Dog" }],
    },
    pets(""),
  ),
  tool(
    "subtypes that are mapped by name, in a list",
    `{type: object, properties: {l: {type: array, items: ${pet}}}}`,
    { mentions: ["meow", "pack"], body_accepts: [{ l: [{ kind: "dog", pack: 2 }] }] },
    pets(", mapping: {dog: Dog, cat: '#/components/schemas/Cat'}"),
  ),
  tool(
    "readOnly through allOf and lists",
    "{type: object, allOf: [{type: object, required: [id, a], properties: {id: {type: string, readOnly: true}, a: {type: array, items: {type: object, required: [oid, v], properties: {oid: {type: string, readOnly: true}, v: {type: string}}}}}}]}",
    {
      required_has: ["a"],
      required_absent: ["id"],
      must_not_contain: ['"oid"'],
      body_accepts: [{ a: [{ v: "x" }] }],
      body_rejects: [{ a: [{}] }],
    },
  ),
  tool(
    "nested allOf with limits on both sides",
    "{allOf: [{type: object, properties: {n: {type: integer, minimum: 1, maximum: 9}}}, {allOf: [{type: object, required: [n], properties: {n: {maximum: 5}}}]}]}",
    { required_has: ["n"], property_schema: { n: { type: "integer", minimum: 1, maximum: 5 } } },
  ),
  tool(
    "a recursion through two schemas",
    "{$ref: '#/components/schemas/A'}",
    { load_ok: true, json_stringify_ok: true, max_schema_bytes: 8192, input_has: ["b"] },
    "components: {schemas: {A: {type: object, properties: {b: {$ref: '#/components/schemas/B'}}}, B: {type: object, properties: {a: {type: array, items: {$ref: '#/components/schemas/A'}}, v: {type: string}}}}}\n",
  ),
  tool(
    "tuples and lists without items",
    "{type: object, properties: {t: {type: array, items: [{type: string}, {type: integer}]}, l: {type: array}, u: {type: array, items: {}}}}",
    { every_array_has_items: true, body_accepts: [{ t: ["a", 1] }, { l: [true] }, { u: ["x", 2] }] },
    of30,
  ),
  tool(
    "unknown types and empty schemas",
    "{type: object, properties: {f: {type: file}, u: {type: unknown}, e: {}, b: true}}",
    { body_accepts: [{ f: "x", u: "y", e: 1, b: "z" }] },
  ),
  tool(
    "noise",
    "{type: object, xml: {name: n}, properties: {a: {type: string, example: hi, examples: [x], title: T, deprecated: true, externalDocs: {url: 'https://h'}, x-y: 1}}}",
    {
      must_not_contain: ['"xml"', '"example"', '"examples"', '"title":"T"', '"deprecated"', '"x-y"'],
      meta_schema_valid: "2020-12",
    },
  ),
  tool(
    "a choice beside properties",
    "{type: object, required: [k], properties: {k: {type: string}}, oneOf: [{required: [a], properties: {a: {type: string}}}, {required: [b], properties: {b: {type: integer}}}]}",
    {
      input_has: ["k", "a", "b"],
      required_has: ["k"],
      required_absent: ["a", "b"],
      body_accepts: [
        { k: "1", a: "x" },
        { k: "1", b: 2 },
      ],
      body_rejects: [{ k: "1" }],
    },
  ),
  tool(
    "references in examples and defaults",
    "{type: object, properties: {a: {type: object, properties: {$ref: {type: string}}, example: {$ref: '#/nowhere'}, default: {$ref: '#/nowhere'}}}}",
    { load_ok: true, body_accepts: [{ a: { $ref: "x" } }] },
  ),
  tool(
    "an object with further names",
    "{type: object, properties: {o: {type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}}}",
    { body_accepts: [{ o: { z: 1, a: "x" } }], body_rejects: [{ o: { z: "many" } }] },
  ),
  tool(
    "an object without any",
    "{type: object, properties: {o: {type: object, additionalProperties: false}, p: {type: object, properties: {a: {type: string}}, additionalProperties: false}}}",
    { body_rejects: [{ p: { z: 1 } }], body_accepts: [{ p: { a: "x" } }] },
  ),
  {
    title: "a body of Swagger 2.0 behind a reference",
    spec: `${of20}parameters: {P: {name: b, in: body, required: true, schema: {$ref: '#/definitions/D'}}}\ndefinitions: {D: {type: object, required: [a], properties: {a: {type: string}, n: {type: string, x-nullable: true}}}}\npaths: {/x: {post: {operationId: x, parameters: [{$ref: '#/parameters/P'}], responses: {'200': {description: ok}}}}}`,
    operation: "POST /x",
    kind: "tool",
    expect: { required_has: ["a"], input_has: ["a", "n"], body_accepts: [{ a: "x", n: null }] },
  },
  {
    title: "headers of the protocol",
    spec: withParameters(
      "{name: AUTHORIZATION, in: header, required: true, schema: {type: string}}, {name: Content-type, in: header, schema: {type: string}}, {name: X-A, in: header, schema: {type: string}}",
    ),
    operation: "GET /x",
    kind: "tool",
    expect: {
      input_absent: ["authorization", "content-type"],
      input_has: ["X-A"],
      accepts: [{ header: { "X-A": "1" } }],
    },
  },
  {
    title: "keys in a query and in a cookie as parameters",
    spec: `security: [{q: []}, {c: []}]\ncomponents: {securitySchemes: {q: {type: apiKey, in: query, name: Key}, c: {type: apiKey, in: cookie, name: sid}}}\n${withParameters("{name: key, in: query, required: true, schema: {type: string}}, {name: sid, in: cookie, required: true, schema: {type: string}}, {name: a, in: query, schema: {type: string}}")}`,
    operation: "GET /x",
    kind: "tool",
    expect: { input_absent: ["key", "sid"], required_absent: ["key", "sid"], input_has: ["a"] },
  },
]);
