import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";
import { hashOf, keyOf } from "../setup/keys.ts";
import { callOf, postMessage } from "../setup/post-message.ts";

// The built program as a process among others: told to end, held up, and with an error of ours that nothing caught.

const SERVERS = ["one", "two", "three", "four"];
const KEYS = SERVERS.flatMap((server) => [`${server}-a`, `${server}-b`]);
const SPEC = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  servers: [{ url: "/v1" }],
  security: [{ desk: [] }],
  paths: { "/items": { get: { operationId: "find", responses: { 200: { description: "Ok." } } } } },
  components: { securitySchemes: { desk: { type: "apiKey", in: "header", name: "X-Desk" } } },
};
const CURATION = {
  vitrine: 1,
  api: {
    spec: "./spec.json",
    baseUrl: "${env.API}",
    auth: { desk: { apiKey: "${env.DESK_KEY}" } },
    concurrency: 64,
    timeout: "40s",
  },
  server: { name: "desk" },
  tools: { find: { operation: "find", use: "Find what is there." } },
};
const CANARY = "canary-desk-key-7";
/** What a defect of ours would do, at a signal. */
const DEFECTS = {
  reject: `Promise.reject(Object.assign(new Error("boom ${CANARY}"), { headers: { authorization: "canary-property" } }))`,
  throw: `setTimeout(() => { throw Object.assign(new TypeError("boom"), { key: "canary-property" }) })`,
  stall: `const end = Date.now() + 8_000; const spin = () => { const until = Date.now() + 200; while (Date.now() < until); if (Date.now() < end) setImmediate(spin); }; spin()`,
};

let folder: string;
let url: string;
let running: Running | undefined;
let arrived = 0;
/** Answers wait for it. */
let held: Promise<void> = Promise.resolve();
let release = (): void => {};
const hold = (): void => {
  held = new Promise((resolve) => {
    release = resolve;
  });
};

const upstream = createServer(async (_, response) => {
  arrived += 1;
  await held;
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});

beforeEach(async () => {
  arrived = 0;
  held = Promise.resolve();
  folder = mkdtempSync(join(tmpdir(), "vitrine-process-"));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const desk = { curation: "./desk.yaml", root: ".", env: ["API", "DESK_KEY"], allowPrivate: ["127.0.0.0/8"] };
  const host = {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    servers: Object.fromEntries(SERVERS.map((name) => [name, desk])),
    keys: Object.fromEntries(KEYS.map((name) => [name, { hash: hashOf(name), server: name.split("-")[0] }])),
  };
  for (const [name, content] of Object.entries({ "spec.json": SPEC, "desk.yaml": CURATION, "host.yaml": host }))
    writeFileSync(join(folder, name), JSON.stringify(content));
});
afterEach(async () => {
  release();
  running?.child.kill("SIGKILL");
  running = undefined;
  upstream.closeAllConnections();
  await new Promise((resolve) => upstream.close(resolve));
  rmSync(folder, { recursive: true });
});

const env = () => ({ API: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`, DESK_KEY: CANARY });

async function open(defect?: keyof typeof DEFECTS): Promise<Running> {
  const file = join(folder, "defect.mjs");
  if (defect !== undefined) writeFileSync(file, `process.on("SIGUSR2", () => { ${DEFECTS[defect]} });`);
  const node = defect === undefined ? [] : ["--import", file];
  running = start(["host", join(folder, "host.yaml")], env(), node);
  url = `http://127.0.0.1:${JSON.parse(await running.said("err", '"listening"')).port}`;
  return running;
}

function call(key = "one-a", signal?: AbortSignal): Promise<Response> {
  const [server] = key.split("-");
  return postMessage(`${url}/mcp/${server}`, `Bearer ${keyOf(key)}`, callOf("find"), { ...(signal && { signal }) });
}

/** As a client does, it comes again when a busy machine asks for that. */
async function callAgain(key: string): Promise<Response> {
  const response = await call(key);
  if (response.status !== 503) return response;
  await wait(1_000 * Number(response.headers.get("retry-after")));
  return callAgain(key);
}

const LONG = { timeout: 15_000 };
const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;

describe("a process that is told to end", () => {
  test("finishes two hundred calls that run, takes no others, and ends with 0", async () => {
    const one = await open();
    hold();
    const calls = Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const response = await callAgain(KEYS[at % KEYS.length]!);
        return [response.status, (await response.text()).includes('"isError":true')];
      }),
    );
    await expect.poll(() => arrived, { timeout: 20_000 }).toBe(200);
    one.child.kill("SIGTERM");
    await expect.poll(isReady, LONG).toBe(false);
    const late = async () => {
      const { status, headers } = await call("one-a", AbortSignal.timeout(300)).catch(() => Response.error());
      return [status, headers.get("retry-after")];
    };
    await expect.poll(late, { timeout: 10_000 }).toEqual([503, "1"]);
    release();
    expect(new Set((await calls).map(String))).toEqual(new Set(["200,false"]));
    expect(await one.ended()).toBe(0);
  }, 60_000);

  test("ends at once where it is told so twice", async () => {
    const one = await open();
    hold();
    const cut = call().catch(() => "cut");
    await expect.poll(() => arrived, LONG).toBe(1);
    one.child.kill("SIGTERM");
    await one.said("err", '"draining"');
    one.child.kill("SIGTERM");
    expect(await one.ended()).toBeNull();
    expect(one.child.signalCode).toBe("SIGTERM");
    expect(await cut).toBe("cut");
  });
});

test("a process that is held up refuses new calls and says when to come again, but answers whether it lives", async () => {
  const one = await open("stall");
  await (await call()).text();
  one.child.kill("SIGUSR2");
  const refused: (string | null)[] = [];
  let isOver = false;
  // So many that it is they who are held up.
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const response = await call();
      const text = await response.text();
      if (response.status === 503)
        refused.push(`${response.headers.get("retry-after")} ${JSON.parse(text).error.code}`);
    }
  };
  const callers = Promise.all(Array.from({ length: 20 }, caller));
  await expect.poll(() => refused[0], { timeout: 10_000 }).toBe("1 1503");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  isOver = true;
  await callers;
  await expect.poll(async () => (await call()).status, { timeout: 15_000 }).toBe(200);
}, 60_000);

test.each(["reject", "throw"] as const)(
  "an error of ours that nothing caught (%s) ends no call, is told without a secret, and has another process take over",
  async (defect) => {
    const one = await open(defect);
    hold();
    const answer = call();
    await expect.poll(() => arrived, LONG).toBe(1);
    one.child.kill("SIGUSR2");
    expect(JSON.parse(await one.said("err", '"fault"'))).toMatchObject({ level: "error", uncaught: true });
    await expect.poll(isReady, LONG).toBe(false);
    release();
    expect((await answer).status).toBe(200);
    expect(await one.ended()).toBe(70);
    expect(one.err.join("\n")).toContain("boom");
    expect(one.err.join("\n")).not.toContain("canary");
    for (const line of one.err) expect(JSON.parse(line)).toHaveProperty("event");
  },
);

test("in a command that serves one client such an error ends it as our fault, and shows nothing that the error carries", async () => {
  const file = join(folder, "defect.mjs");
  writeFileSync(file, `process.on("SIGUSR2", () => { ${DEFECTS.throw} });`);
  running = start(["serve", join(folder, "desk.yaml"), "--root", folder], env(), ["--import", file]);
  running.send({ id: 1, method: "ping" });
  await running.said("out", '"id":1');
  running.child.kill("SIGUSR2");
  expect(await running.ended()).toBe(70);
  expect(running.err[0]).toMatch(/^vitrine \S+: this is our bug/);
  expect(running.err.join("\n")).toContain("boom");
  expect(running.err.join("\n")).not.toContain("canary");
});
