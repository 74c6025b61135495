import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";
import { hashOf, keyOf } from "../setup/keys.ts";
import { callOf, LIST, postMessage, readAnswer } from "../setup/post-message.ts";
import { repository } from "../setup/program.ts";

// A host that compiles a large document again, and looks into it, while it is asked.

const OPERATIONS = 2_000;

/** YAML, which is slow to read; `title` makes it another one each time. */
function specOf(title: string): string {
  const path = (at: number): string => `  /things/${at}:
    get:
      operationId: get${at}
      summary: Get the thing of the number ${at}
      parameters: [{ name: q, in: query, description: "What it should hold.", schema: { type: string } }]
      responses: { "200": { description: Ok., content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } }`;
  const paths = Array.from({ length: OPERATIONS }, (_, at) => path(at));
  return `openapi: 3.1.0\ninfo: { title: ${title}, version: "1" }\nservers: [{ url: "https://api.example.com" }]\npaths:\n${paths.join("\n")}\n`;
}

const curationOf = (tools: readonly number[]): string => `vitrine: 1
api: { spec: ./big.yaml }
server: { name: big, explore: true }
tools:
${tools.map((at) => `  get_${at}: { operation: get${at}, use: Get the thing of the number ${at}. }`).join("\n")}
`;

let folder: string;
let running: Running;
let url: string;

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

async function reload(said = '"reloaded"'): Promise<string> {
  running.child.kill("SIGHUP");
  return running.said("err", said);
}

async function toolNames(): Promise<string[]> {
  const answer = await postMessage(`${url}/mcp/big`, `Bearer ${keyOf("ann")}`, LIST);
  const { result } = readAnswer(await answer.text());
  const names = result.tools.map(({ name }: { name: string }) => name);
  return names.filter((name: string) => name.startsWith("get_"));
}

/** What one of the tools of `explore` replies. */
async function explore(name: string, args: object) {
  const answer = await postMessage(`${url}/mcp/big`, `Bearer ${keyOf("ann")}`, callOf(name, args));
  const { result } = readAnswer(await answer.text());
  return JSON.parse(result.content[0].text);
}

/** Asks again and again until `work` is done; how long the slowest answer took, and all of it. */
async function slowestDuring(work: Promise<unknown>): Promise<{ readonly slowest: number; readonly whole: number }> {
  const start = performance.now();
  let [slowest, isOver] = [0, false];
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begin = performance.now();
    await (await fetch(`${url}/healthz`)).text();
    slowest = Math.max(slowest, performance.now() - begin);
    await wait(2);
  }
  await over;
  return { slowest, whole: performance.now() - start };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-reload-"));
  // A copy, as a part of it is taken away below.
  cpSync(join(repository, "dist"), join(folder, "dist"), { recursive: true });
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  write({
    "big.yaml": specOf("First"),
    "big.vitrine.yaml": curationOf([0]),
    "host.yaml": JSON.stringify({
      listen: "127.0.0.1:0",
      publicUrl: "http://127.0.0.1",
      servers: { big: { curation: "./big.vitrine.yaml", root: ".", explore: true } },
      keys: { ann: { hash: hashOf("ann"), server: "big" } },
    }),
  });
  // As a library warns that has too many listeners: whenever it is asked to.
  const warn = `data:text/javascript,process.on("SIGUSR2", () => process.emitWarning("It leaks.", "LeakWarning"))`;
  running = start(["host", join(folder, "host.yaml")], {}, ["--import", warn], join(folder, "dist", "vitrine.js"));
  url = `http://127.0.0.1:${JSON.parse(await running.said("err", '"listening"')).port}`;
}, 30_000);
afterAll(() => {
  running.child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

test("what a library warns of is a line of the host's log like any other", async () => {
  running.child.kill("SIGUSR2");
  const line = await running.said("err", "It leaks.");
  expect(JSON.parse(line)).toMatchObject({ level: "warn", event: "warning", message: "LeakWarning: It leaks." });
  for (const one of running.err) expect(() => JSON.parse(one)).not.toThrow();
});

describe("a host that explores a large document", () => {
  test("holds up nobody while it is read, nor while what is in it is compiled", { timeout: 60_000 }, async () => {
    let found: unknown;
    const search = async (): Promise<void> => {
      found = await explore("search_operations", { query: "number 1234", limit: 1 });
    };
    const { slowest, whole } = await slowestDuring(search());
    expect(found).toMatchObject({ data: [{ operation: "get1234" }] });
    // In the thread that serves, reading would be the most of it.
    expect(slowest).toBeLessThan(whole / 2);
    const described = await explore("describe_operation", { operation: "get1234" });
    expect(described).toMatchObject({ sends: "GET /things/1234", arguments: { properties: { q: {} } } });
    expect(await explore("describe_operation", { operation: "get12345" })).toMatchObject({
      error: "unknown_id",
      nearest: expect.arrayContaining(["get1234"]),
    });
    const args = { operation: "get1234", arguments: [{ name: "q", value: "x" }] };
    expect(await explore("call_operation", args)).toMatchObject({
      error: expect.stringMatching(/^(?:upstream|destination)_/),
    });
  });

  test("looks into the document that is served", { timeout: 60_000 }, async () => {
    write({ "big.yaml": specOf("Other").replace("number 5\n", "number 5 of all\n") });
    await reload();
    expect(await explore("search_operations", { query: "number 5 of all", limit: 1 })).toMatchObject({
      data: [{ operation: "get5", does: "Get the thing of the number 5 of all" }],
    });
  });
});

describe("a host that compiles a large document again", () => {
  test("holds up nobody for the time that it takes, and then serves it", { timeout: 60_000 }, async () => {
    expect(await toolNames()).toStrictEqual(["get_0"]);
    write({ "big.yaml": specOf("Second"), "big.vitrine.yaml": curationOf([0, 7]) });
    const { slowest, whole } = await slowestDuring(reload());
    expect(await toolNames()).toStrictEqual(["get_0", "get_7"]);
    // In the thread that serves, compiling would be the most of it.
    expect(slowest).toBeLessThan(whole / 2);
  });

  test("serves the last good one where there is a mistake, and says which", { timeout: 60_000 }, async () => {
    write({ "big.vitrine.yaml": curationOf([0, OPERATIONS]) });
    expect(await reload('"finding"')).toContain("unknown_operation");
    await running.said("err", '"reload_rejected"');
    write({ "big.vitrine.yaml": curationOf([0]), "big.yaml": "openapi: 3.1.0\npaths: {" });
    expect(await reload('"unreadable_')).toContain("big.yaml");
    await running.said("err", '"reload_rejected"');
    expect(await toolNames()).toStrictEqual(["get_0", "get_7"]);
  });

  test("also does so when its own program was taken away", { timeout: 60_000 }, async () => {
    for (const name of ["compile-worker.js", "explore-worker.js"]) rmSync(join(folder, "dist", name));
    write({ "big.vitrine.yaml": curationOf([0, 8]), "big.yaml": specOf("Third") });
    await reload();
    expect(await toolNames()).toStrictEqual(["get_0", "get_8"]);
    expect(await explore("describe_operation", { operation: "get9" })).toMatchObject({ sends: "GET /things/9" });
  });
});
