import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fixture } from "../cli/fake-shell.ts";
import { INITIALIZE, start } from "../cli/running.ts";
import { openShop, type Shop } from "../cli/shop.ts";
import { cleanEnv, program, repository, vitrine } from "../setup/program.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

test("a client that closes the log keeps its server", async () => {
  const server = start(["serve", fixture("shop.yaml")], { ...shop.env, SHOP_URL: "http://127.0.0.1:1/v1" });
  await server.ask(1, "initialize", INITIALIZE);
  server.child.stderr.destroy();
  for (const id of [2, 3, 4]) {
    // Every failure of this kind is told to the operator, who is gone.
    server.child.stdin.write("no JSON\n");
    server.send({ id, result: {} });
    await server.ask(10 + id, "tools/call", { name: "shop_list_items", arguments: {} });
  }
  server.child.stdin.end();
  expect(await server.ended()).toBe(0);
});

describe.runIf(existsSync("/dev/full") && existsSync("/proc/self"))("on a system with devices", () => {
  test("a result that cannot be written ends with 2, not as if it had been", async () => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [program, "tools", fixture("shop.yaml"), "--json"], {
      cwd: repository,
      env: cleanEnv(),
      stdio: ["ignore", full, "pipe"],
    });
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    expect(await once(child, "close")).toEqual([2, null]);
    expect(said).toMatch(/^vitrine: .*ENOSPC.*\n$/);
    closeSync(full);
  });

  test.each([
    ["check", "/dev/zero"],
    ["tools", "/dev/urandom"],
  ])("%s %s ends although the file does not", async (command, file) => {
    const ran = await vitrine([command, file]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toMatch(/^vitrine: \/dev\/\w+: .*\n$/);
  });

  test.each(["/proc", "/dev/null", "/dev/full", "relative"])(
    "a cache at %s is no cache, and nothing is said",
    async (path) => {
      const ran = await vitrine(["tools", fixture("shop.yaml")], { env: { XDG_CACHE_HOME: path } });
      expect([ran.code, ran.stderr]).toEqual([0, ""]);
    },
  );
});

test.runIf(process.platform !== "win32")("a command that is stuck in a file is ended by a signal", async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), "vitrine-pipe-")), "pipe");
  execFileSync("mkfifo", [pipe]);
  const child = spawn(process.execPath, [program, "check", pipe], { cwd: repository, env: cleanEnv() });
  // Opens when the other side does, and then nothing comes.
  const writer = await open(pipe, "w");
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
  await writer.close();
});
