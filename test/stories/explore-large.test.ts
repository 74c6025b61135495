import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INITIALIZE, start } from "../cli/running.ts";
import { callOf, postMessage, readAnswer } from "../setup/post-message.ts";

// A server that reads a large document for the first who explores it, while others ask.

const OPERATIONS = 2_000;

/** YAML, which is slow to read. */
function bigSpec(): string {
  const path = (at: number): string => `  /things/${at}:
    get:
      operationId: get${at}
      summary: Get the thing of the number ${at}
      parameters: [{ name: q, in: query, description: "What it should hold.", schema: { type: string } }]
      responses: { "200": { description: Ok., content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } }`;
  const paths = Array.from({ length: OPERATIONS }, (_, at) => path(at));
  return `openapi: 3.1.0\ninfo: { title: Big, version: "1" }\nservers: [{ url: "http://127.0.0.1:9" }]\npaths:\n${paths.join("\n")}\n`;
}

const SEARCH = { query: "number 1234", limit: 1 };

let folder: string;
let spec: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-explore-"));
  spec = join(folder, "big.yaml");
  writeFileSync(spec, bigSpec());
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Asks one after the other until `work` is done; how long the slowest answer took, and all of it. */
async function slowestDuring(work: Promise<unknown>, ask: (id: number) => Promise<unknown>) {
  const begun = performance.now();
  let [slowest, isOver] = [0, false];
  const over = work.finally(() => {
    isOver = true;
  });
  for (let id = 1_000; !isOver; id += 1) {
    const asked = performance.now();
    await ask(id);
    slowest = Math.max(slowest, performance.now() - asked);
  }
  await over;
  return { slowest, whole: performance.now() - begun };
}

describe("while a large document is read for the first who explores it", () => {
  test.each([[[]], [["--workers", "2"]]])("others are answered over HTTP (%j)", { timeout: 60_000 }, async (more) => {
    const server = start(["serve", "--spec", spec, "--http", "127.0.0.1:0", ...more]);
    const url = /http:\S+/.exec(await server.said("err", "Serving 3 tools"))?.[0] ?? "";
    if (more.length > 0) await server.said("err", "2 workers serve it");
    let found: unknown;
    const search = async (): Promise<void> => {
      const answer = await postMessage(url, undefined, callOf("search_operations", SEARCH));
      found = JSON.parse(readAnswer(await answer.text()).result.content[0].text);
    };
    const health = new URL("/healthz", url);
    const { slowest, whole } = await slowestDuring(search(), async () => (await fetch(health)).text());
    expect(found).toMatchObject({ data: [{ operation: "get1234" }] });
    // In the thread that serves, reading would be the most of it.
    expect(slowest).toBeLessThan(whole / 2);
    server.child.kill("SIGTERM");
    expect(await server.ended()).toBe(0);
    expect(server.err.filter((line) => line.startsWith("vitrine:"))).toStrictEqual([]);
  });

  test("others are answered over stdio", { timeout: 60_000 }, async () => {
    const server = start(["serve", "--spec", spec]);
    await server.ask(1, "initialize", INITIALIZE);
    server.send({ method: "notifications/initialized" });
    server.send({ id: 2, method: "tools/call", params: { name: "search_operations", arguments: SEARCH } });
    const answer = () => server.out.find((line) => /"id":2\b/.test(line));
    const found = expect.poll(answer, { timeout: 30_000, interval: 5 }).toContain("get1234");
    const { slowest, whole } = await slowestDuring(Promise.resolve(found), (id) => server.ask(id, "ping"));
    expect(slowest).toBeLessThan(whole / 2);
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    expect(server.err).toStrictEqual([]);
  });

  test("a server that ends meanwhile says nothing of it", { timeout: 60_000 }, async () => {
    const server = start(["serve", "--spec", spec]);
    await server.ask(1, "initialize", INITIALIZE);
    server.send({ method: "notifications/initialized" });
    server.send({ id: 2, method: "tools/call", params: { name: "search_operations", arguments: SEARCH } });
    await server.ask(3, "ping");
    server.child.stdin.end();
    expect(await server.ended()).toBe(0);
    expect(server.err).toStrictEqual([]);
  });
});
