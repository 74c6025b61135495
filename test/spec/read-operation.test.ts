import { describe, expect, test } from "vitest";
import { openapi, openSpec, openText, readOf, swagger } from "./open-spec.ts";

const responses = { 200: { description: "ok" } };

async function parametersOf(version: string, path: string, parameters: unknown[], item: object = {}) {
  const api = await openSpec(openapi(version, { paths: { [path]: { ...item, get: { parameters, responses } } } }));
  return readOf(api, `GET ${path}`).parameters;
}

describe("parameters", () => {
  type Style = [given: object, want: object];
  const STYLES: readonly Style[] = [
    [{ in: "path" }, { style: "simple", explode: false, required: true }],
    [
      { in: "path", style: "label", explode: true },
      { style: "label", explode: true },
    ],
    [{ in: "path", style: "form" }, { style: "simple" }],
    [{ in: "query" }, { style: "form", explode: true, required: false }],
    [
      { in: "query", explode: false, required: true },
      { style: "form", explode: false, required: true },
    ],
    [
      { in: "query", style: "spaceDelimited" },
      { style: "spaceDelimited", explode: false },
    ],
    [
      { in: "query", style: "deepObject" },
      { style: "deepObject", explode: true },
    ],
    [
      { in: "query", allowReserved: true, allowEmptyValue: true, deprecated: true },
      { allowReserved: true, allowEmptyValue: true, deprecated: true },
    ],
    [{ in: "header" }, { style: "simple", explode: false }],
    [{ in: "cookie" }, { style: "form", explode: true }],
  ];
  test.each(STYLES)("%o is read as %o", async (given, want) => {
    const [parameter] = await parametersOf("3.0.3", "/{p}", [{ name: "p", schema: { type: "string" }, ...given }]).then(
      (all) => all.filter(({ in: place }) => place === (given as { in: string }).in),
    );
    expect(parameter).toMatchObject(want);
  });

  test.each<[how: string, given: object, want: unknown]>([
    ["of the schema", { schema: { type: "string", example: "s" } }, ["s"]],
    ["of the parameter, before that of its schema", { example: "p", schema: { type: "string", example: "s" } }, ["p"]],
    ["the first of several that has a value", { examples: { a: { summary: "A" }, b: { value: "p" } } }, ["p"]],
    ["in its content's place", { example: "p", content: { "text/plain": { schema: { type: "string" } } } }, undefined],
    ["in no form that there is", { examples: "p" }, undefined],
  ])("an example %s is read", async (_, given, want) => {
    const [parameter] = await parametersOf("3.0.3", "/", [{ name: "q", in: "query", ...given }]);
    expect(parameter?.schema.examples).toEqual(want);
  });

  test("the operation's own win over the path item's, by name and place", async () => {
    const item = {
      summary: "metadata, not a method",
      parameters: [
        { name: "org", in: "path", schema: { type: "string" } },
        { name: "limit", in: "query", schema: { maximum: 10 } },
        { name: "X-A", in: "header", schema: {} },
      ],
    };
    const own = [
      { name: "limit", in: "query", schema: { maximum: 100 } },
      { name: "org", in: "query", schema: {} },
      { name: "x-a", in: "header", schema: { type: "string" } },
    ];
    const parameters = await parametersOf("3.0.3", "/orgs/{org}", own, item);
    expect(parameters.map(({ name, in: place, schema }) => [place, name, schema])).toEqual([
      ["path", "org", { type: "string" }],
      ["query", "limit", { maximum: 100 }],
      ["header", "x-a", { type: "string" }],
      ["query", "org", {}],
    ]);
  });

  test("Accept, Content-Type and Authorization are none", async () => {
    const names = ["Authorization", "Accept", "content-type", "X-Tenant"];
    const parameters = await parametersOf(
      "3.1.0",
      "/h",
      names.map((name) => ({ name, in: "header", schema: {} })),
    );
    expect(parameters.map(({ name }) => name)).toEqual(["X-Tenant"]);
  });

  test("a name in the template that is not declared is a required text", async () => {
    const parameters = await parametersOf("3.1.0", "/a/{id}/{other}", [
      { name: "other", in: "path", required: true, schema: { type: "integer" } },
    ]);
    expect(parameters).toMatchObject([
      { name: "id", in: "path", required: true, style: "simple", schema: { type: "string" } },
      { name: "other", schema: { type: "integer" } },
    ]);
  });

  test("a path parameter that the template has no room for is left out", async () => {
    expect(await parametersOf("3.1.0", "/a", [{ name: "id", in: "path", required: true, schema: {} }])).toEqual([]);
  });

  test("a parameter with content says its media type", async () => {
    const [parameter] = await parametersOf("3.1.0", "/a", [
      { name: "q", in: "query", content: { "application/json": { schema: { type: "object" } } } },
    ]);
    expect(parameter).toMatchObject({ mediaType: "application/json", schema: { type: "object" } });
  });

  test("a path key with a query or a fragment is kept as written", async () => {
    const paths = {
      "/responses?beta=true": {
        get: { operationId: "betaR", parameters: [{ name: "limit", in: "query", schema: {} }], responses },
      },
      "/#Action={x}": { post: { responses } },
    };
    const api = await openSpec(openapi("3.0.3", { paths }));
    expect(readOf(api, "betaR")).toMatchObject({
      key: "GET /responses?beta=true",
      path: "/responses?beta=true",
      parameters: [{ name: "limit" }],
    });
    expect(readOf(api, "POST /#Action={x}").parameters).toEqual([]);
  });
});

describe("the index", () => {
  const paths = {
    "/media/{id}": { get: { responses, summary: "s", tags: ["a", 7], deprecated: true } },
    "/x": { get: { operationId: "", responses } },
    "/y": { get: { operationId: "dup", responses }, post: { operationId: "dup", responses } },
    "/z": { get: { operationId: "one", responses }, "x-hidden": {}, query: { responses } },
    "x-extension": { get: { responses } },
  };

  test("finds by operationId and by method and path, never by a doubled id", async () => {
    const api = await openSpec(openapi("3.0.3", { paths }));
    expect(api.index.map((entry) => entry.key)).toEqual(["GET /media/{id}", "GET /x", "GET /y", "POST /y", "GET /z"]);
    expect(["one", "GET /y", "dup", "", "get /y", "GET /w"].map((reference) => api.find(reference)?.key)).toEqual([
      "GET /z",
      "GET /y",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(api.index[0]).toEqual({
      key: "GET /media/{id}",
      method: "GET",
      path: "/media/{id}",
      summary: "s",
      tags: ["a"],
      deprecated: true,
    });
    expect(api.index[1]).not.toHaveProperty("id");
  });

  test("3.2 has query and additional operations", async () => {
    const api = await openText(
      "openapi: 3.2.0\ninfo: {}\npaths: {/p: {query: {operationId: q, parameters: [{name: a, in: querystring, content: {application/json: {}}}]}, additionalOperations: {PURGE: {operationId: purge}, get: {}}}}",
    );
    expect(api.index.map((entry) => entry.key)).toEqual(["QUERY /p", "PURGE /p"]);
    expect(readOf(api, "q").parameters).toMatchObject([{ in: "querystring", mediaType: "application/json" }]);
  });

  test("operations behind a referenced path item are indexed, with what stands beside it", async () => {
    const components = {
      pathItems: {
        P: { parameters: [{ name: "a", in: "query", schema: {} }], get: { operationId: "shared", responses } },
      },
    };
    const api = await openSpec(
      openapi("3.1.0", {
        paths: {
          "/a": { $ref: "#/components/pathItems/P" },
          "/b": { $ref: "#/components/pathItems/P", put: { responses } },
        },
        components,
      }),
    );
    expect(api.index.map((entry) => entry.key)).toEqual(["GET /a", "GET /b", "PUT /b"]);
    expect(readOf(api, "GET /a").parameters).toMatchObject([{ name: "a" }]);
  });

  test("title, version, file and digest are stated", async () => {
    const api = await openText("openapi: '3.0.3'\ninfo: {title: T, version: 2024-01-01}\npaths: {}");
    expect(api).toMatchObject({
      title: "T",
      version: "2024-01-01",
      source: "https://spec.example/openapi.yaml",
      index: [],
    });
    expect(api.files).toEqual([{ path: api.source, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });
});

describe("bodies and responses", () => {
  test("media types, encoding and required are read through references", async () => {
    const encoding = {
      tags: { style: "spaceDelimited", explode: false },
      photo: { contentType: "image/png" },
      odd: { style: "simple" },
    };
    const components = {
      requestBodies: {
        B: {
          required: true,
          description: "d",
          content: { "application/x-www-form-urlencoded": { schema: { type: "object" }, encoding }, "text/plain": {} },
        },
      },
    };
    const api = await openSpec(
      openapi("3.0.3", {
        paths: { "/a": { get: { requestBody: { $ref: "#/components/requestBodies/B" }, responses } } },
        components,
      }),
    );
    expect(readOf(api, "GET /a").body).toEqual({
      required: true,
      description: "d",
      content: [
        {
          mediaType: "application/x-www-form-urlencoded",
          schema: { type: "object" },
          encoding: [
            { property: "tags", style: "spaceDelimited", explode: false },
            { property: "photo", contentType: "image/png" },
            { property: "odd" },
          ],
        },
        { mediaType: "text/plain", encoding: [] },
      ],
    });
  });

  test("a body is optional unless it says otherwise, and absent without content", async () => {
    const paths = {
      "/a": { post: { requestBody: { content: { "application/json": {} } }, responses } },
      "/b": { post: { requestBody: {}, responses } },
    };
    const api = await openSpec(openapi("3.0.3", { paths }));
    expect([readOf(api, "POST /a").body?.required, readOf(api, "POST /b").body]).toEqual([false, undefined]);
  });

  test("status keys are texts, ranges in upper case, extensions none", async () => {
    const api = await openText(
      "openapi: 3.1.0\npaths: {/a: {get: {responses: {200: {description: ok}, 4xx: {description: no}, default: {}, x-a: {}}}}, /b: {get: {}}}",
    );
    expect(readOf(api, "GET /a").responses).toEqual([
      { status: "200", description: "ok", content: [] },
      { status: "4XX", description: "no", content: [] },
      { status: "default", description: "", content: [] },
    ]);
    expect(readOf(api, "GET /b").responses).toEqual([]);
  });
});

describe("servers", () => {
  const server = (url: string) => [{ url }];

  test.each([
    ["the operation's", { servers: server("/op") }, { servers: server("/item") }, ["/op"]],
    ["the path item's", {}, { servers: server("/item") }, ["/item"]],
    ["the document's", {}, { servers: [] }, ["/root"]],
  ])("%s servers count where they are the innermost", async (_title, own, item, want) => {
    const api = await openSpec(
      openapi("3.0.3", { servers: server("/root"), paths: { "/a": { ...item, get: { ...own, responses } } } }),
    );
    expect(readOf(api, "GET /a").servers.map(({ url }) => url)).toEqual(want);
  });

  test("variables have their default, their enum, or are left out", async () => {
    const variables = {
      region: { default: "eu", enum: ["eu", "us"] },
      port: { default: 8443 },
      first: { enum: ["a"] },
      none: {},
    };
    const api = await openSpec(
      openapi("3.1.0", {
        servers: [{ url: "https://{region}.example:{port}", variables }, { description: "no url" }],
        paths: {},
      }),
    );
    expect(api.servers).toEqual([
      {
        url: "https://{region}.example:{port}",
        variables: [
          { name: "region", default: "eu", enum: ["eu", "us"] },
          { name: "port", default: "8443" },
          { name: "first", default: "a", enum: ["a"] },
        ],
      },
    ]);
  });

  test.each([
    [
      { host: "api.example.com", basePath: "/v2", schemes: ["http", "https"] },
      ["https://api.example.com/v2", "http://api.example.com/v2"],
    ],
    [{ host: "api.example.com", basePath: "v2" }, ["https://api.example.com/v2"]],
    [{ host: "http://api.example.com" }, ["http://api.example.com"]],
    [{ host: "api.example.com", schemes: ["wss"] }, ["https://api.example.com"]],
    [{ basePath: "/api/v1" }, ["/api/v1"]],
    [{}, []],
  ])("2.0: %o gives %o", async (given, want) => {
    expect((await openSpec(swagger({ ...given, paths: {} }))).servers.map(({ url }) => url)).toEqual(want);
  });

  test("2.0: an operation may have schemes of its own", async () => {
    const api = await openSpec(
      swagger({ host: "h", schemes: ["https"], paths: { "/a": { get: { schemes: ["http"], responses } } } }),
    );
    expect(readOf(api, "GET /a").servers.map(({ url }) => url)).toEqual(["http://h"]);
  });
});

describe("security", () => {
  test("is any of several, each all of its schemes, and overridden by the operation", async () => {
    const security = [{ keyA: [], keyB: [] }, { bearer: ["read"] }, {}];
    const paths = {
      "/a": { get: { responses } },
      "/b": { get: { responses, security: [] } },
      "/c": { get: { responses, security: [{ stranger: [] }] } },
    };
    const api = await openSpec(openapi("3.0.3", { security, paths }));
    expect(readOf(api, "GET /a").security).toEqual([
      [
        { scheme: "keyA", scopes: [] },
        { scheme: "keyB", scopes: [] },
      ],
      [{ scheme: "bearer", scopes: ["read"] }],
      [],
    ]);
    expect(readOf(api, "GET /b").security).toEqual([]);
    expect(readOf(api, "GET /c").security).toEqual([[{ scheme: "stranger", scopes: [] }]]);
  });

  test("schemes of 3.x", async () => {
    const flows = {
      implicit: { scopes: { a: "" } },
      clientCredentials: { tokenUrl: "https://t/cc", scopes: { b: "" } },
      authorizationCode: { tokenUrl: "https://t/ac", scopes: { b: "" } },
    };
    const securitySchemes = {
      k: { type: "apiKey", in: "cookie", name: "sid" },
      h: { type: "http", scheme: "Bearer" },
      o: { type: "oauth2", flows },
      i: { type: "openIdConnect", openIdConnectUrl: "https://o" },
      m: { type: "mutualTLS" },
      r: { $ref: "#/components/securitySchemes/k" },
      s: { type: "apiKey", in: "header", name: "Authorization", description: "Signature, version 4" },
      bad: { type: "apiKey", in: "attic" },
      worse: 3,
    };
    const api = await openSpec(openapi("3.1.0", { paths: {}, components: { securitySchemes } }));
    expect(Object.fromEntries(api.securitySchemes)).toEqual({
      k: { type: "apiKey", in: "cookie", name: "sid" },
      h: { type: "http", scheme: "bearer" },
      o: { type: "oauth2", tokenUrl: "https://t/cc", scopes: ["b", "a"] },
      i: { type: "openIdConnect", url: "https://o" },
      m: { type: "mutualTLS" },
      r: { type: "apiKey", in: "cookie", name: "sid" },
      s: { type: "apiKey", in: "header", name: "Authorization", signs: true },
    });
  });

  test("schemes of 2.0", async () => {
    const securityDefinitions = {
      b: { type: "basic" },
      k: { type: "apiKey", in: "header", name: "X-API-Key" },
      o: { type: "oauth2", flow: "application", tokenUrl: "https://t", scopes: { a: "" } },
    };
    const api = await openSpec(swagger({ paths: {}, securityDefinitions }));
    expect(Object.fromEntries(api.securitySchemes)).toEqual({
      b: { type: "http", scheme: "basic" },
      k: { type: "apiKey", in: "header", name: "X-API-Key" },
      o: { type: "oauth2", tokenUrl: "https://t", scopes: ["a"] },
    });
  });
});
