import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageData, TryAnswer } from "../../../src/web/page-data.ts";
import { curationText, openWorkshop, type RunningCommand, startCommand, type Workshop } from "./workshop.ts";

let shop: Workshop;
let server: RunningCommand;
let url: string;

beforeAll(async () => {
  shop = await openWorkshop();
  const content = JSON.parse(curationText()) as { tools: Record<string, object>; states?: object };
  const { list_items: list, get_item: get, add_item: add, put_item: put } = content.tools;
  content.states = {
    open: { operation: "listItems", when: "items[0].id == 'a'" },
    closed: { operation: "listItems", when: "items[0].id == 'z'" },
  };
  content.tools = {
    list_items: list!,
    get_item: { ...get, states: ["open"] },
    add_item: { ...add, states: ["closed"] },
    put_item: { ...put, states: ["open"] },
    peek: { ...get, states: ["open", "closed"] },
  };
  shop.write(JSON.stringify(content));
  server = startCommand(["serve", shop.file, "--http", "127.0.0.1:0"], shop.env);
  url = new URL(/http:\S+/.exec(await server.said("Serving"))?.[0] ?? "").origin;
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
  await shop.close();
});

test("the operator sees which states hold, and the tools that an agent sees now", async () => {
  const { states, tools } = (await (await fetch(`${url}/page/api/data`)).json()) as PageData;
  expect(states).toStrictEqual([
    { name: "open", holds: true, tools: ["get_item", "peek", "put_item"] },
    { name: "closed", holds: false, tools: ["add_item", "peek"] },
  ]);
  const names = tools.map(({ listed }) => listed.name);
  expect(names).toEqual(expect.arrayContaining(["list_items", "get_item"]));
  expect(names).not.toContain("add_item");
  expect(tools.find(({ listed }) => listed.name === "get_item")?.states).toStrictEqual(["open"]);
  const headers = { "content-type": "application/json" };
  const attempt = (tool: string, args: object): Promise<Response> =>
    fetch(`${url}/page/api/try`, { method: "POST", headers, body: JSON.stringify({ tool, arguments: args }) });
  expect((await attempt("add_item", {})).status).toBe(404);
  // The upstream is not asked for its state beside the requests that are only shown.
  const shown = (await (await attempt("put_item", { id: "a", name: "x" })).json()) as TryAnswer;
  expect(shown.exchanges.map(({ request }) => request.method)).toStrictEqual(["PUT"]);
});
