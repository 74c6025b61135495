import { describe, expect, test } from "vitest";
import type { PortableSchema } from "../../src/model/schema.ts";
import { compileTools, toolOf } from "./compile-text.ts";

/** The schema of the body of `POST /x`, given whole, where the body is `$ref: Body`. */
async function bodyOf(schemas: object): Promise<PortableSchema> {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Body" } } };
  const paths = { "/x": { post: { operationId: "x", requestBody: { required: true, content }, responses: {} } } };
  const document = `openapi: 3.0.3
info: {title: Test, version: '1'}
servers: [{url: 'https://api.example.com'}]
paths: ${JSON.stringify(paths)}
components: ${JSON.stringify({ schemas })}
`;
  const tools = "send: {operation: x, effect: read, use: Test., input: {all: {}}, args: {body: '${input.all}'}}";
  const all = toolOf(await compileTools(document, tools)).inputSchema.properties?.all;
  if (all === undefined) throw new Error("no input");
  return all;
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const child = (parent: string, name: string) => ({
  allOf: [ref(parent), { type: "object", properties: { [name]: text } }],
});
const parent = (names: readonly string[]) => ({
  type: "object",
  properties: { kind: text, id: text },
  discriminator: {
    propertyName: "kind",
    mapping: Object.fromEntries(names.map((name) => [`#${name}`, ref(name).$ref])),
  },
});
const names = (schema: PortableSchema | undefined) => Object.keys(schema?.properties ?? {}).sort();

describe("a parent with subtypes", () => {
  test("is any of them where it stands itself", async () => {
    const body = await bodyOf({ Body: parent(["Cat", "Dog"]), Cat: child("Body", "purr"), Dog: child("Body", "bark") });
    expect(names(body)).toStrictEqual(["bark", "id", "kind", "purr"]);
  });

  test("is any of them in all generations, and itself, where nothing is mapped", async () => {
    const pet = { type: "object", properties: { kind: text }, discriminator: { propertyName: "kind" } };
    const Body = { type: "object", properties: { pet: ref("Pet") } };
    const { properties } = await bodyOf({
      Body,
      Pet: pet,
      Dog: child("Pet", "bark"),
      Puppy: child("Dog", "age"),
    });
    expect(names(properties?.pet)).toStrictEqual(["age", "bark", "kind"]);
    expect(properties?.pet?.properties?.kind?.enum).toStrictEqual(["Pet", "Dog", "Puppy"]);
  });

  test("is any of those below it where a subtype is asked for", async () => {
    const pet = { type: "object", properties: { kind: text }, discriminator: { propertyName: "kind" } };
    const below = { Pet: pet, Body: child("Pet", "bark"), Puppy: child("Body", "age"), Cat: child("Pet", "purr") };
    const body = await bodyOf(below);
    expect(names(body)).toStrictEqual(["age", "bark", "kind"]);
    expect(body.properties?.kind?.enum).toStrictEqual(["Body", "Puppy"]);
  });

  test("is the subtype alone where that is asked for", async () => {
    const body = await bodyOf({ Pet: parent(["Body", "Dog"]), Body: child("Pet", "purr"), Dog: child("Pet", "bark") });
    expect(names(body)).toStrictEqual(["id", "kind", "purr"]);
  });

  test("is the subtype alone also through a parent's parent", async () => {
    const body = await bodyOf({
      Entity: parent(["Pet", "Body", "Dog", "Car"]),
      Pet: { allOf: [ref("Entity"), parent(["Body", "Dog"])] },
      Body: child("Pet", "purr"),
      Dog: child("Pet", "bark"),
      Car: child("Entity", "wheels"),
    });
    expect(names(body)).toStrictEqual(["id", "kind", "purr"]);
  });

  test("is any of them again in a property of a subtype", async () => {
    const owner = {
      type: "object",
      properties: { owner: { anyOf: [ref("Pet"), { type: "object", nullable: true }] } },
    };
    const body = await bodyOf({
      Pet: parent(["Body", "Dog"]),
      Body: { allOf: [ref("Pet"), owner] },
      Dog: child("Pet", "bark"),
    });
    // Spelled out or as JSON, but never as a plain parent.
    expect(body.properties?.owner?.type).toBe("string");
    expect(body.properties?.owner?.description).toMatch(/ A JSON object \(Pet\), as text\.$/);
  });

  test("is JSON as text where they are too many to be told", async () => {
    const many = Array.from({ length: 100 }, (_, at) => `S${at}`);
    const subtypes = Object.fromEntries(many.map((name) => [name, child("Body", `own_${name}`)]));
    const body = await bodyOf({ Body: parent(many), ...subtypes });
    expect(body).toStrictEqual({ type: "string", description: "A JSON object (Body), as text." });
  });

  test("takes no second where parents of parents multiply", { timeout: 5_000 }, async () => {
    const levels = [0, 1, 2, 3, 4];
    const named = levels.map((level) => Array.from({ length: 30 }, (_, at) => `L${level}_${at}`));
    const schemas = levels.flatMap((level) =>
      named[level]!.map((name) => [
        name,
        { ...parent(named[level + 1] ?? []), properties: { kind: text, [name]: text } },
      ]),
    );
    const started = performance.now();
    await bodyOf({ Body: parent(named[0]!), ...Object.fromEntries(schemas) });
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("values that two parts of a schema list", () => {
  test("are those that both list", async () => {
    const both = { enum: ["a", "b"], allOf: [{ oneOf: ["a", "b", "c"].map((value) => ({ enum: [value] })) }] };
    const body = await bodyOf({ Body: { type: "object", properties: { kind: { type: "string", ...both } } } });
    expect(body.properties?.kind?.enum).toStrictEqual(["a", "b"]);
  });

  test("may be more than any choice of objects may have", async () => {
    const listed = Array.from({ length: 90 }, (_, at) => ({ type: "string", enum: [`v${at}`] }));
    const body = await bodyOf({ Body: { type: "object", properties: { kind: { oneOf: listed } } } });
    expect(body.properties?.kind?.enum).toHaveLength(90);
  });
});

test("what is required may be given, also where the spec does not say what it is", async () => {
  const body = await bodyOf({ Body: { type: "object", required: ["grant"], properties: { token: text } } });
  expect(names(body)).toStrictEqual(["grant", "token"]);
  expect(body.required).toStrictEqual(["grant"]);
});
