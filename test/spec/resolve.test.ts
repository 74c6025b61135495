import { describe, expect, test } from "vitest";
import { isFault } from "../../src/model/api.ts";
import { openapi, openSpec, readOf, resolveOf, swagger, withBody } from "./open-spec.ts";

const SCHEMAS = {
  Folder: { type: "object", properties: { parent: { $ref: "#/components/schemas/Folder" } } },
  Alias: { $ref: "#/components/schemas/Folder" },
  "Odd/Name~ 1": { type: "integer" },
  List: { allOf: [{ type: "string" }, { title: "second" }] },
  Loop: { $ref: "#/components/schemas/Pool" },
  Pool: { $ref: "#/components/schemas/Loop" },
  Away: { $ref: "other.yaml#/Thing" },
  Far: { $ref: "http://169.254.169.254/latest" },
  Titled: { $ref: "#/components/schemas/List", description: "laid over", readOnly: true },
  Narrowed: { $ref: "#/components/schemas/Folder", properties: { name: {} }, description: "both" },
  Inner: { properties: { $ref: { type: "string" } } },
};

describe("references", () => {
  const open = (version = "3.1.0") => openSpec(openapi(version, { paths: {}, components: { schemas: SCHEMAS } }));

  test.each([
    [
      "names what it went through",
      "#/components/schemas/Alias",
      ["#/components/schemas/Alias", "#/components/schemas/Folder"],
    ],
    ["follows into lists", "#/components/schemas/List/allOf/1", ["#/components/schemas/List/allOf/1"]],
    [
      "decodes ~ and % and names it canonically",
      "#/components/schemas/Odd~1Name~0%201",
      ["#/components/schemas/Odd~1Name~0 1"],
    ],
    ["takes a bare schema name, as mappings write it", "Folder", ["#/components/schemas/Folder"]],
  ])("%s", async (_title, $ref, through) => {
    const resolved = (await open()).resolve({ $ref });
    expect(resolved).toMatchObject({ through });
  });

  test.each([
    ["to nowhere", "#/components/schemas/Missing", /"#\/components\/schemas\/Missing" leads nowhere/],
    ["past the end of a list", "#/components/schemas/List/allOf/2", /leads nowhere/],
    ["to a property of a list", "#/components/schemas/List/allOf/length", /leads nowhere/],
    ["to a name of the prototype", "#/components/schemas/constructor", /leads nowhere/],
    ["round in a circle", "#/components/schemas/Loop", /only leads back to itself/],
    ["to what is not here yet", "#/components/schemas/Away", /has not been fetched/],
    ["to another origin", "#/components/schemas/Far", /leads away from https:\/\/spec.example/],
    ["to an anchor", "#thing", /not a JSON pointer/],
  ])("a reference %s is a fault of whoever needs it", async (_title, $ref, want) => {
    const resolved = (await open()).resolve({ $ref });
    expect(isFault(resolved) && resolved.fault).toMatch(want);
  });

  test("a fault says where the reference stands", async () => {
    const api = await openSpec(withBody("3.0.3", { properties: { a: { $ref: "#/components/schemas/Missing" } } }));
    const property = readOf(api, "POST /x").body?.content[0]?.schema?.properties?.a;
    expect(api.resolve(property ?? {})).toMatchObject({
      pointer: "#/paths/~1x/post/requestBody/content/application~1json/schema/properties/a",
    });
  });

  test("words beside a reference are laid over the target in 3.1", async () => {
    const schema = resolveOf(await open(), { $ref: "#/components/schemas/Titled" });
    expect(schema).toEqual({
      allOf: [{ type: "string" }, { title: "second" }],
      description: "laid over",
      readOnly: true,
    });
  });

  test("rules beside a reference never replace the target's", async () => {
    const schema = resolveOf(await open(), { $ref: "#/components/schemas/Narrowed" });
    expect(schema).toEqual({
      description: "both",
      allOf: [
        { type: "object", properties: { parent: { $ref: "#/components/schemas/Folder" } } },
        { properties: { name: {} } },
      ],
    });
  });

  test("in 3.0 only a description counts beside a reference", async () => {
    const schema = resolveOf(await open("3.0.3"), { $ref: "#/components/schemas/Titled" });
    expect(schema).toEqual({ allOf: [{ type: "string" }, { title: "second" }], description: "laid over" });
  });

  test("recursion stays a reference", async () => {
    const schema = resolveOf(await open(), { $ref: "#/components/schemas/Folder" });
    expect(schema.properties?.parent).toEqual({ $ref: "#/components/schemas/Folder" });
  });

  test("a property named $ref is a property", async () => {
    expect(resolveOf(await open(), { $ref: "#/components/schemas/Inner" })).toEqual({
      properties: { $ref: { type: "string" } },
    });
  });

  test("a text under $ref among the properties leads to the properties", async () => {
    const thing = { type: "object", properties: { $ref: "#/components/schemas/Whole/properties" } };
    const api = await openSpec(
      openapi("3.0.3", { components: { schemas: { Whole: { properties: { a: { type: "string" } } }, Thing: thing } } }),
    );
    expect(resolveOf(api, { $ref: "#/components/schemas/Thing" })).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
    });
  });

  test("what has no reference is itself, through nothing", async () => {
    const schema = { type: "string" } as const;
    const resolved = (await open()).resolve(schema);
    expect(resolved).toEqual({ schema, through: [] });
  });
});

describe("one broken operation breaks nothing else", () => {
  const ok = { responses: { 200: { description: "ok" } } };
  const withResponse = (status: string) => ({
    responses: { 200: { description: "ok" }, [status]: { $ref: "#/components/responses/Missing" } },
  });
  const api = openSpec(
    openapi("3.0.3", {
      paths: {
        "/good": { get: ok },
        "/body": {
          post: {
            ...ok,
            requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Missing" } } } },
          },
        },
        "/parameter": { get: { ...ok, parameters: [{ $ref: "#/components/parameters/Missing" }] } },
        "/schema": {
          get: { ...ok, parameters: [{ name: "a", in: "query", schema: { $ref: "https://127.0.0.1:9/a" } }] },
        },
        "/nameless": { get: { ...ok, parameters: [{ in: "query" }] } },
        "/place": {
          get: {
            ...ok,
            parameters: [
              { name: "a", in: "body" },
              { name: "b", in: "attic", schema: {} },
            ],
          },
        },
        "/success": { get: withResponse("201") },
        "/failure": { get: withResponse("404") },
        "/operation": { get: { $ref: "resources/get.yml" } },
        "/item": { $ref: "#/components/pathItems/Missing" },
      },
    }),
  );

  test.each([
    ["GET /good", undefined],
    ["POST /body", "#/paths/~1body/post/requestBody/content/application~1json/schema"],
    ["GET /parameter", "#/paths/~1parameter/get/parameters/0"],
    ["GET /schema", "#/paths/~1schema/get/parameters/0/schema"],
    ["GET /nameless", "#/paths/~1nameless/get/parameters/0"],
    ["GET /place", "#/paths/~1place/get/parameters/1/in"],
    ["GET /success", "#/paths/~1success/get/responses/201"],
    ["GET /failure", undefined],
    ["GET /operation", "#/paths/~1operation/get"],
  ])("%s is broken at %s", async (key, pointer) => {
    const opened = await api;
    const entry = opened.find(key);
    const operation = entry && opened.read(entry);
    expect(operation && isFault(operation) ? operation.pointer : undefined).toBe(pointer);
    expect(entry && opened.read(entry)).toBe(operation);
  });

  test("a path item that leads nowhere names no operation", async () => {
    expect((await api).index.map((entry) => entry.path)).not.toContain("/item");
  });

  test("a failure that is described wrongly is left out", async () => {
    expect(readOf(await api, "GET /failure").responses.map((response) => response.status)).toEqual(["200"]);
  });

  test("an entry of no such operation is a fault", async () => {
    const stranger = { key: "GET /stranger", method: "GET", path: "/stranger", tags: [], deprecated: false };
    expect((await api).read(stranger)).toMatchObject({ pointer: "#/paths" });
  });
});

test("a Swagger 2.0 reference may be a bare name", async () => {
  const api = await openSpec(swagger({ paths: {}, definitions: { Pet: { type: "object" } } }));
  expect(resolveOf(api, { $ref: "Pet" })).toEqual({ type: "object" });
});
