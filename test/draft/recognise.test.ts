import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { draftText } from "./draft-api.ts";
import { answer, query, ROW, shop } from "./shop-document.ts";

// Each stage is seen in the curation that comes of it: that is what a user reads.

interface Written {
  readonly api: {
    readonly pages?: readonly object[];
    readonly errors?: object;
    readonly auth?: object;
    readonly baseUrl?: string;
  };
  readonly entities?: object;
  readonly tools: Readonly<Record<string, { readonly [key: string]: unknown }>>;
}

async function written(document: object): Promise<Written> {
  return parse((await draftText(document)).text) as Written;
}

const integer = { type: "integer" };
const string = { type: "string" };
const boolean = { type: "boolean" };
const around = (properties: object) => ({
  type: "object",
  properties: { data: { type: "array", items: ROW }, ...properties },
});

describe("pages", () => {
  const cases: [what: string, parameters: object[], body: object | undefined, style: object | undefined][] = [
    [
      "numbered",
      [query("page", integer), query("per_page", { type: "integer", maximum: 50 })],
      undefined,
      { style: "page", send: "query.page", size: "query.per_page", sizeMax: 50 },
    ],
    [
      "numbered from 0",
      [query("pageNumber", { type: "integer", default: 0 })],
      undefined,
      { style: "page", send: "query.pageNumber", first: 0 },
    ],
    [
      "by offset",
      [query("offset", integer), query("limit", integer, { description: "At most 200." })],
      undefined,
      { style: "offset", send: "query.offset", size: "query.limit", sizeMax: 200 },
    ],
    [
      "by a token of the body",
      [query("cursor"), query("limit", integer)],
      around({ next_cursor: string }),
      { style: "token", send: "query.cursor", next: "next_cursor", size: "query.limit" },
    ],
    [
      "by a token deeper in the body",
      [query("pageToken")],
      around({ meta: { type: "object", properties: { nextPageToken: string } } }),
      { style: "token", send: "query.pageToken", next: "meta.nextPageToken" },
    ],
    [
      "after the last row",
      [query("starting_after"), query("limit", integer)],
      around({ has_more: boolean }),
      { style: "last", send: "query.starting_after", next: "id", more: "has_more", size: "query.limit" },
    ],
    [
      "by a Link header, where only a size is said",
      [query("per_page", integer)],
      undefined,
      { style: "link", size: "query.per_page" },
    ],
    ["none", [], undefined, undefined],
  ];
  test.each(cases)("%s", async (_, listParameters, listBody, style) => {
    const { api, tools } = await written(shop({ listParameters, ...(listBody !== undefined && { listBody }) }));
    expect(api.pages ?? []).toStrictEqual(style === undefined ? [] : [expect.objectContaining(style)]);
    expect(tools["list_orders"]?.["input"]).toBeUndefined();
  });

  const addresses: [title: string, send: string, listBody: object, next: string][] = [
    ["a token", "after", around({ next: { type: "string", format: "uri" } }), "next"],
    ["rows to skip", "$skip", around({ "@odata.nextLink": string }), '"@odata.nextLink"'],
    [
      "one inside what links to pages",
      "cursor",
      around({ _links: { type: "object", properties: { next: { type: "object", properties: { href: string } } } } }),
      "_links.next.href",
    ],
  ];
  test.each(addresses)("by the next page's address, which has %s", async (_, send, listBody, next) => {
    const type = send === "$skip" ? integer : string;
    const { api } = await written(shop({ listParameters: [query(send, type)], listBody }));
    expect(api.pages).toStrictEqual([{ style: "token", send: `query.${send}`, next }]);
  });

  test("a style stands once, and again at the one list that would be given another's", async () => {
    const list = {
      operationId: "listParcels",
      parameters: [query("page", integer)],
      responses: {
        200: { description: "ok", content: { "application/json": { schema: { type: "array", items: ROW } } } },
      },
    };
    const plain = {
      ...list,
      operationId: "listShelves",
      parameters: [query("cursor"), query("page", integer, { deprecated: true })],
      responses: {
        200: { description: "ok", content: { "application/json": { schema: around({ next_cursor: string }) } } },
      },
    };
    const { api, tools } = await written(
      shop({
        listParameters: [query("page", integer)],
        paths: { "/parcels": { get: list }, "/shelves": { get: plain } },
      }),
    );
    expect(api.pages).toStrictEqual([{ style: "page", send: "query.page" }]);
    expect(tools["list_parcels"]?.["pages"]).toBeUndefined();
    expect(tools["list_shelves"]?.["pages"]).toStrictEqual({
      style: "token",
      send: "query.cursor",
      next: "next_cursor",
    });
  });
});

describe("totals that a list states", () => {
  const cases: [properties: object, count: string | undefined][] = [
    [{ total_count: integer }, "total_count"],
    [{ meta: { type: "object", properties: { total: integer } } }, "meta.total"],
    [{ count: integer, next: string, previous: string }, "count"],
    [{ count: integer }, undefined],
    [{ total: string }, undefined],
  ];
  test.each(cases)("%j", async (properties, count) => {
    const { tools } = await written(shop({ listBody: around(properties) }));
    expect((tools["list_orders"]!["result"] as { totals?: object }).totals).toStrictEqual(
      count === undefined ? undefined : { count },
    );
  });
});

describe("where the upstream's own words are", () => {
  const failing = (schema: object) => {
    const document = shop() as { paths: Record<string, { get: { responses: object } }> };
    for (const { get } of Object.values(document.paths))
      get.responses = { ...get.responses, 404: { description: "no", content: { "application/json": { schema } } } };
    return document;
  };
  const cases: [properties: object, errors: object | undefined][] = [
    [
      { message: string, code: string },
      { message: "message", code: "code" },
    ],
    [
      { error: { type: "object", properties: { message: string, type: string } } },
      { message: "error.message", code: "error.type" },
    ],
    [
      { errors: { type: "array", items: { type: "object", properties: { detail: string, code: string } } } },
      { message: "errors[0].detail", code: "errors[0].code" },
    ],
    [{ error: string }, { message: "error" }],
    [{}, undefined],
  ];
  test.each(cases)("%j", async (properties, errors) => {
    expect((await written(failing({ type: "object", properties }))).api.errors).toStrictEqual(errors);
  });
});

describe("how the API is let in", () => {
  const secured = (securitySchemes: object, security: object[] = [{ main: [] }]) =>
    shop({ more: { components: { securitySchemes }, security } });
  const cases: [what: string, document: object, auth: object | undefined][] = [
    [
      "a key in a header",
      secured({ main: { type: "apiKey", in: "header", name: "X-Key" } }),
      { main: { apiKey: "${env.CORNER_KEY}" } },
    ],
    [
      "a bearer token",
      secured({ main: { type: "http", scheme: "bearer" } }),
      { main: { bearer: "${env.CORNER_TOKEN}" } },
    ],
    [
      "a name and a password",
      secured({ main: { type: "http", scheme: "basic" } }),
      { main: { basic: { username: "${env.CORNER_USER}", password: "${env.CORNER_PASSWORD}" } } },
    ],
    ["OAuth", secured({ main: { type: "oauth2", flows: {} } }), { main: { bearer: "${env.CORNER_TOKEN}" } }],
    [
      "the simpler of two",
      secured(
        {
          hard: { type: "openIdConnect", openIdConnectUrl: "https://id.corner.io" },
          main: { type: "http", scheme: "bearer" },
        },
        [{ hard: [] }, { main: [] }],
      ),
      { main: { bearer: "${env.CORNER_TOKEN}" } },
    ],
    [
      "a scheme that is named and never applied",
      secured({ main: { type: "apiKey", in: "query", name: "key" } }, []),
      { default: { apiKey: { value: "${env.CORNER_KEY}", in: "query", name: "key" } } },
    ],
    [
      "a parameter that is the credential",
      shop({ listParameters: [query("api_key", string, { required: true })] }),
      { default: { apiKey: { value: "${env.CORNER_TOKEN}", in: "query", name: "api_key" } } },
    ],
    [
      "a scheme, where a parameter says so once more",
      shop({
        listParameters: [query("token", string, { required: true, description: "Authentication token." })],
        more: { components: { securitySchemes: { main: { type: "oauth2", flows: {} } } }, security: [{ main: [] }] },
      }),
      { main: { bearer: "${env.CORNER_TOKEN}" } },
    ],
    ["nothing that is said", shop(), undefined],
  ];
  test.each(cases)("%s", async (_, document, auth) => {
    const { api, tools } = await written(document);
    expect(api.auth).toStrictEqual(auth);
    expect(JSON.stringify(tools)).not.toContain("api_key");
  });

  test("a signature of each request is none that a curation can send, which the draft says", async () => {
    const scheme = { type: "apiKey", in: "header", name: "Authorization", description: "Signature, version 4" };
    const { text } = await draftText(secured({ main: scheme }));
    expect(parse(text).api.auth).toBeUndefined();
    expect(text.replaceAll(/\n\s*# /g, " ")).toContain(
      "decide: The document asks for `main`, a signature of each request, which vitrine cannot make",
    );
  });

  test("a credential that some operations take in the query and others in a header stands at both", async () => {
    const document = shop({
      listParameters: [query("token", string, { required: true })],
      paths: {
        "/customers": {
          get: {
            parameters: [{ name: "token", in: "header", required: true, schema: string }],
            responses: answer({ type: "array", items: ROW }),
          },
        },
        "/plans": {
          get: {
            parameters: [query("token", string, { required: true })],
            responses: answer({ type: "array", items: ROW }),
          },
        },
      },
    });
    const { api, tools } = await written(document);
    expect(api).toMatchObject({
      auth: { default: { apiKey: { value: "${env.CORNER_TOKEN}", in: "query", name: "token" } } },
      headers: { token: "${env.CORNER_TOKEN}" },
    });
    expect(Object.keys(tools)).toEqual(expect.arrayContaining(["list_orders", "list_customers", "list_plans"]));
  });

  test("where nothing is said, the text says how it would be", async () => {
    expect((await draftText(shop())).text).toContain("# decide: The document asks for no credential.");
  });

  test.each([
    ["digest", { type: "http", scheme: "digest" }, "`main` (HTTP digest), which a curation cannot send."],
    ["a certificate", { type: "mutualTLS" }, "a client certificate, which stands under `tls`."],
  ])("where %s is asked for, the text says so", async (_title, scheme, words) => {
    const { text } = await draftText(secured({ main: scheme }));
    expect(text).toContain(`# decide: The document asks for ${words}`);
    expect(text).not.toContain("asks for no credential");
  });

  test("headers that the client writes, or nobody may, are no inputs and take no tool away", async () => {
    const header = (name: string) => ({ name, in: "header", required: true, schema: string });
    const names = ["Host", "User-Agent", "Content-Length", "X-Forwarded-For", "Content-Encoding"];
    const { tools } = await written(shop({ listParameters: names.map(header) }));
    expect(Object.keys(tools)).toEqual(Object.keys((await written(shop())).tools));
    expect(JSON.stringify(tools)).not.toMatch(/host|user.agent|content.length|forwarded|content.encoding/i);
  });

  const addresses: [servers: object[], baseUrl: string][] = [
    [[{ url: "https://shop.corner.io/v1" }], "https://shop.corner.io/v1"],
    [[{ url: "/api/v1" }], "${env.CORNER_URL}"],
    [[{ url: "http://localhost:8080" }], "${env.CORNER_URL}"],
    [[{ url: "https://{tenant}.corner.io", variables: { tenant: { default: "demo" } } }], "${env.CORNER_URL}"],
    [[], "${env.CORNER_URL}"],
  ];
  test.each(addresses)("servers %j", async (servers, baseUrl) => {
    const { text, env } = await draftText(shop({ more: { servers } }));
    expect((parse(text) as Written).api.baseUrl).toBe(baseUrl);
    expect(env.some(({ name }) => name === "CORNER_URL")).toBe(baseUrl.startsWith("$"));
  });
});

describe("languages of filters", () => {
  const cases: [what: string, parameters: object[], filter: object | undefined][] = [
    [
      "OData by its name",
      [query("$filter")],
      {
        to: "query.$filter",
        dialect: "odata",
        depth: 1,
        fields: { name: { type: "string" }, status: { type: ["open", "paid"] }, id: { type: "integer" } },
      },
    ],
    [
      "RSQL by its description",
      [query("q", string, { description: "An RSQL expression." })],
      { to: "query.q", dialect: "rsql" },
    ],
    [
      "JSON:API's brackets",
      ["status", "name", "shop"].map((name) => query(`filter[${name}]`)),
      {
        dialect: "json-api",
        fields: { status: { type: "string" }, name: { type: "string" }, shop: { type: "string" } },
      },
    ],
    [
      "django's suffixes",
      [
        query("total", { type: "number" }),
        query("total__gte", { type: "number" }),
        query("total__lt", { type: "number" }),
        query("name__contains"),
      ],
      {
        dialect: "django",
        fields: { total: { type: "decimal", ops: ["eq", "gte", "lt"] }, name: { type: "string", ops: ["contains"] } },
      },
    ],
    ["plain inputs, where a word is one", [query("q", string, { description: "Words to find." })], undefined],
  ];
  test.each(cases)("%s", async (_, listParameters, filter) => {
    const { tools } = await written(shop({ listParameters }));
    const [tool] = Object.values(tools).filter((one) => one["operation"] === "listOrders");
    if (filter === undefined) expect(tool?.["input"]).toStrictEqual({ q: {} });
    else expect(tool).toMatchObject({ filter });
  });
});

describe("forms of values", () => {
  const cases: [name: string, schema: object, column: unknown][] = [
    ["created", { type: "integer", format: "unix-time" }, { path: "created", as: "unix" }],
    [
      "updated_at",
      { type: "integer", description: "Milliseconds since the Unix epoch." },
      { path: "updated_at", as: "unix-ms" },
    ],
    [
      "amount",
      { type: "integer", description: "In the smallest currency unit." },
      { path: "amount", as: "minor", unit: "${currency}" },
    ],
    ["amount", { type: "integer" }, "amount"],
    ["description", { type: "string" }, { path: "description", clip: 160 }],
  ];
  test.each(cases)("%s %j", async (name, schema, column) => {
    const row = { type: "object", properties: { ...ROW.properties, currency: string, [name]: schema } };
    const { tools } = await written(shop({ row }));
    expect((tools["list_orders"]!["result"] as { fields: Record<string, unknown> }).fields[name]).toStrictEqual(column);
  });
});

test("a key that nearly every path begins with is proposed as a pin", async () => {
  const key = { name: "shop_id", in: "path", required: true, schema: string };
  const paths = Object.fromEntries(
    ["parcels", "shelves", "people", "hours", "prices", "notes"].map((noun) => [
      `/shops/{shop_id}/${noun}`,
      {
        get: {
          parameters: [key],
          responses: {
            200: { description: "ok", content: { "application/json": { schema: { type: "array", items: ROW } } } },
          },
        },
      },
    ]),
  );
  const { text } = await draftText(shop({ paths }));
  expect(text).toMatch(
    /# decide: `shop_id` stands in the path of 6 of the 8 operations that read[\s\S]*pins: \{\s*(# )?shop_id: … \}/,
  );
});
