import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";
import { connect } from "../mcp/peers.ts";
import { haveBrowser, keepPicture, openBrowser, openWatched, seriousFindings, unfold } from "../setup/browser.ts";
import { vitrine } from "../setup/program.ts";
import { hostile } from "../web/page/hostile-data.ts";

// A person looks at their tools in Chromium, tries one, saves the file, and sees the change; and the same of a host, with a key.

const text = (words: string) => ({ type: "string", description: hostile(words) });
const answer = (schema: object) => ({
  200: { description: hostile("answer"), content: { "application/json": { schema } } },
});
const id = { name: "id", in: "path", required: true, schema: text("id") };
const Item = {
  type: "object",
  description: hostile("item"),
  properties: { id: text("item id"), text: text("item text"), hash: text("hash") },
};

/** A spec of which every text is markup and script. */
const SPEC = {
  openapi: "3.1.0",
  info: { title: hostile("API"), version: hostile("version"), description: hostile("about") },
  servers: [{ url: "/v1", description: hostile("server") }],
  security: [{ shopKey: [] }],
  tags: [{ name: "items", description: hostile("tag") }],
  paths: {
    "/items": {
      get: {
        operationId: "listItems",
        summary: hostile("list"),
        description: hostile("list them"),
        parameters: [
          {
            name: "color",
            in: "query",
            description: hostile("color"),
            schema: { type: "string", enum: ["red", "<b>"] },
          },
        ],
        responses: answer({ type: "object", properties: { items: { type: "array", items: Item } } }),
      },
      post: {
        operationId: "addItem",
        summary: hostile("add"),
        requestBody: {
          content: { "application/json": { schema: { type: "object", properties: { text: text("new text") } } } },
        },
        responses: answer(Item),
      },
    },
    "/items/{id}": {
      get: { operationId: "getItem", summary: hostile("get"), parameters: [id], responses: answer(Item) },
    },
  },
  components: { securitySchemes: { shopKey: { type: "apiKey", in: "header", name: "X-Shop-Key" } } },
};

const curation = (use: string, name = "list_items") => `vitrine: 1
api: { spec: ./shop.json, baseUrl: "\${env.SHOP_URL}", auth: { shopKey: { apiKey: "\${env.SHOP_KEY}" } } }
server: { name: shop, prefix: shop_, writes: true }
tools:
  ${name}:
    operation: listItems
    use: ${use}
    input: { color: {} }
    result:
      rows: items
      fields: { id: id, text: { path: text, clip: 40 } }
      limit: { default: 3, max: 50 }
    next: { get_item: read one whole }
  get_item:
    operation: getItem
    input: { id: { entity: item } }
  add_item: { operation: addItem, input: { text: {} } }
entities: { item: { from: list_items, field: id } }
`;

const SECRET = "canary-shop-key";
const folder = mkdtempSync(join(tmpdir(), "vitrine-page-"));
const file = join(folder, "shop.yaml");
const asked: string[] = [];
const upstream = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  const item = (at: number) => ({ id: `i-${at}`, text: hostile(`text ${at}`), hash: "0".repeat(200) });
  const one = /\/items\/(.+)$/.test(request.url ?? "");
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify(one ? item(1) : { items: Array.from({ length: 30 }, (_, at) => item(at)) }));
});
let env: Record<string, string>;
let browser: Browser;

describe.skipIf(!haveBrowser)("the page in Chromium", () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    env = { SHOP_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`, SHOP_KEY: SECRET };
    writeFileSync(join(folder, "shop.json"), JSON.stringify(SPEC));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    upstream.close();
  });

  describe("of serve --watch", () => {
    let running: Running;
    let url: string;
    beforeAll(async () => {
      writeFileSync(file, curation("List the items."));
      const http = ["--http", "127.0.0.1:0", "--watch", "--events", join(folder, "events.jsonl")];
      running = start(["serve", file, ...http], env);
      url = new URL(/http:\S+/.exec(await running.said("err", "/mcp"))?.[0] ?? "").origin;
    });
    afterAll(() => void running?.child.kill("SIGKILL"));

    test("a tool is found, tried, and what its reply cuts is marked beside the API's own answer", async () => {
      const watched = await openWatched(browser);
      const { page } = watched;
      await page.goto(url);
      await page.getByRole("searchbox").fill("list the items");
      await page.getByRole("link", { name: "shop_list_items" }).click();
      await page.getByRole("tab", { name: "Try" }).click();
      await page.getByLabel("color").selectOption("<b>");
      asked.length = 0;
      await page.getByRole("button", { name: "Run" }).click();
      const outcome = page.getByRole("region", { name: "What came of it" });
      await outcome.waitFor();
      const reply = page.getByRole("region", { name: "Reply" }).last();
      expect(await reply.locator("mark.cut").first().textContent()).toContain('"text": "text 0');
      expect(await reply.locator("mark.told").allTextContents()).toEqual(
        expect.arrayContaining([expect.stringContaining('"hasMore": true'), expect.stringContaining('"note"')]),
      );
      expect(await page.getByRole("region", { name: "Body of the answer" }).textContent()).toContain("0".repeat(200));
      expect(await outcome.textContent()).toMatch(
        /The reply\d[\d,]* tokens.*The API's answer\d[\d,]* tokens.*1 request in/,
      );
      expect(asked).toStrictEqual(["GET /v1/items?color=%3Cb%3E"]);
      expect(await page.content()).not.toContain(SECRET);
      expect(new URL(page.url()).hash).toBe("#tool=shop_list_items&tab=try");
      expect(await seriousFindings(page)).toStrictEqual([]);
      await keepPicture(page, "tried");
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await seriousFindings(page)).toStrictEqual([]);
      await keepPicture(page, "tried, dark");
      expect({ ...watched, page: 0, requests: [] }).toMatchObject({ complaints: [], surprises: [] });
      await page.context().close();
    });

    test("a tool that writes shows its requests, and sends none", async () => {
      const { page } = await openWatched(browser);
      await page.goto(`${url}/#tool=shop_add_item&tab=try`);
      asked.length = 0;
      await page.getByLabel("text").fill("<b>new</b>");
      await page.getByRole("button", { name: "Show what it would send" }).click();
      await expect
        .poll(() => page.getByRole("region", { name: "Body of the request" }).textContent())
        .toContain('"text": "<b>new</b>"');
      expect(await page.getByRole("region", { name: "What came of it" }).textContent()).toContain("Nothing was sent");
      expect(asked).toStrictEqual([]);
      await keepPicture(page, "dry run");
      await page.context().close();
    });

    test("calls that agents made are counted and drawn, tool by tool", async () => {
      const client = await connect("v2 SDK, 2026-07-28", { url: `${url}/mcp` });
      await client.callTool({ name: "shop_get_item", arguments: { id: "i-1" } });
      await client.callTool({ name: "shop_get_item", arguments: {} });
      await client.close();
      const { page } = await openWatched(browser);
      await page.goto(`${url}/#view=calls`);
      const row = page.getByRole("row").filter({ hasText: "shop_get_item" });
      await row.waitFor();
      expect(await row.getByRole("cell").allTextContents()).toEqual(expect.arrayContaining(["2", "1 (50 %)"]));
      expect(await page.locator("svg.large rect.bad").count()).toBeGreaterThan(0);
      await page.context().close();
    });

    test("a spec of markup and script does nothing in any view", async () => {
      const watched = await openWatched(browser);
      const { page } = watched;
      const tools = ["list_items", "get_item", "add_item"].flatMap((name) =>
        ["", "&tab=try", "&tab=cost", "&tab=clients"].map((tab) => `#tool=shop_${name}${tab}`),
      );
      await page.goto(url);
      await page.getByRole("tab", { name: /^Findings( \d+)?$/ }).waitFor();
      for (const hash of ["#", ...tools, "#view=cost", "#view=chain", "#view=findings", "#view=calls"]) {
        await page.goto(`${url}/${hash}`);
        await page.getByRole("tabpanel").first().waitFor();
        await page.getByText("are being read").waitFor({ state: "detached" });
        await unfold(page);
        await keepPicture(page, `serve ${hash.replaceAll(/[#&]/g, " ")}`);
        expect(await page.locator("main").locator("img, iframe, script, b, a:not([href^='#'])").count()).toBe(0);
      }
      expect(watched.requests.filter((address) => !address.startsWith(url) && address !== "data:,")).toStrictEqual([]);
      expect(watched).toMatchObject({ complaints: [], surprises: [] });
      await page.context().close();
    });

    test("the YAML is saved, and the change is seen; where it does not compile, why, at its line, beside the last good tools", async () => {
      const { page } = await openWatched(browser);
      await page.goto(`${url}/#tool=shop_list_items`);
      await page.getByRole("heading", { name: "Description", exact: true }).waitFor();
      writeFileSync(file, curation("Show every item there is."));
      const change = page.getByRole("region", { name: "What changed" });
      await change.waitFor();
      expect(await change.locator("del").textContent()).toContain("List");
      expect(await change.locator("ins").textContent()).toContain("Show every item");
      await keepPicture(page, "edited");

      writeFileSync(file, curation("Show every item there is.").replace("operation: getItem", "operation: getItme"));
      await page.getByRole("link", { name: "See what is wrong" }).click();
      const finding = page.getByRole("listitem").filter({ hasText: "getItme" }).first();
      await finding.waitFor();
      const line =
        readFileSync(file, "utf8")
          .split("\n")
          .findIndex((one) => one.includes("getItme")) + 1;
      expect(await finding.textContent()).toContain(`shop.yaml:${line}:`);
      expect(await finding.locator("mark").textContent()).toContain("getItme");
      expect(await seriousFindings(page)).toStrictEqual([]);
      await keepPicture(page, "broken");
      await page.getByRole("tab", { name: /^Tools/ }).click();
      await page.getByRole("link", { name: "shop_get_item" }).waitFor();

      writeFileSync(file, curation("List the items."));
      await page.getByRole("link", { name: "See what is wrong" }).waitFor({ state: "detached" });
      await page.context().close();
    });
  });

  test("of a host a key is asked for, which stays in memory, and the page is that key's", async () => {
    writeFileSync(file, curation("List the items."));
    const made = JSON.parse((await vitrine(["key", "new", "shop", "--json"])).stdout) as {
      key: string;
      name: string;
      entry: object;
    };
    const shop = { curation: "./shop.yaml", root: ".", env: Object.keys(env), allowPrivate: ["127.0.0.0/8"] };
    const host = {
      listen: "127.0.0.1:0",
      publicUrl: "http://127.0.0.1",
      servers: { shop },
      keys: { [made.name]: made.entry },
    };
    writeFileSync(join(folder, "host.yaml"), JSON.stringify(host));
    const running = start(["host", join(folder, "host.yaml")], env);
    try {
      const url = `http://127.0.0.1:${JSON.parse(await running.said("err", '"listening"')).port}`;
      const { page, requests, surprises } = await openWatched(browser);
      await page.goto(url);
      expect(await page.content()).not.toContain("shop");
      await page.getByLabel("Server").fill("shop");
      await page.getByLabel("Key or access token").fill("vk_wrong");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("alert").waitFor();
      expect(await seriousFindings(page)).toStrictEqual([]);
      await keepPicture(page, "sign in");
      expect(await page.getByLabel("Server").inputValue()).toBe("shop");
      await page.getByLabel("Key or access token").fill(made.key);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("link", { name: "shop_list_items" }).click();
      // A key that may not write has no tool that does.
      expect(await page.getByRole("link", { name: "shop_add_item" }).count()).toBe(0);
      await page.getByRole("tab", { name: "Try" }).click();
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("region", { name: "What came of it" }).waitFor();
      expect(await page.getByRole("region", { name: "Reply" }).last().textContent()).toContain('"id": "i-0"');
      await keepPicture(page, "host");
      const kept = await page.evaluate(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])",
      );
      expect(`${kept}${requests.join(" ")}${await page.content()}`).not.toContain(made.key);
      await page.reload();
      await page.getByLabel("Key or access token").waitFor();
      expect(surprises).toStrictEqual([]);
      await page.context().close();
    } finally {
      running.child.kill("SIGKILL");
    }
  });
});
