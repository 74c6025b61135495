import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../egress/make-certificate.ts";
import { connect, PEERS } from "../mcp/peers.ts";
import { cleanEnv, program, vitrine } from "../setup/program.ts";
import { fixture } from "./fake-shell.ts";
import { INITIALIZE, type Running, start } from "./running.ts";
import { openShop, type Shop } from "./shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

describe("vitrine serve over stdio", () => {
  test.each(PEERS)("serves a client of the %s", async (peer) => {
    const args = [program, "serve", fixture("shop.yaml")];
    const client = await connect(peer, { command: process.execPath, args, env: cleanEnv(shop.env) });
    expect((await client.listTools()).tools.map(({ name }) => name)).toStrictEqual([
      "shop_get_item",
      "shop_list_items",
    ]);
    const { structuredContent } = await client.callTool({ name: "shop_get_item", arguments: { itemId: "b" } });
    expect(structuredContent).toMatchObject({ id: "b", price: 1.5 });
    await client.close();
  });

  test("ends with 0 when stdin does, and has written only the protocol to stdout and nothing to stderr", async () => {
    const server = start(["serve", fixture("shop.yaml")], shop.env);
    await server.ask(1, "initialize", INITIALIZE);
    await server.ask(2, "tools/list");
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    expect(server.out.map((line) => JSON.parse(line).id)).toStrictEqual([1, 2]);
    expect(server.err).toStrictEqual([]);
  });

  test("ends with 0 when it is asked to by a signal", async () => {
    const server = start(["serve", fixture("shop.yaml")], shop.env);
    await server.ask(1, "initialize", INITIALIZE);
    server.child.kill("SIGTERM");
    expect(await server.ended()).toBe(0);
  });

  test.each(["stdin ends", "SIGTERM"])("has cached what it compiled, at the latest when %s", async (end) => {
    const cache = mkdtempSync(join(tmpdir(), "vitrine-serve-"));
    const server = start(["serve", fixture("shop.yaml")], { ...shop.env, XDG_CACHE_HOME: cache });
    await server.ask(1, "initialize", INITIALIZE);
    await server.ask(2, "tools/list");
    if (end === "SIGTERM") server.child.kill(end);
    else server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    expect(readdirSync(join(cache, "vitrine")).map((name) => name.replace(/^.*\./, ""))).toContain("toolset");
    rmSync(cache, { recursive: true });
  });

  const refusals: [title: string, args: string[], env: () => Record<string, string>, code: number, words: RegExp][] = [
    ["a mistake in the curation", [fixture("broken.yaml")], () => shop.env, 1, /broken\.yaml:5:3 +error/],
    ["a setting that is missing", [fixture("shop.yaml")], () => ({}), 2, /^vitrine: .*SHOP_\w+.*\n$/],
    ["a curation that is not there", [fixture("nowhere.yaml")], () => shop.env, 2, /^vitrine: .*no such file\.\n$/],
  ];
  test.each(refusals)("does not start with %s", async (_, args, env, code, words) => {
    const ran = await vitrine(["serve", ...args], { env: env() });
    expect([ran.code, ran.stdout]).toStrictEqual([code, ""]);
    expect(ran.stderr).toMatch(words);
  });

  test("serves the rest where the spec breaks one tool, and says which", async () => {
    const server = start(["serve", fixture("half-broken.yaml")], shop.env);
    await server.ask(1, "initialize", INITIALIZE);
    const { result } = await server.ask(2, "tools/list");
    expect(result.tools).toHaveLength(2);
    expect(server.err.join("\n")).toMatch(/half-broken\.yaml:\d+:\d+ +error +spec_fault/);
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
  });
});

describe("vitrine serve over HTTP", () => {
  test("says where on stderr, serves both eras, and ends with 0 on a signal", async () => {
    const server = start(["serve", fixture("shop.yaml"), "--http", "127.0.0.1:0"], shop.env);
    const url = /http:\S+/.exec(await server.said("err", "Serving 2 tools of shop at "))?.[0] ?? "";
    expect(await server.said("err", "See what an agent sees")).toContain(` at ${new URL("/", url)}`);
    for (const peer of PEERS) {
      const client = await connect(peer, { url });
      const { structuredContent } = await client.callTool({ name: "shop_list_items", arguments: {} });
      expect(structuredContent).toMatchObject({ rowCount: 2 });
      await client.close();
    }
    expect(await (await fetch(new URL("/healthz", url))).json()).toMatchObject({
      status: "ok",
      server: "shop",
      tools: 2,
    });
    server.child.kill("SIGINT");
    expect(await server.ended()).toBe(0);
    expect(server.out).toStrictEqual([]);
  });

  test("a port that is taken ends with 2 and one line", async () => {
    const { SHOP_URL = "" } = shop.env;
    const ran = await vitrine(["serve", fixture("shop.yaml"), "--http", new URL(SHOP_URL).host], { env: shop.env });
    expect([ran.code, ran.stdout]).toStrictEqual([2, ""]);
    expect(ran.stderr).toMatch(/^vitrine: .*EADDRINUSE.* Choose another port, or 0 for a free one\.\n$/);
  });
});

describe("vitrine serve --watch with certificates", () => {
  test("reads them anew when one is replaced, and keeps the last good ones", async () => {
    const folder = mkdtempSync(join(tmpdir(), "vitrine-watch-"));
    cpSync("test/fixtures/cli", folder, { recursive: true });
    const [curation, ca] = [join(folder, "curation", "shop.yaml"), join(folder, "curation", "ca.pem")];
    const certificate = makeCertificate("the shop");
    const upstream = await openShop(certificate);
    writeFileSync(ca, certificate.cert);
    const text = readFileSync(curation, "utf8");
    writeFileSync(curation, text.replace(/^api:$/m, "api:\n  tls: { ca: ./ca.pem }"));
    const server = start(["serve", curation, "--watch"], upstream.env);
    let id = 10;
    const get = async () => {
      const { result } = await server.ask(id++, "tools/call", { name: "shop_get_item", arguments: { itemId: "b" } });
      return JSON.parse((result as unknown as { content: [{ text: string }] }).content[0].text);
    };
    await server.ask(1, "initialize", INITIALIZE);
    server.send({ method: "notifications/initialized" });
    expect(await get()).toMatchObject({ id: "b" });
    writeFileSync(ca, makeCertificate("another").cert);
    await server.said("err", "Reloaded: 2 tools.");
    expect(await get()).toMatchObject({ error: "upstream_unavailable" });
    writeFileSync(ca, "no certificate");
    await server.said("err", "is no PEM file");
    writeFileSync(ca, certificate.cert);
    await server.said("err", "Reloaded: 2 tools.");
    expect(await get()).toMatchObject({ id: "b" });
    server.child.kill();
    await upstream.close();
    rmSync(folder, { recursive: true });
  });
});

describe("vitrine serve --watch", () => {
  let folder: string;
  let server: Running;
  let curation: string;
  let spec: string;
  let id = 10;
  const names = async (): Promise<string[]> => {
    const { result } = await server.ask(id++, "tools/list");
    return result.tools.map(({ name }) => name);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "vitrine-watch-"));
    cpSync("test/fixtures/cli", folder, { recursive: true });
    curation = join(folder, "curation", "shop.yaml");
    spec = join(folder, "specs", "shop.yaml");
    server = start(["serve", curation, "--watch"], shop.env);
    await server.ask(1, "initialize", INITIALIZE);
    server.send({ method: "notifications/initialized" });
  });
  afterAll(() => server.child.kill());

  test("serves a curation that was written anew, and tells its client", async () => {
    writeFileSync(
      curation,
      readFileSync(curation, "utf8")
        .replace("get_item:\n    operation", "see_item:\n    operation")
        .replaceAll("get_item: see", "see_item: see"),
    );
    await server.said("out", "notifications/tools/list_changed");
    await server.said("err", "Reloaded: 2 tools.");
    expect(await names()).toStrictEqual(["shop_list_items", "shop_see_item"]);
  });

  test("keeps the last good toolset while the curation is wrong", async () => {
    const good = readFileSync(curation, "utf8");
    writeFileSync(curation, good.replace("operation: listItems", "operation: listItemz"));
    await server.said("err", "listItemz");
    await server.said("err", "Still serving the last good toolset.");
    expect(await names()).toStrictEqual(["shop_list_items", "shop_see_item"]);
    writeFileSync(curation, "vitrine: [");
    await server.said("err", "Still serving the last good toolset.");
    expect(await names()).toStrictEqual(["shop_list_items", "shop_see_item"]);
    writeFileSync(
      curation,
      good
        .replace("see_item:\n    operation", "show_item:\n    operation")
        .replaceAll("see_item: see", "show_item: see"),
    );
    await server.said("err", "Reloaded: 2 tools.");
    expect(await names()).toStrictEqual(["shop_list_items", "shop_show_item"]);
  });

  test("survives a spec that is taken away, and one that is renamed over it", async () => {
    const good = readFileSync(spec, "utf8");
    rmSync(spec);
    await server.said("err", "Still serving the last good toolset.");
    expect(await names()).toStrictEqual(["shop_list_items", "shop_show_item"]);
    const draft = `${spec}.draft`;
    writeFileSync(draft, good.replace("List items", "List all items"));
    renameSync(draft, spec);
    await server.said("err", "Reloaded: 2 tools.");
    expect(await names()).toStrictEqual(["shop_list_items", "shop_show_item"]);
  });
});
