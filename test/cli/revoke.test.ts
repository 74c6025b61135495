import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hashId, makeKey } from "../../src/host/callers/make-key.ts";
import { openDoor } from "../../src/host/callers/open-door.ts";
import type { HostFile } from "../../src/host/hosting.ts";
import { type HostState, openState } from "../../src/host/shared/open-state.ts";
import { hostFile, keyEntry, serverEntry } from "../host/hosted.ts";
import { haveRedis, type RedisServer, startRedis } from "../setup/redis.ts";
import { run } from "./fake-shell.ts";

const PUBLIC_URL = "https://tools.example.com";
const SUBJECT = `sub:${"a".repeat(22)}`;
const made = new Map(["ann", "bob", "eve", "gone"].map((name) => [name, makeKey()]));
const keyOf = (name: string): string => made.get(name)!.key;

let folder: string;
let redis: RedisServer;
const states: HostState[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vitrine-revoke-"));
  if (!haveRedis) return;
  redis = await startRedis();
  for (let at = 0; at < 3; at += 1)
    states.push(await openState({ publicUrl: PUBLIC_URL, shared: redis.url, tell: () => undefined }));
  await vi.waitFor(() => expect(states.every((state) => state.isReady())).toBe(true), { timeout: 5_000 });
});
afterAll(async () => {
  await Promise.all(states.map((state) => state.close()));
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

/** A host file whose credentials are read from an environment that is not at hand. */
function writeHost(shared: string | undefined): string {
  const entry = (name: string, more = "") =>
    `  ${name}: { hash: "sha256:${made.get(name)?.sha256}", server: shop${more}, credentials: { key: { apiKey: "\${env.NOT_HERE}" } } }`;
  const lines = [
    "listen: 127.0.0.1:3000",
    `publicUrl: ${PUBLIC_URL}/`,
    "servers: { shop: { curation: ./shop.yaml } }",
    ...(shared === undefined ? [] : [`shared: "${shared}"`]),
    "keys:",
    entry("ann"),
    entry("bob"),
    entry("eve", ", expires: 2099-06-30"),
  ];
  const file = join(folder, "host.yaml");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Whether each replica lets in who shows the key; under which name the file then has it makes no difference. */
async function seenBy(name: string, called = name): Promise<boolean[]> {
  const entry = keyEntry(called, { sha256: made.get(name)!.sha256, server: "shop" });
  const file: HostFile = hostFile([entry], [serverEntry("shop")]);
  return Promise.all(
    states.map(async (state) => {
      const door = openDoor({
        file: () => file,
        lacking: () => undefined,
        checkRevoked: state.revocations.check,
      });
      const asked = { server: "shop", authorization: `Bearer ${keyOf(name)}`, now: new Date() };
      const answer = await door.verify(asked);
      await door.close();
      return answer.kind === "caller";
    }),
  );
}

/** A way to Redis whose first connection is late by so many milliseconds. */
async function delayFirst(port: number, ms: number) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const isFirst = sockets.length === 0;
    sockets.push(socket.on("error", () => socket.destroy()));
    const forward = () => {
      const there = connect(port, "127.0.0.1").on("error", () => socket.destroy());
      sockets.push(there);
      socket.pipe(there).pipe(socket);
    };
    if (isFirst) setTimeout(forward, ms);
    else forward();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const NOBODY = [false, false, false];
const ALL = [true, true, true];

describe.skipIf(!haveRedis)("vitrine key revoke", () => {
  test("has a key refused by every replica within two seconds, whatever it is called, and says what else to do", async () => {
    const file = writeHost("${env.REDIS}");
    expect(await seenBy("ann")).toStrictEqual(ALL);
    const { code, out, err } = await run(["key", "revoke", file, "ann"], { env: { REDIS: redis.url } });
    expect([code, out]).toStrictEqual([
      0,
      "Revoked for good: the key `ann`. Every replica refuses it within two seconds.\n",
    ]);
    expect(err).toMatch(/Take `ann` out of `keys`/);
    await vi.waitFor(async () => expect(await seenBy("ann")).toStrictEqual(NOBODY), { timeout: 2_000, interval: 5 });
    expect(await seenBy("ann", "renamed")).toStrictEqual(NOBODY);
    expect(await seenBy("bob")).toStrictEqual(ALL);
    // A new key may have the name.
    expect(await seenBy("bob", "ann")).toStrictEqual(ALL);
  });

  test("takes the key itself from stdin, and shows nothing of it", async () => {
    const file = writeHost(redis.url);
    const { code, out, err } = await run(["key", "revoke", file, "-"], { stdin: `${keyOf("eve")}\n` });
    expect([code, out]).toStrictEqual([
      0,
      "Revoked until 2099-07-01T00:00:00.000Z: the key `eve`. Every replica refuses it within two seconds.\n",
    ]);
    expect(`${out}${err}`).not.toContain(keyOf("eve").slice(15));
    await vi.waitFor(async () => expect(await seenBy("eve")).toStrictEqual(NOBODY), { timeout: 2_000, interval: 5 });
    const { out: gone } = await run(["key", "revoke", file, keyOf("gone")]);
    expect(gone).toContain("a key that the file does not hold");
    await vi.waitFor(async () => expect(await seenBy("gone")).toStrictEqual(NOBODY), { timeout: 2_000, interval: 5 });
  });

  test.each([SUBJECT, "jti:8f3a/1"])("has tokens refused by the name %s", async (id) => {
    const file = writeHost(redis.url);
    const { code, out } = await run(["key", "revoke", file, id, "--until", "2099-01-01", "--json"]);
    expect([code, JSON.parse(out)]).toStrictEqual([0, { kind: "token", id, until: "2099-01-02T00:00:00.000Z" }]);
    await vi.waitFor(
      () =>
        expect(states.map(({ revocations }) => revocations.check({ kind: "token", id }))).toStrictEqual(
          Array(3).fill("revoked"),
        ),
      { timeout: 2_000, interval: 5 },
    );
  });

  test("waits for the connection that takes commands, whichever is there first", async () => {
    const slow = await delayFirst(Number(new URL(redis.url).port), 300);
    const { code, err } = await run(["key", "revoke", writeHost(slow.url), "jti:slow-1", "--until", "2099-01-01"]);
    await slow.close();
    expect([code, err]).toStrictEqual([0, expect.not.stringContaining("cannot be told")]);
  });

  test("a key is known to replicas by its hash alone", async () => {
    expect(await run(["key", "revoke", writeHost(redis.url), "bob"])).toMatchObject({ code: 0 });
    const held = redis.ask("ZRANGE", `vitrine:${PUBLIC_URL}:revoked`, "0", "-1");
    expect(held.split("\n")).toContain(`key:${hashId(made.get("bob")!.sha256)}`);
    expect(held).not.toContain("vtr_");
  });
});

test.skipIf(!haveRedis)("vitrine key revoke says where nobody is there to hear of it", async () => {
  const file = writeHost(redis.url);
  writeFileSync(file, readFileSync(file, "utf8").replace(PUBLIC_URL, "https://elsewhere.example.com"));
  const { code, err } = await run(["key", "revoke", file, "ann"]);
  expect(code).toBe(0);
  expect(err).toMatch(/nobody serves https:\/\/elsewhere\.example\.com over this store now/);
  expect((await run(["key", "revoke", writeHost(redis.url), "bob"])).err).not.toMatch(/nobody serves/);
});

describe("vitrine key revoke says that nobody was revoked", () => {
  const cases: [title: string, shared: string | undefined, who: string, code: number, says: RegExp][] = [
    ["where nothing is shared", undefined, "ann", 2, /no `shared`.*Nobody was revoked.*Take `ann` out of `keys`/],
    ["where the store does not answer", "redis://127.0.0.1:1", "ann", 2, /cannot be told: ECONNREFUSED.*Take `ann`/],
    ["where the store's address is not set", "${env.NOT_SET}", "ann", 1, /unset_variable/],
    ["where the store's address is none", "memcached://h", "ann", 1, /bad_value.*`shared`/],
    ["where there is no such key", "redis://127.0.0.1:1", "anna", 2, /no key "anna". Did you mean ann\?/],
    ["of a part of a key", "redis://127.0.0.1:1", "vtr_kabc", 2, /not a whole key/],
    ["of no token's name", "redis://127.0.0.1:1", "sub:me", 2, /sub:…/],
  ];
  test.each(cases)("%s", async (_, shared, who, code, says) => {
    const ran = await run(["key", "revoke", writeHost(shared), who]);
    expect([ran.code, ran.out]).toStrictEqual([code, ""]);
    expect(ran.err.replaceAll("\n", " ")).toMatch(says);
  });

  test("where the file's own URL is none", async () => {
    const file = writeHost("redis://127.0.0.1:1");
    writeFileSync(file, readFileSync(file, "utf8").replace(`${PUBLIC_URL}/`, `${PUBLIC_URL}/tools`));
    const { code, out, err } = await run(["key", "revoke", file, "ann"]);
    expect([code, out]).toStrictEqual([1, ""]);
    expect(err).toMatch(/host\.yaml:2:12 .*publicUrl/);
  });
});
