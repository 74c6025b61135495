import { describe, expect, test } from "vitest";
import { openSpec, readOf, swagger } from "./open-spec.ts";

async function readPost(operation: object, root: object = {}) {
  return readOf(
    await openSpec(swagger({ ...root, paths: { "/{p}": { post: { responses: {}, ...operation } } } })),
    "POST /{p}",
  );
}

const list = { type: "array", items: { type: "integer" } };

describe("Swagger 2.0 parameters", () => {
  type Case = [given: object, want: object];
  const CASES: readonly Case[] = [
    [
      { in: "query", type: "integer", format: "int64", maximum: 9, description: "d" },
      { style: "form", explode: true, description: "d", schema: { type: "integer", format: "int64", maximum: 9 } },
    ],
    [
      { in: "query", ...list },
      { style: "form", explode: false, schema: list },
    ],
    [
      { in: "query", ...list, collectionFormat: "csv" },
      { style: "form", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: "multi" },
      { style: "form", explode: true },
    ],
    [
      { in: "query", ...list, collectionFormat: "ssv" },
      { style: "spaceDelimited", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: "pipes" },
      { style: "pipeDelimited", explode: false },
    ],
    [
      { in: "query", ...list, collectionFormat: "tsv" },
      { style: "tabDelimited", explode: false, schema: list },
    ],
    [
      { in: "path", ...list },
      { style: "simple", explode: false, required: true, schema: list },
    ],
    [
      { in: "header", ...list, collectionFormat: "pipes" },
      { style: "pipeDelimited", explode: false, schema: list },
    ],
    [
      { in: "query", type: "string", required: true, allowEmptyValue: true },
      { required: true, allowEmptyValue: true, schema: { type: "string" } },
    ],
    [
      { in: "query", type: "integer", minimum: 0, exclusiveMinimum: true, "x-nullable": true, "x-example": 1 },
      { schema: { type: ["integer", "null"], exclusiveMinimum: 0 } },
    ],
    [
      { in: "query", type: "array", items: { type: "string", enum: ["a"], collectionFormat: "csv" }, default: ["a"] },
      { schema: { type: "array", items: { type: "string", enum: ["a"] }, default: ["a"] } },
    ],
  ];
  test.each(CASES)("%o is read as %o", async (given, want) => {
    const { parameters } = await readPost({ parameters: [{ name: "p", ...given }] });
    expect(parameters.find(({ in: place }) => place === (given as { in: string }).in)).toMatchObject(want);
  });
});

describe("Swagger 2.0 bodies", () => {
  test("in: body is the whole payload, in each media type that is consumed", async () => {
    const parameters = [{ name: "payload", in: "body", required: true, description: "d", schema: { type: "object" } }];
    const schema = { type: "object" };
    expect((await readPost({ parameters }, { consumes: ["application/json"] })).body).toEqual({
      required: true,
      description: "d",
      content: [{ mediaType: "application/json", schema, encoding: [] }],
    });
    expect(
      (
        await readPost({ parameters, consumes: ["application/xml", "text/json"] }, { consumes: ["application/json"] })
      ).body?.content.map(({ mediaType }) => mediaType),
    ).toEqual(["application/xml", "text/json"]);
    expect((await readPost({ parameters })).body?.content.map(({ mediaType }) => mediaType)).toEqual([
      "application/json",
    ]);
  });

  test("the operation's body replaces the path item's, whatever its name", async () => {
    const body = (name: string, type: string) => ({ name, in: "body", schema: { type } });
    const api = await openSpec(
      swagger({
        paths: {
          "/a": { parameters: [body("x", "string")], post: { parameters: [body("y", "integer")], responses: {} } },
        },
      }),
    );
    expect(readOf(api, "POST /a").body?.content[0]?.schema).toEqual({ type: "integer" });
  });

  test("formData becomes a urlencoded form", async () => {
    const parameters = [
      { name: "a", in: "formData", type: "string", required: true, description: "d" },
      { name: "tags", in: "formData", ...list, collectionFormat: "multi" },
      { name: "ids", in: "formData", ...list },
    ];
    const { body, parameters: others } = await readPost({
      parameters,
      consumes: ["application/x-www-form-urlencoded"],
    });
    expect(others.map(({ name }) => name)).toEqual(["p"]);
    expect(body).toEqual({
      required: true,
      content: [
        {
          mediaType: "application/x-www-form-urlencoded",
          schema: {
            type: "object",
            required: ["a"],
            properties: { a: { type: "string", description: "d" }, tags: list, ids: list },
          },
          encoding: [
            { property: "tags", style: "form", explode: true },
            { property: "ids", style: "form", explode: false },
          ],
        },
      ],
    });
  });

  test("a file makes it multipart, and a string of bytes", async () => {
    const parameters = [{ name: "f", in: "formData", type: "file" }];
    const { body } = await readPost({ parameters, consumes: ["application/x-www-form-urlencoded"] });
    expect(body?.content).toEqual([
      {
        mediaType: "multipart/form-data",
        schema: {
          type: "object",
          required: [],
          properties: { f: { type: "string", format: "binary", contentMediaType: "application/octet-stream" } },
        },
        encoding: [],
      },
    ]);
  });

  test("a form without consumes is urlencoded, never JSON", async () => {
    const parameters = [{ name: "a", in: "formData", type: "string" }];
    expect(
      (await readPost({ parameters }, { consumes: ["application/json"] })).body?.content.map(
        ({ mediaType }) => mediaType,
      ),
    ).toEqual(["application/x-www-form-urlencoded"]);
  });

  test("body parameters are read behind references", async () => {
    const root = {
      parameters: { B: { name: "b", in: "body", schema: { $ref: "#/definitions/D" } } },
      definitions: { D: { type: "object" } },
    };
    expect((await readPost({ parameters: [{ $ref: "#/parameters/B" }] }, root)).body?.content[0]?.schema).toEqual({
      $ref: "#/definitions/D",
    });
  });
});

describe("Swagger 2.0 responses", () => {
  test("have their schema in each media type that is produced", async () => {
    const responses = {
      200: { description: "ok", schema: { type: "array", items: {} } },
      204: { description: "none" },
      201: { description: "f", schema: { type: "file" } },
    };
    const { responses: read } = await readPost({ responses, produces: ["application/json", "text/csv"] });
    expect(read.map(({ status, content }) => [status, content.map(({ mediaType }) => mediaType)])).toEqual([
      ["200", ["application/json", "text/csv"]],
      ["201", ["application/json", "text/csv"]],
      ["204", []],
    ]);
    const bare = await readPost({ responses });
    expect(bare.responses.map(({ content }) => content.map(({ mediaType }) => mediaType))).toEqual([
      ["application/json"],
      ["application/octet-stream"],
      [],
    ]);
  });
});
