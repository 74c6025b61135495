import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";
import { hashOf, keyOf } from "../setup/keys.ts";
import { LIST, postMessage, readAnswer } from "../setup/post-message.ts";
import { repository } from "../setup/program.ts";

// A host that compiles a large document again while it is asked.

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
server: { name: big }
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
  return result.tools.map(({ name }: { name: string }) => name);
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
      servers: { big: { curation: "./big.vitrine.yaml", root: "." } },
      keys: { ann: { hash: hashOf("ann"), server: "big" } },
    }),
  });
  running = start(["host", join(folder, "host.yaml")], {}, [], join(folder, "dist", "vitrine.js"));
  url = `http://127.0.0.1:${JSON.parse(await running.said("err", '"listening"')).port}`;
}, 30_000);
afterAll(() => {
  running.child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
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
    rmSync(join(folder, "dist", "compile-worker.js"));
    write({ "big.vitrine.yaml": curationOf([0, 8]), "big.yaml": specOf("Third") });
    await reload();
    expect(await toolNames()).toStrictEqual(["get_0", "get_8"]);
  });
});
