import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PageCalls, PageData, TryAnswer } from "../../../src/web/page-data.ts";
import { curationText, openWorkshop, type RunningCommand, SHOP_KEY, startCommand, type Workshop } from "./workshop.ts";

let shop: Workshop;
let server: RunningCommand;
let url: string;

beforeAll(async () => {
  shop = await openWorkshop();
  const args = ["serve", shop.file, "--http", "127.0.0.1:0", "--watch", "--events", join(shop.folder, "events.jsonl")];
  server = startCommand(args, shop.env);
  url = new URL(/http:\S+/.exec(await server.said("Serving"))?.[0] ?? "").origin;
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
  await shop.close();
});

async function data(): Promise<PageData> {
  const response = await fetch(`${url}/page/api/data`);
  expect(response.status).toBe(200);
  return (await response.json()) as PageData;
}

function attempt(body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", origin: url, "sec-fetch-site": "same-origin" };
  return fetch(`${url}/page/api/try`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function tryTool(tool: string, args: object): Promise<TryAnswer> {
  const response = await attempt({ tool, arguments: args });
  expect(response.status).toBe(200);
  return (await response.json()) as TryAnswer;
}

/** The data once this holds of it, by the revisions that the server tells of. */
async function dataWhen(holds: (one: PageData) => boolean): Promise<PageData> {
  const gone = new AbortController();
  const response = await fetch(`${url}/page/api/changes`, { signal: gone.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const now = await data();
    if (holds(now)) {
      gone.abort();
      return now;
    }
    const { done, value } = await reader.read();
    expect(done, value).toBe(false);
  }
}

test("who opens the address of MCP in a browser is told where the page is", async () => {
  const answer = await fetch(`${url}/mcp`);
  expect(answer.status).toBe(405);
  expect(await answer.text()).toContain("the page for people is at /.");
});

describe("the data of the page", () => {
  test("has the list as an agent gets it, costs, clients and the chain", async () => {
    const { tools, cost, clients, chain, server: face, kind } = await data();
    expect([kind, face.name, face.file]).toStrictEqual(["serve", "shop", shop.file]);
    expect(tools.map(({ listed }) => listed.name)).toStrictEqual([
      "add_item",
      "call_operation",
      "copy_item",
      "describe_operation",
      "get_item",
      "liar_put",
      "liar_remove",
      "list_items",
      "put_item",
      "search_items",
      "search_operations",
      "stock",
      "stock_write",
    ]);
    expect(cost.list.tokens).toBeGreaterThan(tools[0]!.cost.tokens);
    expect(cost.list.bytes).toBe(Buffer.byteLength(JSON.stringify(tools.map(({ listed }) => listed))));
    expect(clients.find(({ name }) => name === "claude-code")?.fullNames[0]).toBe("mcp__shop__add_item");
    expect(chain.links).toContainEqual({
      from: "list_items",
      to: "get_item",
      kind: "identifier",
      label: "item",
      input: "id",
    });
    expect(chain.links).toContainEqual({ from: "list_items", to: "get_item", kind: "next", label: "to see one" });
    expect(chain.nodes).toContainEqual({ id: "stock/look", tool: "stock", action: "look", runs: "tries" });
  });

  test("says of each tool and action whether the page runs it, whatever the curation declares", async () => {
    const { tools } = await data();
    const runs = tools.flatMap(({ listed, runs, actions }) => [
      [listed.name, runs],
      ...actions.map(({ action, runs: own }) => [`${listed.name}/${action}`, own]),
    ]);
    expect(Object.fromEntries(runs)).toStrictEqual({
      add_item: "shows",
      call_operation: "tries",
      copy_item: "shows",
      describe_operation: "tries",
      get_item: "tries",
      liar_put: "shows",
      liar_remove: "shows",
      list_items: "tries",
      put_item: "shows",
      search_items: "tries",
      search_operations: "tries",
      stock: "tries",
      "stock/find": "tries",
      "stock/look": "tries",
      stock_write: "shows",
      "stock_write/throw": "shows",
    });
  });

  test("has the findings at their lines, and the cost of one tool an operation, when they are known", async () => {
    const { findings, cost, tools } = await dataWhen(({ pending }) => pending.length === 0);
    expect(cost.endpoints).toMatchObject({ operations: 6, isAtLeast: false });
    expect(findings?.some(({ code, excerpt }) => code.length > 0 && excerpt?.lines.length === 1)).toBe(true);
    expect(tools.find(({ listed }) => listed.name === "get_item")?.at).toMatchObject({ file: shop.file, line: 1 });
  });
});

describe("a trial of a tool that reads", () => {
  test("calls it, and shows the reply beside what the upstream answered, with what was cut", async () => {
    const { kind, reply, exchanges, cost } = await tryTool("list_items", {});
    expect([kind, reply?.isError, exchanges.length]).toStrictEqual(["ran", false, 1]);
    expect(reply?.value).toMatchObject({ rowCount: 2, hasMore: true, data: [{ id: "a", story: "A story that…" }, {}] });
    const marks = reply?.marks.map(({ pointer, kind: how }) => `${how} ${pointer}`);
    expect(marks).toEqual(
      expect.arrayContaining([
        "told /hasMore",
        "told /note",
        "told /omitted",
        "cut /data/0/story",
        "cut /data/1/story",
      ]),
    );
    expect(exchanges[0]).toMatchObject({
      request: { method: "GET", url: `${shop.env["SHOP_URL"]}/items` },
      answer: { kind: "answered", status: 200, isJson: true, cutBytes: 0 },
    });
    expect(exchanges[0]?.answer).not.toHaveProperty("isWithheld");
    expect(JSON.stringify(exchanges)).toContain("of ***");
    expect(cost.reply.bytes).toBe(Buffer.byteLength(reply?.text ?? ""));
    // Of the answer as it came.
    expect(cost.upstream).toMatchObject({ bytes: 290, tokens: expect.any(Number) });
  });

  test.each([
    ["a POST that only reads", "search_items", { name: "x" }, "POST /v1/search"],
    ["an action of a group", "stock", { action: "look", id: "a" }, "GET /v1/items/a"],
    ["an operation that is explored", "call_operation", { operation: "listItems", arguments: [] }, "GET /v1/items"],
  ])("calls %s", async (_, tool, args, sent) => {
    const before = shop.seen.length;
    expect(await tryTool(tool, args)).toMatchObject({ kind: "ran", reply: { isError: false } });
    expect(shop.seen.slice(before)).toStrictEqual([sent]);
  });

  test("says why a call was refused, and that nothing was sent", async () => {
    const before = shop.seen.length;
    expect(await tryTool("list_items", { colour: "red" })).toMatchObject({
      kind: "ran",
      reply: { isError: true, value: { error: "unknown_argument" } },
      exchanges: [],
      notes: ["The call was refused before anything was sent."],
    });
    expect(shop.seen.slice(before)).toStrictEqual([]);
  });

  test("shows no secret, and what is no tool is none", async () => {
    expect(
      JSON.stringify([await tryTool("get_item", { id: "a" }), await tryTool("add_item", { name: "x" })]),
    ).not.toContain(SHOP_KEY);
    const response = await attempt({ tool: "no_such_tool", arguments: {} });
    expect([response.status, await response.json()]).toStrictEqual([
      404,
      { error: { code: "unknown_tool", message: "There is no such tool." } },
    ]);
  });
});

describe("no request leaves that could change something", () => {
  let before: number;
  beforeEach(() => {
    before = shop.seen.length;
  });

  const cases: [title: string, tool: string, args: object, requests: string[]][] = [
    ["a tool that writes", "add_item", { name: "x" }, ["POST /items"]],
    ["one that asks first", "put_item", { id: "a", name: "x" }, ["PUT /items/a"]],
    ["a PUT that is declared to read", "liar_put", { id: "a", name: "x" }, ["PUT /items/a"]],
    ["a DELETE that is declared to read", "liar_remove", { id: "a" }, ["DELETE /items/a"]],
    ["a workflow that writes after it read", "copy_item", { id: "a" }, ["GET /items/a", "POST /items"]],
    ["an action of a group", "stock_write", { action: "throw", id: "a" }, ["DELETE /items/a"]],
  ];
  test.each(cases)("%s shows the requests that it would begin with", async (_, tool, args, requests) => {
    const { kind, exchanges, notes } = await tryTool(tool, args);
    expect([kind, exchanges.some(({ answer }) => answer !== undefined)]).toStrictEqual(["shown", false]);
    const shown = exchanges.map(
      ({ request }) => `${request.method} ${new URL(request.url).pathname.replace("/v1", "")}`,
    );
    expect(shown).toStrictEqual(requests);
    expect(exchanges[0]?.request.headers["x-shop-key"]).toBe("***");
    expect(notes[0]).toMatch(/^Nothing was sent/);
    expect(shop.seen.slice(before)).toStrictEqual([]);
  });

  test.each([
    ["an explored operation that writes", "call_operation", { operation: "addItem", arguments: [] }],
    ["no action that there is", "stock", { action: "throw", id: "a" }],
  ])("%s is refused", async (_, tool, args) => {
    expect(await tryTool(tool, args)).toMatchObject({ kind: "ran", reply: { isError: true }, exchanges: [] });
    expect(shop.seen.slice(before)).toStrictEqual([]);
  });
});

test("the calls of agents are counted, and trials are none of them", async () => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_items", arguments: {} } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  expect((await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(call) })).status).toBe(200);
  const count = async (): Promise<PageCalls> => (await fetch(`${url}/page/api/calls`)).json() as Promise<PageCalls>;
  await expect.poll(async () => (await count()).tools).toHaveLength(1);
  expect((await count()).tools[0]).toMatchObject({ tool: "list_items", calls: 1, errors: 0, overTime: [{ calls: 1 }] });
});

describe("with --watch an edit shows by itself", () => {
  test("what does not compile shows its findings, and the last good tools stay; what does takes their place", async () => {
    const whole = curationText();
    shop.write(whole.replace("List the items.", "List all the items."));
    const edited = await dataWhen(({ tools }) => tools.some((one) => one.listed.description.includes("all the items")));
    expect(edited.isBroken).toBe(false);

    shop.write(whole.replace('"listItems"', '"listItemz"'));
    const broken = await dataWhen(({ isBroken }) => isBroken);
    expect(broken.tools.map(({ listed }) => listed.name)).toContain("list_items");
    expect(broken.findings?.find(({ severity }) => severity === "error")).toMatchObject({
      line: 1,
      tool: "list_items",
    });

    shop.write("vitrine: [");
    expect((await dataWhen(({ findings }) => findings?.length === 1)).isBroken).toBe(true);

    shop.write(whole);
    const mended = await dataWhen(({ isBroken, pending }) => !isBroken && pending.length === 0);
    expect(mended.tools.some(({ listed }) => listed.description.includes("List the items."))).toBe(true);
  });
});

test("an API that is explored without a curation has its three tools, and what is found of its spec", async () => {
  const args = ["serve", "--spec", join(shop.folder, "workshop.json"), "--base-url", shop.env["SHOP_URL"] ?? ""];
  const explored = startCommand([...args, "--http", "127.0.0.1:0"], {});
  const at = new URL(/http:\S+/.exec(await explored.said("Serving 3 tools"))?.[0] ?? "").origin;
  const shown = async (): Promise<PageData> => (await fetch(`${at}/page/api/data`)).json() as Promise<PageData>;
  await expect.poll(async () => (await shown()).pending, { timeout: 15_000 }).toStrictEqual([]);
  const { tools, cost, server: face, isBroken, hasCalls } = await shown();
  expect(tools.map(({ listed, runs }) => [listed.name, runs])).toStrictEqual([
    ["call_operation", "tries"],
    ["describe_operation", "tries"],
    ["search_operations", "tries"],
  ]);
  expect([face.file, cost.endpoints?.operations, isBroken, hasCalls]).toStrictEqual([undefined, 6, false, false]);
  expect((await fetch(`${at}/page/api/calls`)).status).toBe(404);
  expect(await explored.end()).toBe(0);
});

test("without --watch the findings are of what is served: of a file that has changed since they are not told", async () => {
  const own = await openWorkshop();
  const still = startCommand(["serve", own.file, "--http", "127.0.0.1:0"], own.env);
  const at = new URL(/http:\S+/.exec(await still.said("Serving"))?.[0] ?? "").origin;
  const settled = async (): Promise<PageData> => {
    let shown: PageData | undefined;
    await expect
      .poll(
        async () => {
          shown = (await (await fetch(`${at}/page/api/data`)).json()) as PageData;
          return shown.pending;
        },
        { timeout: 15_000 },
      )
      .toStrictEqual([]);
    return shown!;
  };
  own.write(curationText().replace('"listItems"', '"listItemz"'));
  const { findings, isBroken, isOutdated, cost } = await settled();
  expect([findings, isBroken, isOutdated, cost.endpoints]).toStrictEqual([undefined, false, true, undefined]);
  expect(await still.end()).toBe(0);
  await own.close();
});
