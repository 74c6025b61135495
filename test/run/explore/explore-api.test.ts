import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openAuthorizer } from "../../../src/auth/open-authorizer.ts";
import { compileToolset } from "../../../src/compile/compile-toolset.ts";
import { openExplorer } from "../../../src/compile/open-explorer.ts";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import type { EgressRequest } from "../../../src/egress/open-egress.ts";
import type { ToolReply } from "../../../src/model/exchange.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { createRunner } from "../../../src/run/run-tool.ts";
import { apiOfText, curationText } from "../../compile/compile-text.ts";

const ITEMS = "{type: array, items: {type: object, properties: {id: {type: integer}}}}";
const ok = (schema = "{type: object}") =>
  `responses: {'200': {description: ok, content: {application/json: {schema: ${schema}}}}}`;
const many = Array.from(
  { length: 60 },
  (_, at) =>
    `  /many/${at}: {get: {operationId: many${at}, parameters: [{$ref: '#/components/parameters/t'}], ${ok()}}}`,
);
const SPEC = `
components:
  parameters: {t: {name: tenant, in: query, required: true, schema: {type: string}}}
  securitySchemes: {k: {type: apiKey, in: header, name: X-Key}}
security: [{k: []}]
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - {$ref: '#/components/parameters/t'}
        - {name: page, in: query, schema: {type: integer}}
        - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: count, in: query, schema: {type: integer, minimum: 1}}
        - {name: deep, in: query, schema: {type: boolean}}
      ${ok(ITEMS)}
    delete: {operationId: dropThings, parameters: [{$ref: '#/components/parameters/t'}], ${ok()}}
  /things/{id}: {get: {operationId: getThing, parameters: [{$ref: '#/components/parameters/t'}, {name: id, in: path, required: true, schema: {type: string}}], ${ok()}}}
  /exact:
    get:
      operationId: findExactly
      parameters:
        - {$ref: '#/components/parameters/t'}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer, format: int64}}}
        - {name: n, in: query, schema: {type: integer}}
        - {name: either, in: query, schema: {oneOf: [{type: string}, {type: integer}]}}
        - {name: data, in: query, content: {application/json: {schema: {}}}}
      ${ok()}
  /secrets: {get: {operationId: listSecrets, summary: Everybody's things, ${ok()}}}
${many.join("\n")}
`;
const SECRET = "sk-live-0123456789";

/** Explores the API over an upstream with 50 things in pages of 20. */
async function start(body: (url: URL) => unknown = thingsOf, status = 200, now = (text: string) => text) {
  const spec = await apiOfText(SPEC);
  const text = curationText("all: {operation: listSecrets, use: Test., unpinned: {tenant: It is public.}}", {
    server: "explore: true",
    api: 'auth: {k: {apiKey: "${env.KEY}"}}, pages: [{style: page, send: query.page}]',
    pins: "{tenant: t-1}",
  });
  const { curation } = loadCuration("test.yaml", text);
  const { toolset, problems } = compileToolset(curation!, spec);
  if (toolset === undefined) throw new Error(JSON.stringify(problems));
  const sent: EgressRequest[] = [];
  async function* chunks(request: EgressRequest) {
    yield Buffer.from(JSON.stringify(body(new URL(request.url))));
  }
  const egress = {
    request: async (request: EgressRequest) => {
      sent.push(request);
      const headers = new Map([["content-type", "application/json"]]);
      return { status, headers, url: request.url, body: chunks(request) };
    },
    close: async () => {},
  };
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const outside = { egress, authorize: openAuthorizer(), observe: () => {}, report, now: () => new Date(0) };
  const explorer = openExplorer(loadCuration("test.yaml", now(text)).curation!, spec);
  const runner = createRunner(toolset, { env: { KEY: SECRET }, explorer: async () => explorer }, outside);
  const key: JsonObject = {};
  const ask = (name: string, args: unknown) => runner.call(name, args, { key, signal: new AbortController().signal });
  const call = (operation: unknown, args?: unknown) => ask("call_operation", { operation, arguments: args });
  return { sent, reported, ask, call, search: (args: unknown) => ask("search_operations", args) };
}

function thingsOf(url: URL): unknown {
  if (url.pathname.endsWith("/things/1")) return { id: 1, seen: SECRET };
  const page = Number(url.searchParams.get("page") ?? 1);
  return Array.from({ length: 50 }, (_, id) => ({ id })).slice((page - 1) * 20, page * 20);
}
const pairs = (args: Record<string, string>) => Object.entries(args).map(([name, value]) => ({ name, value }));
const json = (reply: ToolReply) =>
  JSON.parse(reply.text) as Record<string, unknown> & { data: { operation: string; id: number }[] };

describe("search_operations", () => {
  test("gives what fits best, what only reads and can carry every pin, in pages that join without gap", async () => {
    const { search, sent } = await start();
    const seen: string[] = [];
    let pageToken: unknown;
    do {
      const reply = json(await search({ query: "", limit: 25, ...(pageToken === undefined ? {} : { pageToken }) }));
      expect(reply["rowCount"]).toBe(reply.data.length);
      expect(reply["hasMore"]).toBe(reply["nextPageToken"] !== undefined);
      seen.push(...reply.data.map(({ operation }) => operation));
      pageToken = reply["nextPageToken"];
    } while (pageToken !== undefined);
    expect(seen).toEqual([
      "listThings",
      "getThing",
      "findExactly",
      ...Array.from({ length: 60 }, (_, at) => `many${at}`),
    ]);
    expect(sent).toEqual([]);
  });

  test("finds no operation that goes without a pin, though a tool does", async () => {
    const { search, ask } = await start();
    expect((await ask("all", {})).isError).toBe(false);
    expect(json(await search({ query: "secrets everybody" }))).toMatchObject({ rowCount: 0, hasMore: false, data: [] });
  });

  test("refuses a page token of another query", async () => {
    const { search } = await start();
    const { nextPageToken } = json(await search({ query: "" }));
    expect(json(await search({ query: "things", pageToken: nextPageToken }))).toMatchObject({
      error: "invalid_cursor",
    });
    expect(json(await search({ query: "", pageToken: "made-up" }))).toMatchObject({ error: "invalid_cursor" });
  });
});

describe("describe_operation", () => {
  test("tells what call_operation takes and what comes back", async () => {
    const { ask } = await start();
    const reply = json(await ask("describe_operation", { operation: "get /things" }));
    expect(reply).toMatchObject({ operation: "listThings", sends: "GET /things", returns: "list of {id}" });
    const schema = reply["arguments"] as { properties: object };
    expect(Object.keys(schema.properties)).toEqual(["tags", "count", "deep", "limit", "pageToken"]);
  });
});

describe("call_operation", () => {
  test("sends texts as what the place takes, with pins and credentials", async () => {
    const { call, sent } = await start();
    await call("listThings", pairs({ tags: '["a b","c"]', count: "5", deep: "true" }));
    expect(sent[0]?.url).toBe("https://api.example.com/v1/things?tenant=t-1&page=1&tags=a%20b,c&count=5&deep=true");
    expect(sent[0]?.headers).toContainEqual(["x-key", SECRET]);
  });

  test("goes through a list page by page", async () => {
    const { call } = await start();
    const first = json(await call("listThings", pairs({ limit: "30" })));
    expect(first).toMatchObject({ rowCount: 30, hasMore: true });
    const second = json(await call("listThings", pairs({ limit: "30", pageToken: String(first["nextPageToken"]) })));
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, id) => id));
    expect(second["hasMore"]).toBe(false);
  });

  test("cuts to the budget and says so", async () => {
    const { call } = await start(() => ({ text: "x".repeat(100_000) }));
    const { text } = await call("getThing", pairs({ id: "2" }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(25_000);
    expect(JSON.parse(text)["omitted"]).toHaveLength(1);
  });

  test("hides secrets in what comes back", async () => {
    const { call } = await start();
    expect((await call("getThing", pairs({ id: "1" }))).text).not.toContain(SECRET);
  });

  test("explains what the upstream refuses as for any tool", async () => {
    const { call } = await start(() => ({ message: "No such thing" }), 404);
    expect(json(await call("getThing", pairs({ id: "x" })))).toMatchObject({ error: "upstream_not_found" });
  });

  const hostile: [title: string, operation: unknown, args: unknown, want: string][] = [
    ["an operation that writes", "dropThings", [], "unknown_id"],
    ["the same by its path", "DELETE /things", [], "unknown_id"],
    ["an operation that cannot carry a pin", "listSecrets", [], "unknown_id"],
    ["the same by its path", "GET /secrets", [], "unknown_id"],
    ["one that does not exist", "listGhosts", [], "unknown_id"],
    ["a name of JavaScript's own", "constructor", [], "unknown_id"],
    ["another path of the same host", "GET /things/../secrets", [], "unknown_id"],
    ["a URL", "GET https://evil.example/", [], "unknown_id"],
    ["no operation", undefined, [], "invalid_arguments"],
    ["a pin", "listThings", pairs({ tenant: "t-2" }), "pinned_argument"],
    ["a pin in capitals", "listThings", pairs({ TENANT: "t-2" }), "pinned_argument"],
    ["a credential", "listThings", pairs({ "X-Key": "mine" }), "unknown_argument"],
    ["a forbidden header", "listThings", pairs({ Host: "evil.example" }), "unknown_argument"],
    ["a prototype", "listThings", [{ name: "__proto__", value: "{}" }], "unknown_argument"],
    ["the page of the upstream, which we turn", "listThings", pairs({ page: "2" }), "unknown_argument"],
    ["a value of the wrong type", "listThings", pairs({ count: "many" }), "invalid_arguments"],
    ["a value out of bounds", "listThings", pairs({ count: "0" }), "invalid_arguments"],
    ["a name twice", "listThings", [...pairs({ count: "1" }), ...pairs({ count: "2" })], "invalid_arguments"],
    ["pairs that are none", "listThings", { count: 1 }, "invalid_arguments"],
    ["further keys beside a pair", "listThings", [{ name: "count", value: "1", in: "header" }], "unknown_argument"],
    ["a required argument left out", "getThing", [], "invalid_arguments"],
    ["a path segment that climbs", "getThing", pairs({ id: ".." }), "invalid_arguments"],
  ];
  test.each(hostile)("refuses %s and sends nothing", async (_title, operation, args, want) => {
    const { call, sent, reported } = await start();
    const reply = await call(operation, args);
    expect(reply.isError && reply.error).toBe(want);
    expect(sent).toEqual([]);
    expect(reported).toEqual([]);
  });

  test("calls nothing with what was read of a curation whose pins have changed since", async () => {
    const { call, sent, reported } = await start(thingsOf, 200, (text) =>
      text.replace("{tenant: t-1}", "{other: t-1}"),
    );
    expect(json(await call("listThings", []))).toMatchObject({ error: "unknown_id" });
    const changed = await start(thingsOf, 200, (text) => text.replace("t-1", "t-2"));
    expect(json(await changed.call("listThings", []))).toMatchObject({ error: "internal" });
    expect([...sent, ...changed.sent, ...reported]).toEqual([]);
    expect(changed.reported).toHaveLength(1);
  });

  test("answers alike to an operation that is hidden and one that does not exist", async () => {
    const { ask } = await start();
    for (const tool of ["call_operation", "describe_operation"]) {
      const [hidden, none] = [
        await ask(tool, { operation: "listSecrets" }),
        await ask(tool, { operation: "listGhosty" }),
      ];
      const plain = ({ text }: ToolReply) => ({ ...JSON.parse(text), got: "", nearest: [] });
      expect(plain(hidden)).toEqual(plain(none));
      expect(hidden.text.replace('"got":"listSecrets"', "")).not.toContain("listSecrets");
    }
  });

  const exactly: [name: string, value: string, want: string][] = [
    ["ids", "[9007199254740993,1]", "9007199254740993,1"],
    ["n", "9007199254740993", "9007199254740993"],
    ["either", "1.10", "1.10"],
    ["either", "9007199254740993", "9007199254740993"],
    ["data", '{"id":9007199254740993}', '{"id":9007199254740993}'],
  ];
  test.each(exactly)("%s of %s is sent to the last digit", async (name, value, want) => {
    const { call, sent } = await start();
    await call("findExactly", [{ name, value }]);
    expect(sent.map(({ url }) => new URL(url).searchParams.get(name))).toEqual([want]);
  });

  test("whatever is given, no request goes without the pin or to another host", async () => {
    const { call, sent, reported } = await start();
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom("../secrets", "t-2", "?tenant=t-2", "#", "a&tenant=t-2", '{"a":1}'),
    );
    const name = fc.oneof(fc.constantFrom("id", "tags", "tenant", "limit", "Tenant", "deep"), fc.string());
    let requests = 0;
    const law = fc.asyncProperty(
      fc.constantFrom("listThings", "getThing", "many3"),
      fc.array(fc.record({ name, value }), { maxLength: 4 }),
      async (operation, args) => {
        await call(operation, args);
        requests += sent.length;
        for (const { url } of sent) {
          const { origin, pathname, searchParams } = new URL(url);
          expect(origin).toBe("https://api.example.com");
          expect(pathname).toMatch(/^\/v1\/(things(\/[^/]+)?|many\/3)$/);
          expect(searchParams.getAll("tenant")).toEqual(["t-1"]);
        }
        sent.length = 0;
      },
    );
    await fc.assert(law, { numRuns: 150 });
    expect(requests).toBeGreaterThan(5);
    expect(reported).toEqual([]);
  });
});
