import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkExamples } from "../../../src/cli/check/check-examples.ts";
import { compileCuration } from "../../../src/cli/toolset/compile-curation.ts";
import type { Problem } from "../../../src/model/problem.ts";
import { run } from "../fake-shell.ts";

const SPEC = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: "https://shop.example.com" }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Item: { type: object, properties: { id: { type: string }, price: { type: number }, seen: { type: string } } }
security: [{ key: [] }]
paths:
  /items:
    get:
      operationId: listItems
      parameters: [{ name: colour, in: query, schema: { type: string } }, { name: tenant, in: query, schema: { type: string } }, { name: page, in: query, schema: { type: string } }, { name: since, in: query, schema: { type: string, format: date-time } }]
      responses: { "200": { description: ok, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { $ref: "#/components/schemas/Item" } }, next: { type: string } } } } } } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: tenant, in: query, schema: { type: string } }]
    get:
      operationId: getItem
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } } } }
    delete:
      operationId: deleteItem
      responses: { "204": { description: gone } }
  /colours:
    get:
      operationId: listColours
      parameters: [{ name: tenant, in: query, schema: { type: string } }]
      responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`;

const TOOLS = {
  list: `  list_items:
    operation: listItems
    use: List the items.
    input: { colour: {}, since: { type: date-time, default: 30 days ago } }
    pages: { style: token, send: query.page, next: next }
    result: { rows: items, fields: { id: id, since: $.input.since }, limit: { default: 2, max: 10 } }
`,
  get: `  get_item:
    operation: getItem
    use: Get one item.
    input: { id: {} }
    errors: [{ status: 404, error: no_item, recover: Call another. }]
`,
  both: `  see:
    use: See an item and the colours.
    input: { id: {} }
    steps:
      - { id: item, operation: getItem, args: { id: "\${input.id}" } }
      - { id: colours, operation: listColours }
    result: { value: { item: steps.item.id, colours: steps.colours } }
`,
  remove: `  remove_item:
    use: Remove an item.
    confirm: "Remove \${steps.item.id}?"
    input: { id: {} }
    steps:
      - { id: item, operation: getItem, args: { id: "\${input.id}" } }
      - { id: gone, operation: deleteItem, args: { id: "\${input.id}" } }
    result: { value: { removed: steps.item.id } }
`,
};

const FILES: Readonly<Record<string, string>> = {
  "item.json": '{ "id": "a", "price": 2.5 }',
  "items.json":
    '{ "items": [{ "id": "a", "price": 2.5, "seen": "x" }, { "id": "b", "price": 3 }, { "id": "c", "price": 4 }] }',
  "colours.json": '["red"]',
  "gone.http": "HTTP/1.1 204 No Content\r\n\r\n",
  "missing.http": 'HTTP/2 404 \r\ncontent-type: application/json\r\n\r\n{"message":"No such item."}',
  "item.reply.json": '{ "price": 2.5, "id": "a" }',
  "torn.json": '{ "id": ',
};

/** Checks a curation of these tools with the example laid under the first of them. */
async function check(
  tool: string,
  example: string,
  { server = "", pins = "", files = {} as Readonly<Record<string, string>> } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "examples-"));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const [name, text] of Object.entries({ ...FILES, ...files })) write(`curation/${name}`, text);
  write("spec.yaml", SPEC);
  symlinkSync("/etc/hostname", join(folder, "curation", "link.json"));
  const head = `vitrine: 1\napi: { spec: ../spec.yaml, baseUrl: "\${env.SHOP_URL}", auth: { key: { apiKey: "\${env.SHOP_KEY}" } } }\n`;
  const text = `${head}server: { name: shop, writes: true${server} }\n${pins}tools:\n${tool}    examples:\n      - ${example}\n`;
  write("curation/shop.yaml", text);
  const file = join(folder, "curation", "shop.yaml");
  const problems: Problem[] = [];
  const request = { file, root: undefined, readOnly: false };
  const compiled = await compileCuration(request, {
    look: async (api, curation, toolset) => {
      const looked = { request, options: {}, curation, api, ...(toolset && { toolset }) };
      problems.push(...(await checkExamples(looked)));
    },
  });
  const errors = compiled.problems.filter(({ severity }) => severity === "error");
  const line = (part: string) => text.split("\n").findIndex((one) => one.includes(part)) + 1;
  return { problems, errors, file, line };
}

const found = async (...given: Parameters<typeof check>) => {
  const { problems, errors } = await check(...given);
  // Without a toolset no example was looked at.
  expect(errors).toStrictEqual([]);
  return problems.map(({ severity, code, message }) => `${severity} ${code} ${message}`);
};

describe("an example holds", () => {
  const reply = (value: object) => ({ files: { "r.json": JSON.stringify(value) } });
  test.each<readonly [string, string, string, Parameters<typeof check>[2]]>([
    ["whatever the order of keys", TOOLS.get, "{ args: { id: a }, upstream: item.json, reply: item.reply.json }", {}],
    [
      "of a failure",
      TOOLS.get,
      "{ args: { id: a }, upstream: missing.http, reply: r.json }",
      reply({
        error: "no_item",
        message: "…",
        recover: "Call another.",
        retryable: false,
        upstream: { status: 404, message: "No such item." },
      }),
    ],
    [
      "of arguments that are refused before anything is sent",
      TOOLS.get,
      "{ args: { nope: 1 }, upstream: [], reply: r.json }",
      reply({
        error: "unknown_argument",
        message: "…",
        recover: "…",
        path: "nope",
        retryable: false,
      }),
    ],
    [
      "of steps, by operation",
      TOOLS.both,
      "{ args: { id: a }, upstream: { listColours: colours.json, 'GET /items/{id}': [item.json] }, reply: r.json }",
      reply({ item: "a", colours: ["red"] }),
    ],
    [
      "of steps, in the order of the requests",
      TOOLS.both,
      "{ args: { id: a }, upstream: [item.json, colours.json], reply: r.json }",
      reply({ item: "a", colours: ["red"] }),
    ],
    [
      "of a write that asks: it is agreed to, and the reads above it are answered again",
      TOOLS.remove,
      "{ args: { id: a }, upstream: [item.json, gone.http], reply: r.json }",
      reply({ removed: "a" }),
    ],
    [
      "of a tool in a group",
      TOOLS.get.replace("get_item", "items.get"),
      "{ args: { id: a }, upstream: item.json, reply: item.reply.json }",
      { server: ", expose: grouped" },
    ],
    [
      "of a pin, with the example's claims",
      TOOLS.get,
      "{ args: { id: a }, upstream: item.json, reply: item.reply.json, claims: { tenant: t } }",
      { pins: "pins: { tenant: '${key.tenant}' }\n" },
    ],
    [
      "of a pin, with the example's environment",
      TOOLS.get,
      "{ args: { id: a }, upstream: item.json, reply: item.reply.json, env: { TENANT: t } }",
      { pins: "pins: { tenant: '${env.TENANT}' }\n" },
    ],
  ])("%s", async (_, tool, example, more) => {
    expect(await found(tool, example, more)).toStrictEqual([]);
  });
});

describe("an example is told", () => {
  test.each<readonly [string, string, string, string]>([
    [
      "where the reply is another one",
      TOOLS.get,
      "{ args: { id: a }, upstream: items.json, reply: item.reply.json }",
      'error example_differs The reply is another one: `price`: wanted 2.5, got nothing; `id`: wanted "a", got nothing; `items`: wanted nothing, got',
    ],
    [
      "where the tool fails",
      TOOLS.get,
      "{ args: { id: a }, upstream: missing.http, reply: item.reply.json }",
      "error example_differs The tool fails in place of the reply: no_item: ",
    ],
    [
      "where a request has no answer",
      TOOLS.both,
      "{ args: { id: a }, upstream: { getItem: item.json }, reply: item.reply.json }",
      "error example_unanswered Request 2, GET /colours, has no answer.",
    ],
    [
      "where nothing asks for a file",
      TOOLS.get,
      "{ args: { id: a }, upstream: [item.json, colours.json], reply: item.reply.json }",
      "warning example_unused Nothing asks for colours.json.",
    ],
    [
      "where an operation is not in the spec",
      TOOLS.get,
      "{ args: { id: a }, upstream: { getItems: item.json }, reply: item.reply.json }",
      "error unknown_operation The spec has no operation `getItems`.",
    ],
    [
      "where a file is missing",
      TOOLS.get,
      "{ args: { id: a }, upstream: nope.json, reply: item.reply.json }",
      "error unreadable_example ",
    ],
    [
      "where the reply is not JSON",
      TOOLS.get,
      "{ args: { id: a }, upstream: item.json, reply: torn.json }",
      "error unreadable_example ",
    ],
    [
      "where a file lies outside of the root",
      TOOLS.get,
      "{ args: { id: a }, upstream: ../../../../etc/passwd, reply: item.reply.json }",
      "error outside_root The example's file ",
    ],
    [
      "where a link leads outside of the root",
      TOOLS.get,
      "{ args: { id: a }, upstream: link.json, reply: item.reply.json }",
      "error outside_root The example's file ",
    ],
  ])("%s", async (_, tool, example, want) => {
    expect(await found(tool, example)).toStrictEqual([expect.stringContaining(want)]);
  });

  test("where a pin cannot be read, with what to write", async () => {
    const { problems } = await check(TOOLS.get, "{ args: { id: a }, upstream: item.json, reply: item.reply.json }", {
      pins: "pins: { tenant: '${key.tenant}' }\n",
    });
    expect(problems).toMatchObject([{ code: "example_unset", hint: expect.stringContaining("claims") }]);
  });

  test("at its own line, and the check ends with 1", async () => {
    const example = "args: { id: a }\n        upstream: [item.json]\n        reply: items.json";
    const { file, problems, line } = await check(TOOLS.get, example);
    expect((await run(["check", file])).code).toBe(1);
    expect(problems).toMatchObject([{ code: "example_differs", line: line("reply: items.json"), column: 16 }]);
  });

  test("with what the upstream says made harmless", async () => {
    const files = {
      "evil.http": 'HTTP/1.1 404 Not Found\ncontent-type: application/json\n\n{"message":"a\\u001b[31mb\\nc"}',
    };
    const [text] = await found(
      TOOLS.get.replace(/ +errors.*\n/, ""),
      "{ args: { id: a }, upstream: evil.http, reply: item.reply.json }",
      { files },
    );
    expect(text).toMatch(/example_differs .*a ?\[31mb c/);
  });
});

test("pages are answered in their order, and a failure that may pass is not asked for again", async () => {
  const whole = TOOLS.list.replace("limit: {", "all: { max: 10 }, limit: {");
  const files = {
    "1.json": '{ "items": [{ "id": "a" }], "next": "t" }',
    "2.json": '{ "items": [{ "id": "b" }] }',
    "r.json": JSON.stringify({
      rowCount: 2,
      hasMore: false,
      data: ["a", "b"].map((id) => ({ id, since: "2025-12-02T00:00:00Z" })),
    }),
    "down.http": "HTTP/1.1 503 Service Unavailable\n\n",
    "down.json": JSON.stringify({
      error: "upstream_unavailable",
      message: "…",
      recover: "…",
      retryable: true,
      upstream: { status: 503 },
    }),
  };
  expect(await found(whole, "{ upstream: [1.json, 2.json], reply: r.json }", { files })).toStrictEqual([]);
  expect(await found(whole, "{ upstream: [down.http], reply: down.json }", { files })).toStrictEqual([]);
});

test("a page token in a reply is any text, and a relative time counts from the example's moment", async () => {
  const reply = (since: string) => ({
    "r.json": JSON.stringify({
      rowCount: 2,
      hasMore: true,
      nextPageToken: "…",
      note: "…",
      data: ["a", "b"].map((id) => ({ id, since })),
    }),
  });
  const example = (more: string) => `{ args: {}, upstream: items.json, reply: r.json${more} }`;
  const later = ", now: '2026-05-01T12:00:00Z'";
  expect(await found(TOOLS.list, example(later), { files: reply("2026-04-01T12:00:00Z") })).toStrictEqual([]);
  expect(await found(TOOLS.list, example(""), { files: reply("2025-12-02T00:00:00Z") })).toStrictEqual([]);
});

test("a moment that is none is told", async () => {
  const example = "{ args: { id: a }, upstream: item.json, reply: item.reply.json, now: yesterday }";
  expect((await check(TOOLS.get, example)).errors).toMatchObject([{ code: "bad_value" }]);
});

test("the examples of the shipped ledger hold", async () => {
  expect(readFileSync("curation/ledger.yaml", "utf8").match(/^ {4}examples:/gm)).toHaveLength(2);
  const { out } = await run(["check", "--json", "curation/ledger.yaml"]);
  expect((JSON.parse(out) as Problem[]).filter(({ severity }) => severity !== "note")).toStrictEqual([]);
});
