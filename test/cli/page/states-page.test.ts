import { afterAll, beforeAll, expect, test } from "vitest";
import type { PageData } from "../../../src/web/page-data.ts";
import { curationText, openWorkshop, type RunningCommand, startCommand, type Workshop } from "./workshop.ts";

let shop: Workshop;
let server: RunningCommand;
let url: string;

beforeAll(async () => {
  shop = await openWorkshop();
  const content = JSON.parse(curationText()) as { tools: Record<string, object>; states?: object };
  const { list_items: list, get_item: get, add_item: add } = content.tools;
  content.states = {
    open: { operation: "listItems", when: "items[0].id == 'a'" },
    closed: { operation: "listItems", when: "items[0].id == 'z'" },
  };
  content.tools = {
    list_items: list!,
    get_item: { ...get, states: ["open"] },
    add_item: { ...add, states: ["closed"] },
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
    { name: "open", holds: true, tools: ["get_item", "peek"] },
    { name: "closed", holds: false, tools: ["add_item", "peek"] },
  ]);
  const names = tools.map(({ listed }) => listed.name);
  expect(names).toEqual(expect.arrayContaining(["list_items", "get_item"]));
  expect(names).not.toContain("add_item");
  expect(tools.find(({ listed }) => listed.name === "get_item")?.states).toStrictEqual(["open"]);
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ tool: "add_item", arguments: {} });
  expect((await fetch(`${url}/page/api/try`, { method: "POST", headers, body })).status).toBe(404);
});
