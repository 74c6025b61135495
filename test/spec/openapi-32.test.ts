import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadApi } from "../../src/spec/load-api.ts";
import { openapi, openSpec, openText, readOf, resolveOf } from "./open-spec.ts";
import { folderOf } from "./spec-folder.ts";

const OK = { 200: { description: "ok" } };

describe("OpenAPI 3.2", () => {
  test("`query` and additional operations are operations, their methods as written", async () => {
    const item = {
      query: { operationId: "q", responses: OK },
      additionalOperations: { PURGE: { operationId: "p" }, copy: {} },
    };
    const api = await openSpec(openapi("3.2.0", { paths: { "/a": item } }));
    expect(api.index.map(({ key }) => key)).toEqual(["QUERY /a", "PURGE /a", "copy /a"]);
    expect(readOf(api, "PURGE /a")).toMatchObject({ method: "PURGE", id: "p" });
  });

  test("they are not in 3.1", async () => {
    const item = { query: { responses: OK }, additionalOperations: { PURGE: {} }, get: { responses: OK } };
    const api = await openSpec(openapi("3.1.0", { paths: { "/a": item } }));
    expect(api.index.map(({ key }) => key)).toEqual(["GET /a"]);
  });

  test("a path item's fields beside its `$ref` are laid over what it leads to, additional operations too", async () => {
    const api = await openSpec(
      openapi("3.2.0", {
        paths: { "/a": { $ref: "#/components/pathItems/P", additionalOperations: { LINK: { operationId: "mine" } } } },
        components: {
          pathItems: {
            P: { query: { operationId: "theirs" }, additionalOperations: { LINK: { operationId: "x" }, LOCK: {} } },
          },
        },
      }),
    );
    expect(api.index.map(({ key, id }) => [key, id])).toEqual([
      ["QUERY /a", "theirs"],
      ["LINK /a", "mine"],
      ["LOCK /a", undefined],
    ]);
  });

  test("`itemSchema` of a sequential media type is that of the items of a list", async () => {
    const content = {
      "application/jsonl": { itemSchema: { $ref: "#/components/schemas/E" } },
      "text/event-stream": { schema: { type: "array" }, itemSchema: { type: "object" } },
      "application/json": { $ref: "#/components/mediaTypes/M" },
    };
    const components = { schemas: { E: { type: "integer" } }, mediaTypes: { M: { schema: { type: "boolean" } } } };
    const responses = { 200: { description: "ok", content } };
    const api = await openSpec(openapi("3.2.0", { paths: { "/a": { get: { responses } } }, components }));
    expect(readOf(api, "GET /a").responses[0]?.content.map(({ mediaType, schema }) => [mediaType, schema])).toEqual([
      ["application/jsonl", { type: "array", items: { $ref: "#/components/schemas/E" } }],
      ["text/event-stream", { type: "array" }],
      ["application/json", { type: "boolean" }],
    ]);
  });

  test("the whole query string is a parameter", async () => {
    const parameters = [
      {
        name: "q",
        in: "querystring",
        content: { "application/x-www-form-urlencoded": { schema: { type: "object" } } },
      },
    ];
    const api = await openSpec(openapi("3.2.0", { paths: { "/a": { get: { parameters, responses: OK } } } }));
    expect(readOf(api, "GET /a").parameters).toMatchObject([
      { in: "querystring", mediaType: "application/x-www-form-urlencoded", schema: { type: "object" } },
    ]);
  });

  test("names of servers, the device flow and the metadata of an authorization server are read", async () => {
    const flows = {
      deviceAuthorization: { deviceAuthorizationUrl: "https://id/d", tokenUrl: "https://id/t", scopes: { a: "" } },
    };
    const securitySchemes = { o: { type: "oauth2", oauth2MetadataUrl: "https://id/.well-known/x", flows } };
    const api = await openSpec(
      openapi("3.2.0", { paths: {}, servers: [{ url: "https://a", name: "prod" }], components: { securitySchemes } }),
    );
    expect(api.servers).toEqual([{ url: "https://a", name: "prod", variables: [] }]);
    expect(api.securitySchemes.get("o")).toEqual({
      type: "oauth2",
      tokenUrl: "https://id/t",
      metadataUrl: "https://id/.well-known/x",
      scopes: ["a"],
    });
  });

  test("a discriminator may have a default, which is a reference like those of its mapping", async () => {
    const schema = { discriminator: { propertyName: "t", defaultMapping: "Other" } };
    const post = { requestBody: { content: { "application/json": { schema } } }, responses: OK };
    const api = await openSpec(openapi("3.2.0", { paths: { "/x": { post } }, components: { schemas: { Other: {} } } }));
    expect(readOf(api, "POST /x").body?.content[0]?.schema?.discriminator).toEqual({
      propertyName: "t",
      defaultMapping: "#/components/schemas/Other",
    });
  });

  test("a security requirement may name its scheme by a URI, and what is declared so is a name", async () => {
    const key = "{type: apiKey, in: header, name: X-Key}";
    const folder = folderOf({
      "s.yaml": `openapi: 3.2.0
info: {title: t, version: '1'}
security: [{'#/components/securitySchemes/own': []}]
paths:
  /a:
    get: {responses: {}}
    post: {security: [{./auth.yaml#/schemes/shared: [read], a.b: []}, {'nowhere.yaml#/x': []}], responses: {}}
components: {securitySchemes: {own: ${key}, a.b: {type: http, scheme: Bearer}}}
`,
      "auth.yaml": `schemes: {shared: ${key}}\n`,
    });
    const api = await loadApi(join(folder, "s.yaml"), {});
    expect(readOf(api, "GET /a").security).toEqual([[{ scheme: "own", scopes: [] }]]);
    expect(readOf(api, "POST /a").security).toEqual([
      [
        { scheme: "auth.yaml#/schemes/shared", scopes: ["read"] },
        { scheme: "a.b", scopes: [] },
      ],
      [{ scheme: "nowhere.yaml#/x", scopes: [] }],
    ]);
    expect([...api.securitySchemes.keys()]).toEqual(["own", "a.b", "auth.yaml#/schemes/shared"]);
    expect(api.securitySchemes.get("auth.yaml#/schemes/shared")).toEqual({
      type: "apiKey",
      in: "header",
      name: "X-Key",
    });
  });

  test("before 3.2 the name of a security scheme is no URI", async () => {
    const security = [{ "#/components/securitySchemes/own": [] }];
    const api = await openSpec(openapi("3.1.0", { security, paths: { "/a": { get: { responses: OK } } } }));
    expect(readOf(api, "GET /a").security).toEqual([[{ scheme: "#/components/securitySchemes/own", scopes: [] }]]);
  });

  test("the parts of a list have encodings by position, and one for those behind", async () => {
    const media = {
      schema: { type: "array" },
      prefixEncoding: [{ contentType: "application/json" }, "none", { contentType: "image/png" }],
      itemEncoding: { contentType: "image/*" },
    };
    const encodingsIn = async (version: string) => {
      const post = { requestBody: { content: { "multipart/mixed": media } }, responses: OK };
      const api = await openSpec(openapi(version, { paths: { "/a": { post } } }));
      return readOf(api, "POST /a").body?.content[0]?.encoding;
    };
    expect(await encodingsIn("3.2.0")).toEqual([
      { property: "0", contentType: "application/json" },
      { property: "2", contentType: "image/png" },
      { property: "*", contentType: "image/*" },
    ]);
    expect(await encodingsIn("3.1.0")).toEqual([]);
  });

  describe("`$self` names the document and is never fetched", () => {
    const text = (ref: string) => `openapi: 3.2.0
$self: https://apis.example/shop/root.yaml
info: {title: t, version: '1'}
paths: {/a: {get: {parameters: [{$ref: '${ref}'}], responses: {}}}}
components: {parameters: {Q: {name: q, in: query, schema: {type: string}}}}
`;
    test.each([
      ["the root by its name", "https://apis.example/shop/root.yaml#/components/parameters/Q"],
      ["a neighbour by its name", "https://apis.example/shop/more.yaml#/Q"],
      ["a neighbour by a relative reference", "more.yaml#/Q"],
    ])("%s", async (_title, ref) => {
      const folder = folderOf({
        "s.yaml": text(ref),
        "more.yaml": "Q: {name: q, in: query, schema: {type: string}}\n",
      });
      const api = await loadApi(join(folder, "s.yaml"), {});
      expect(readOf(api, "GET /a").parameters).toMatchObject([{ name: "q" }]);
    });

    test.each([
      "https://apis.example/other/x.yaml",
      "https://apis.example/shop/../../x.yaml",
      "https://apis.example/shop//etc/hostname",
    ])("%s is not at home", async (ref) => {
      const folder = folderOf({ "s.yaml": text(ref) });
      const api = await loadApi(join(folder, "s.yaml"), {});
      expect(api.read(api.find("GET /a")!)).toMatchObject({
        fault: expect.stringMatching(/leads to a URL|absolute path/),
      });
    });
  });
});

describe("schemas that name themselves", () => {
  const withSchemas = (schemas: string) =>
    openText(`openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n${schemas}`);

  const cases: [title: string, schemas: string, want: object][] = [
    [
      "`$anchor`",
      "    A: {properties: {x: {$ref: '#here'}}}\n    B: {$defs: {C: {$anchor: here, type: integer}}}\n",
      { type: "integer" },
    ],
    [
      "`$dynamicRef`, as it stands",
      "    A: {properties: {x: {$dynamicRef: '#node'}}}\n    B: {$dynamicAnchor: node, type: integer}\n",
      { type: "integer" },
    ],
    [
      "`$dynamicRef` to whichever of several the way leads to: anything",
      "    A: {properties: {x: {$dynamicRef: '#T', description: d}}, $defs: {T: {$dynamicAnchor: T, not: {}}}}\n    B: {$ref: '#/components/schemas/A', $defs: {T: {$dynamicAnchor: T, type: integer}}}\n",
      { description: "d" },
    ],
    [
      "a name beside keywords of its own",
      "    A: {properties: {x: {$ref: '#here', description: d}}}\n    B: {$anchor: here, type: integer}\n",
      { type: "integer", description: "d" },
    ],
    [
      "`$id`, whole",
      "    A: {properties: {x: {$ref: 'https://s.example/b'}}}\n    B: {$id: 'https://s.example/b', type: integer}\n",
      { type: "integer" },
    ],
    [
      "`$id`, relative to the `$id` around",
      "    A: {$id: 'https://s.example/a', properties: {x: {$ref: b}}}\n    B: {$id: 'https://s.example/b', type: integer}\n",
      { type: "integer" },
    ],
    [
      "`$id` and a pointer",
      "    A: {properties: {x: {$ref: 'https://s.example/b#/$defs/c'}}}\n    B: {$id: 'https://s.example/b', $defs: {c: {type: integer}}}\n",
      { type: "integer" },
    ],
    [
      "`$id` and an anchor",
      "    A: {properties: {x: {$ref: 'https://s.example/b#c'}}}\n    B: {$id: 'https://s.example/b', $defs: {c: {$anchor: c, type: integer}}}\n    D: {$anchor: c}\n",
      { type: "integer" },
    ],
    [
      "`$defs` of the schema with an `$id` around",
      "    A: {$id: a, properties: {x: {$ref: '#/$defs/c'}}, $defs: {c: {type: integer}}}\n",
      { type: "integer" },
    ],
    [
      "`$defs` by the whole pointer",
      "    A: {properties: {x: {$ref: '#/components/schemas/A/$defs/c'}}, $defs: {c: {type: integer}}}\n",
      { type: "integer" },
    ],
    [
      "the document's own pointers inside of an `$id`",
      "    A: {$id: a, properties: {x: {$ref: '#/components/schemas/B'}}}\n    B: {type: integer}\n",
      { type: "integer" },
    ],
    [
      "a bare `$id`, as code generators write it",
      "    A: {$id: A, properties: {x: {$ref: B}}}\n    B: {$id: B, type: integer}\n",
      { type: "integer" },
    ],
  ];
  test.each(cases)("%s", async (_title, schemas, want) => {
    const api = await withSchemas(schemas);
    const { properties } = resolveOf(api, { $ref: "#/components/schemas/A" });
    expect(resolveOf(api, properties!.x!)).toEqual(want);
    // A copy, as those make who merge schemas, has lost its place and means the same.
    expect(resolveOf(api, { ...properties!.x! })).toEqual(want);
  });

  test("`#` inside of an `$id` is that schema", async () => {
    const api = await withSchemas("    A: {$id: a, type: object, properties: {x: {$ref: '#'}}}\n");
    const schema = resolveOf(api, { $ref: "#/components/schemas/A" });
    expect(resolveOf(api, schema.properties!.x!)).toBe(schema);
  });

  test("a property named $id, and data that looks like a name, are none", async () => {
    const api = await withSchemas(
      "    A: {properties: {$id: {type: string}, x: {$ref: '#here'}}, example: {$anchor: here, $id: 'https://s.example/a'}}\n",
    );
    const { properties } = resolveOf(api, { $ref: "#/components/schemas/A" });
    expect(api.resolve(properties!.x!)).toMatchObject({ fault: expect.stringContaining("nor a known anchor") });
  });
});
