import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageData, TryAnswer } from "../../../src/web/page-data.ts";
import { curationText, openWorkshop, type RunningCommand, SHOP_KEY, startCommand, type Workshop } from "./workshop.ts";

// The page of a host, from the host file on: the same walls as before MCP, and each key's own view.

let shop: Workshop;
let server: RunningCommand;
let folder: string;
let url: string;

const NAMES = ["reader", "writer", "seer", "few", "gone"] as const;
type Name = (typeof NAMES)[number];
const keyOf = (name: Name): string => `vtr_${name}_secret-of-${name}-which-is-long-enough`;
const hashOf = (name: Name): string => `sha256:${createHash("sha256").update(keyOf(name)).digest("hex")}`;

function writeHost(without: readonly Name[] = []): void {
  const entry = {
    curation: shop.file,
    root: shop.folder,
    env: ["SHOP_URL", "SHOP_KEY"],
    allowPrivate: ["127.0.0.0/8"],
  };
  const keys: Record<Name, object> = {
    reader: { hash: hashOf("reader"), server: "shop" },
    writer: { hash: hashOf("writer"), server: "shop", writes: true },
    seer: { hash: hashOf("seer"), server: "open" },
    few: { hash: hashOf("few"), server: "shop", rate: "2/h" },
    gone: { hash: hashOf("gone"), server: "shop" },
  };
  const host = {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    servers: { shop: entry, open: { ...entry, raw: true, explore: true } },
    keys: Object.fromEntries(Object.entries(keys).filter(([name]) => !without.some((one) => one === name))),
  };
  writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
}

beforeAll(async () => {
  shop = await openWorkshop();
  folder = mkdtempSync(join(tmpdir(), "vitrine-host-page-"));
  writeHost();
  server = startCommand(["host", join(folder, "host.yaml")], shop.env);
  const { port } = JSON.parse(await server.said('"listening"')) as { port: number };
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
  await shop.close();
  rmSync(folder, { recursive: true });
});

function ask(part: string, name?: Name, on = "shop", body?: unknown): Promise<Response> {
  return fetch(`${url}/page/api/${on}/${part}`, {
    headers: {
      "content-type": "application/json",
      ...(name !== undefined && { authorization: `Bearer ${keyOf(name)}` }),
    },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
}

async function dataOf(name: Name, on?: string): Promise<PageData> {
  const response = await ask("data", name, on);
  expect(response.status).toBe(200);
  return (await response.json()) as PageData;
}

async function tryTool(name: Name, tool: string, args: object, on?: string): Promise<TryAnswer> {
  const response = await ask("try", name, on, { tool, arguments: args });
  expect(response.status).toBe(200);
  return (await response.json()) as TryAnswer;
}

const namesOf = ({ tools }: PageData): string[] => tools.map(({ listed }) => listed.name);

describe("who may see the page of a server", () => {
  const refused: [title: string, ask: () => Promise<Response>][] = [
    ["nobody without a key", () => ask("data")],
    ["nobody with the key of another server", () => ask("data", "seer")],
    ["nobody of a server that there is not", () => ask("data", "reader", "nowhere")],
    ["nobody may try without a key", () => ask("try", undefined, "shop", { tool: "list_items" })],
    ["nobody may listen without a key", () => ask("changes")],
  ];
  test.each(refused)("%s", async (_, asked) => {
    const response = await asked();
    expect(response.status).toBe(401);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).not.toMatch(/list_items|shop/);
  });

  test("the same is said of a server that there is not as of a key that is not good there", async () => {
    const told = await Promise.all([ask("data", "reader", "nowhere"), ask("data", "seer")]);
    const texts = await Promise.all(told.map((response) => response.text()));
    expect(texts[0]).toBe(texts[1]);
  });

  test("what stands beside the three parts is not there", async () => {
    expect((await ask("calls", "reader")).status).toBe(404);
  });

  test("the log has each request with its key, and no tool, argument or key in the clear", async () => {
    await tryTool("reader", "get_item", { id: "canary-argument" });
    const lines = server.notes.filter((line) => line.includes("page/try"));
    expect(JSON.parse(lines.at(-1) ?? "{}")).toMatchObject({ key_id: "reader", server: "shop", status: 200 });
    expect(server.notes.join("\n")).not.toMatch(/canary-argument|secret-of/);
  });
});

describe("the view is the key's", () => {
  test("who may not write sees no tool that writes, and nothing of the curation's files", async () => {
    const data = await dataOf("reader");
    expect(data).toMatchObject({ kind: "host", pending: [], states: [], watches: false });
    expect(namesOf(data)).toStrictEqual(["get_item", "liar_put", "liar_remove", "list_items", "search_items", "stock"]);
    expect(JSON.stringify(data)).not.toMatch(/add_item|stock_write|workshop\.yaml/);
    expect(data.findings ?? data.cost.endpoints).toBeUndefined();
  });

  test("who may write sees them, and the page still only shows what they would send", async () => {
    expect(namesOf(await dataOf("writer"))).toEqual(expect.arrayContaining(["add_item", "stock_write", "copy_item"]));
    const before = shop.seen.length;
    for (const [tool, args] of [
      ["add_item", { name: "x" }],
      ["put_item", { id: "a", name: "x" }],
      ["liar_remove", { id: "a" }],
      ["stock_write", { action: "throw", id: "a" }],
    ] as const) {
      const { kind, exchanges } = await tryTool("writer", tool, args);
      expect([tool, kind, exchanges.length]).toStrictEqual([tool, "shown", 1]);
      expect(exchanges[0]?.request.headers["x-shop-key"]).toBe("***");
    }
    expect(shop.seen.slice(before)).toStrictEqual([]);
  });

  test("a tool of others is tried like one that there is not", async () => {
    const told = await Promise.all(
      ["add_item", "nowhere"].map((tool) => ask("try", "reader", "shop", { tool, arguments: {} })),
    );
    expect(told.map(({ status }) => status)).toStrictEqual([404, 404]);
    expect(await told[0]!.text()).toBe(await told[1]!.text());
  });
});

describe("a trial", () => {
  test("runs, and withholds what the upstream answered beyond the reply", async () => {
    const { reply, exchanges, notes } = await tryTool("reader", "get_item", { id: "a" });
    expect(reply?.value).toStrictEqual({ id: "a", name: "Item a" });
    expect(exchanges[0]?.answer).toMatchObject({ kind: "answered", status: 200, text: "", isWithheld: true });
    expect(JSON.stringify({ reply, exchanges })).not.toMatch(/hidden|story/);
    expect(notes.join()).toContain("does not show what the upstream answered");
  });

  test("shows it where the host file says so, without secrets", async () => {
    const { exchanges } = await tryTool("seer", "get_item", { id: "a" }, "open");
    expect(JSON.stringify(exchanges[0]?.answer)).toContain("of ***");
    expect(JSON.stringify(exchanges)).not.toContain(SHOP_KEY);
  });

  test("counts against the rate of its key as a call does", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1)
      statuses.push((await ask("try", "few", "shop", { tool: "list_items", arguments: {} })).status);
    expect(statuses).toStrictEqual([200, 200, 429]);
  });

  test("is for the page itself, and for no page of another origin", async () => {
    const response = await fetch(`${url}/page/api/shop/try`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${keyOf("reader")}`,
        origin: "http://127.0.0.1:9",
      },
      body: JSON.stringify({ tool: "list_items", arguments: {} }),
    });
    expect(response.status).toBe(403);
  });
});

test("the stream of changes tells of a reload of the curation", async () => {
  const response = await ask("changes", "reader");
  const stream = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await stream.read()).value;
  shop.write(curationText().replace("List the items.", "List all the items."));
  expect((await stream.read()).value).not.toBe(first);
  await stream.cancel();
  const { tools } = await dataOf("reader");
  expect(tools.find(({ listed }) => listed.name === "list_items")?.listed.description).toContain("all the items");
});

test("the stream of changes ends with the key that it was opened with", async () => {
  const response = await ask("changes", "gone");
  const stream = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = await stream.read();
  expect(first.value).toMatch(/^event: changed\ndata: \{"revision":"[0-9a-f]{16}"\}\n\n$/);
  writeHost(["gone"]);
  await expect(
    (async () => {
      for (;;) if ((await stream.read()).done) throw new Error("It ended.");
    })(),
  ).rejects.toThrow();
  expect((await ask("data", "gone")).status).toBe(401);
  expect((await ask("data", "reader")).status).toBe(200);
});
