import { describe, expect, test } from "vitest";
import { apiOfText, compileTools, inputOf } from "./compile-text.ts";

const pets = (discriminator: string, more = "") => `
paths:
  /pets: {post: {operationId: addPet, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [pet], properties: {pet: {$ref: '#/components/schemas/Pet'}}}}}}, responses: {'200': {description: ok}}}}
components:
  schemas:
    Pet: {type: object, required: [petType], properties: {petType: {type: string}}, discriminator: ${discriminator}}
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {meowVolume: {type: integer}}}]}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {packSize: {type: integer}}}]}
    Stone: {type: object, properties: {weight: {type: integer}}}
${more}`;

async function petOf(spec: string) {
  const result = await compileTools(spec, "add_pet: {operation: addPet, use: Add., input: {pet: {}}}", {
    server: "writes: true",
  });
  const { type } = inputOf(result, "pet");
  if (type.kind !== "object") throw new Error(type.kind);
  return type.properties.map(({ name, type: of }) => [
    name,
    of.kind === "enum" ? of.values.map(({ text }) => text) : of.kind,
  ]);
}

describe("subtypes of a discriminator", () => {
  const cases: [title: string, discriminator: string, want: readonly string[]][] = [
    ["without a mapping are those that include the parent", "{propertyName: petType}", ["Cat", "Dog"]],
    [
      "by a mapping have its names",
      "{propertyName: petType, mapping: {cat: '#/components/schemas/Cat', dog: Dog}}",
      ["cat", "dog"],
    ],
    [
      "by a mapping of some are all",
      "{propertyName: petType, mapping: {cat: '#/components/schemas/Cat'}}",
      ["cat", "Dog"],
    ],
  ];
  test.each(cases)("%s", async (_title, discriminator, values) => {
    expect(await petOf(pets(discriminator))).toEqual([
      ["petType", values],
      ["meowVolume", "integer"],
      ["packSize", "integer"],
    ]);
  });

  test("of Swagger 2.0 are known by `allOf` alone", async () => {
    const spec = `swagger: '2.0'
info: {title: t, version: '1'}
host: api.example.com
paths:
  /pets: {post: {operationId: addPet, parameters: [{name: b, in: body, required: true, schema: {type: object, properties: {pet: {$ref: '#/definitions/Pet'}}}}], responses: {200: {description: ok}}}}
definitions:
  Pet: {type: object, required: [petType], discriminator: petType, properties: {petType: {type: string}}}
  Cat: {allOf: [{$ref: '#/definitions/Pet'}, {properties: {meowVolume: {type: integer}}}]}
`;
    expect(await petOf(spec)).toEqual([
      ["petType", ["Cat"]],
      ["meowVolume", "integer"],
    ]);
  });

  test("of subtypes are choices too, and a circle of parents ends", async () => {
    const api = await apiOfText(
      pets(
        "{propertyName: petType}",
        "    Kitten: {allOf: [{$ref: '#/components/schemas/Cat'}]}\n    Odd: {allOf: [{$ref: '#/components/schemas/Odd'}]}\n",
      ),
    );
    expect(api.subtypesOf("#/components/schemas/Pet")).toEqual([
      "#/components/schemas/Cat",
      "#/components/schemas/Dog",
    ]);
    expect(api.subtypesOf("#/components/schemas/Cat")).toEqual(["#/components/schemas/Kitten"]);
    expect(api.subtypesOf("#/components/schemas/Odd")).toEqual(["#/components/schemas/Odd"]);
    expect(api.subtypesOf("#/components/schemas/None")).toEqual([]);
  });

  test("without a discriminator there are none: a base is then no choice", async () => {
    const spec = pets("{propertyName: petType}").replace(", discriminator: {propertyName: petType}", "");
    expect(await petOf(spec)).toEqual([["petType", "string"]]);
  });
});
