import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Running, start } from "../cli/running.ts";
import { folderOf } from "../spec/spec-folder.ts";
import { callThings, thingsFiles } from "./things.ts";

// The built program, with its resolver in the hands of whoever owns the names.

/** For `--import`: what the system's resolver answers stands in a file by name, one after another; the last one is answered from then on. */
const RESOLVER = `data:text/javascript,${encodeURIComponent(`
import dns from "node:dns/promises";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const names = JSON.parse(readFileSync(process.env.TEST_ANSWERS, "utf8"));
dns.lookup = async (name) => {
  process.stderr.write("looked up " + name + "\\n");
  const answers = names[name] ?? ["ENOTFOUND"];
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  if (answer === null) return new Promise(() => {});
  if (typeof answer === "string") throw Object.assign(new Error(answer), { code: answer });
  return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
};
syncBuiltinESMExports();
`)}`;

type Answers = readonly (readonly string[] | string | null)[];
const BLOCKED = "destination_blocked";

/** Each the API of a server of its own. */
const NAMES: [title: string, answers: Answers, errors: (string | undefined)[]][] = [
  ["an address that is allowed", [["127.0.0.1"]], [undefined, undefined]],
  ["then the metadata service", [["127.0.0.1"], ["169.254.169.254"]], [undefined, BLOCKED, BLOCKED]],
  ["then another private one", [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"]], [undefined, BLOCKED, undefined]],
  ["an allowed one beside one that is not", [["127.0.0.1", "10.0.0.1"]], [BLOCKED]],
  ["IPv6 forms of it", [["::ffff:10.0.0.1"], ["::ffff:169.254.169.254"], ["64:ff9b::a00:1"]], Array(3).fill(BLOCKED)],
  ["no address", [[], "ENOTFOUND", "EAI_AGAIN"], Array(3).fill("upstream_unavailable")],
  ["nothing at all", [null], ["upstream_timeout"]],
];
const STUCK = "stuck.example.com";
const OWN = ["localhost", "localhost.", "api.localhost", "127.0.0.1.nip.io"];
const SPELLINGS = ["2130706433", "0x7f.1", "127。0。0。1", "[::ffff:127.0.0.1]", "[::1]", "0"];
const HOSTS = [...NAMES.map((_, n) => `name${n}.example.com`), STUCK, ...OWN, ...SPELLINGS];

let connections = 0;
const upstream = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json", connection: "close" }).end('{"things":[]}');
}).on("connection", () => {
  connections += 1;
});
let folder: string;
let running: Running;
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  const { files, env } = thingsFiles({
    upstreams: Object.fromEntries(HOSTS.map((host, n) => [`s${n}`, `http://${host}:${port}`])),
    keys: HOSTS.map((_, n) => `s${n}-ann`),
    api: ", timeout: 1s, retries: 0",
    closed: HOSTS.map((_, n) => `s${n}`).slice(NAMES.length),
  });
  const answers = {
    ...Object.fromEntries(NAMES.map(([, answers], n) => [HOSTS[n], answers])),
    [STUCK]: [null],
    ...Object.fromEntries(OWN.map((name) => [name, [["127.0.0.1"], ["::1"]]])),
  };
  folder = folderOf({ ...files, "answers.json": JSON.stringify(answers) });
  const told = { ...env, TEST_ANSWERS: join(folder, "answers.json") };
  running = start(["host", join(folder, "host.yaml")], told, ["--import", RESOLVER]);
  url = `http://127.0.0.1:${JSON.parse(await running.said("err", '"listening"')).port}`;
});
beforeEach(() => {
  connections = 0;
});
afterAll(() => {
  running.child.kill("SIGKILL");
  upstream.close();
  rmSync(folder, { recursive: true });
});

const errorAt = async (host: string): Promise<string | undefined> =>
  (await callThings({ url }, `s${HOSTS.indexOf(host)}-ann`, "list_things")).reply.error;

describe("what a name leads to now is what counts", () => {
  test.each(NAMES.map((row, n) => [...row, HOSTS[n] ?? ""] as const))("%s", async (_title, _answers, errors, host) => {
    const got: unknown[] = [];
    for (const _error of errors) got.push(await errorAt(host));
    expect(got).toEqual(errors);
    expect(connections).toBe(errors.filter((error) => error === undefined).length);
  });

  test("a name whose servers do not answer is looked up once for all that wait for it", async () => {
    const errors = await Promise.all(Array.from({ length: 8 }, () => errorAt(STUCK)));
    expect(errors).toEqual(Array(8).fill("upstream_timeout"));
    expect(running.err.filter((line) => line === `looked up ${STUCK}`)).toHaveLength(1);
  });

  test.each(OWN)("%s that leads to this machine, where that is not allowed", async (host) => {
    expect([await errorAt(host), await errorAt(host), connections]).toEqual([BLOCKED, BLOCKED, 0]);
  });

  test.each(SPELLINGS)("http://%s, which asks no resolver", async (host) => {
    expect([await errorAt(host), connections]).toEqual([BLOCKED, 0]);
  });
});
