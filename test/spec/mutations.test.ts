import fc from "fast-check";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { type Api, isFault, type Operation } from "../../src/model/api.ts";
import { UnreadableInput } from "../../src/model/errors.ts";
import type { Schema } from "../../src/model/schema.ts";
import { openText } from "./open-spec.ts";

const YAML = `openapi: 3.0.3
info: {title: t, version: 2024-01-01}
servers: [{url: 'https://{r}.example', variables: {r: {default: eu, enum: [eu]}}}]
security: [{k: []}, {}]
paths:
  /pets/{id}:
    parameters: [{$ref: '#/components/parameters/Id'}]
    post:
      operationId: addPet
      parameters: [{name: tags, in: query, style: form, explode: false, schema: {type: array, items: {type: string}}}]
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
      responses: {200: {description: ok, content: {application/json: {schema: {allOf: [{$ref: '#/components/schemas/Pet'}]}}}}}
components:
  parameters: {Id: {name: id, in: path, required: true, schema: {type: integer, minimum: 0, exclusiveMinimum: true}}}
  securitySchemes: {k: {type: apiKey, in: header, name: X-Key}}
  schemas:
    Base: &base {type: object, nullable: true, properties: {id: {type: integer}}}
    Pet: {<<: *base, required: [id], properties: {id: {type: integer}, $ref: {type: string}, child: {$ref: '#/components/schemas/Pet'}}}
`;
const SWAGGER = JSON.stringify({
  swagger: "2.0",
  info: { title: "t", version: "1" },
  host: "h",
  schemes: ["https"],
  consumes: ["application/json"],
  paths: {
    "/a/{b}": {
      put: {
        parameters: [
          { name: "b", in: "path", type: "array", items: { type: "string" }, collectionFormat: "pipes" },
          { name: "c", in: "formData", type: "file" },
          { $ref: "#/parameters/D" },
        ],
        responses: {
          200: { description: "", schema: { $ref: "#/definitions/E" } },
          default: { $ref: "#/responses/F" },
        },
        security: [{ o: ["s"] }],
      },
    },
  },
  parameters: { D: { name: "d", in: "body", schema: { $ref: "#/definitions/E" } } },
  definitions: { E: { type: "object", discriminator: "t", properties: { t: { type: "string", "x-nullable": true } } } },
  responses: { F: { description: "f" } },
  securityDefinitions: { o: { type: "oauth2", flow: "implicit", scopes: { s: "" } } },
});

/** Pieces that mean something to a reader of specs. */
const PIECES = [
  "$ref",
  "'#/components/schemas/Pet'",
  '"#/definitions/E"',
  "__proto__",
  "constructor",
  "null",
  "true",
  "[]",
  "{}",
  "&a",
  "*a",
  "*base",
  "<<:",
  "\n",
  "  ",
  "- ",
  ": ",
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  "#",
  "\\",
  "\t",
  "\0",
  "\uFEFF",
  "\uD800",
  "3.1.0",
  "1e999",
  "-",
  "allOf",
  "in",
  "body",
  "type",
  "9223372036854775808",
];

/** Values and names that mean something to it, in places where they should not be. */
const GRAFTS: unknown[] = [
  null,
  true,
  7,
  "",
  "query",
  "body",
  "file",
  [],
  {},
  [null],
  [[]],
  { $ref: "#" },
  { $ref: "#/components/schemas/Pet" },
  { $ref: "#/paths" },
  { $ref: 3 },
  { $ref: "" },
  { in: "path", name: "id" },
  { type: "array", items: [true, { type: 3 }] },
  { nullable: true, allOf: [null] },
];
const NAMES = [
  "$ref",
  "__proto__",
  "constructor",
  "nullable",
  "enum",
  "schema",
  "content",
  "parameters",
  "servers",
  "security",
  "additionalOperations",
  "0",
];

/** Cuts, repeats or replaces a stretch of the text, a few times. */
const mutation = fc.array(
  fc.record({
    at: fc.nat(100_000),
    length: fc.oneof(fc.nat(2), fc.nat(40)),
    piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 3 })),
    copy: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(text: string, steps: Mutation): string {
  return steps.reduce((current, { at, length, piece, copy }) => {
    const start = at % (current.length + 1);
    const cut = current.slice(start, start + length);
    return current.slice(0, start) + (copy ? cut + piece + cut : piece) + current.slice(start + length);
  }, text);
}

/** Puts something else in the place of a value anywhere in the tree, or under another name. */
const graft = fc.array(
  fc.record({
    at: fc.nat(10_000),
    value: fc.oneof(fc.constantFrom(...GRAFTS), fc.jsonValue({ maxDepth: 2 })),
    name: fc.option(fc.constantFrom(...NAMES)),
  }),
  { minLength: 1, maxLength: 4 },
);
type Graft = typeof graft extends fc.Arbitrary<infer T> ? T : never;

function graftInto(text: string, steps: Graft): string {
  const root: unknown = load(text);
  for (const { at, value, name } of steps) {
    const places = placesOf(root);
    const place = places[at % places.length];
    if (place === undefined) continue;
    const own = name === null ? place.key : name;
    Object.defineProperty(place.parent, own, {
      value: structuredClone(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return JSON.stringify(root);
}

function placesOf(root: unknown): { parent: object; key: string }[] {
  if (typeof root !== "object" || root === null) return [];
  return Object.entries(root).flatMap(([key, value]) => [{ parent: root, key }, ...placesOf(value)]);
}

function readEverything(api: Api): void {
  const open: Schema[] = [];
  for (const entry of api.index) {
    const operation = api.read(entry);
    if (isFault(operation)) expect(operation.pointer).toMatch(/^#/);
    else {
      open.push(...operation.parameters.map(({ schema }) => schema));
      const media = [operation.body, ...operation.responses].flatMap((part) => part?.content ?? []);
      open.push(...media.flatMap(({ schema }) => schema ?? []));
    }
  }
  for (const schema of open) {
    const resolved = api.resolve(schema);
    if (!isFault(resolved)) expect(resolved.schema.$ref).toBeUndefined();
  }
}

/** A curation that exposes every operation with every input that it has. */
function exposeAll(api: Api): string {
  const tools = api.index.map((entry, at) => {
    const operation = api.read(entry);
    const places = isFault(operation) ? [] : placesOfOperation(api, operation);
    const args = Object.fromEntries(places.map((place, index) => [place, `\${input.i${index}}`]));
    const input = Object.fromEntries(places.map((_, index) => [`i${index}`, {}]));
    return [`tool_${at}`, { operation: entry.key, use: "Everything.", input, args }];
  });
  return JSON.stringify({
    vitrine: 1,
    api: { spec: "spec.yaml", baseUrl: "https://api.example" },
    server: { name: "all", writes: true },
    tools: Object.fromEntries(tools),
  });
}

function placesOfOperation(api: Api, { parameters, body }: Operation): string[] {
  const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
  const schema = body?.content[0]?.schema;
  const resolved = schema === undefined ? undefined : api.resolve(schema);
  const properties = resolved === undefined || isFault(resolved) ? {} : (resolved.schema.properties ?? {});
  const inBody = Object.keys(properties).map((name) => `body/${escaped(name)}`);
  const whole = body !== undefined && inBody.length === 0 ? ["body"] : [];
  return [
    ...parameters.map((one) => (one.in === "querystring" ? one.in : `${one.in}.${escaped(one.name)}`)),
    ...inBody,
    ...whole,
  ];
}

/** Gives whether there are tools; where there are none, there must be a finding. */
function compileEverything(api: Api): boolean {
  const { curation, problems } = loadCuration("all.yaml", exposeAll(api));
  if (curation === undefined) {
    expect(problems).not.toEqual([]);
    return false;
  }
  const compiled = compileToolset(curation, api);
  if (compiled.toolset === undefined) expect([...problems, ...compiled.problems]).not.toEqual([]);
  return (compiled.toolset?.tools.length ?? 0) > 0;
}

async function holdsFor(
  text: string,
  steps: fc.Arbitrary<string>,
  numRuns: number,
): Promise<{ loaded: number; refused: number; served: number }> {
  const sound = await openText(text);
  readEverything(sound);
  expect(compileEverything(sound)).toBe(true);
  const prototype = Object.getOwnPropertyNames(Object.prototype);
  let [loaded, refused, served] = [0, 0, 0];
  const law = fc.asyncProperty(steps, async (variant) => {
    // Time of this process, as others may be at work on the machine.
    const started = process.cpuUsage();
    try {
      const api = await openText(variant);
      readEverything(api);
      if (compileEverything(api)) served++;
      loaded++;
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      expect(error.message).not.toContain("\n");
      refused++;
    }
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000);
  });
  await fc.assert(law, { numRuns, seed: 20261129 });
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
  return { loaded, refused, served };
}

/** In all; CI asks for more. */
const VARIANTS = Number(process.env["VITRINE_MUTATIONS"] ?? 800);
const EACH = Math.ceil(VARIANTS / 5);
const TIMEOUT_MS = 300_000;

describe(`${VARIANTS} broken variants of small specs give tools or findings, or are plainly refused, within a second`, () => {
  test.each([
    ["YAML 3.0", YAML],
    ["JSON 2.0", SWAGGER],
  ])(
    "%s with its text cut up",
    async (_title, text) => {
      const { loaded, refused, served } = await holdsFor(
        text,
        mutation.map((steps) => mutate(text, steps)),
        EACH,
      );
      expect(loaded).toBeGreaterThan(0);
      expect(served).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(EACH / 8);
    },
    TIMEOUT_MS,
  );

  test.each([
    ["3.0", YAML],
    ["3.1", YAML.replace("3.0.3", "3.1.0")],
    ["2.0", SWAGGER],
  ])(
    "%s with other values in its places",
    async (_title, text) => {
      const { loaded, served } = await holdsFor(
        text,
        graft.map((steps) => graftInto(text, steps)),
        EACH,
      );
      expect(loaded).toBeGreaterThan(EACH / 2);
      expect(served).toBeGreaterThan(EACH / 4);
    },
    TIMEOUT_MS,
  );
});
