import { expect, test } from "vitest";
import { openHostRunner } from "../../src/cli/host/open-host-runner.ts";
import { sampleToolset } from "../fixtures/mcp/sample-server.ts";
import { serverEntry } from "../host/hosted.ts";

test("a server of a host is given the variables that it was granted, and no others", async () => {
  const env = { SHOP_URL: "https://shop.example", SHOP_KEY: "its own", OTHER_KEY: "of another server" };
  const running = { env, secrets: [], report: () => {} };
  const entry = serverEntry("one", { env: ["SHOP_URL", "SHOP_KEY"] });
  const runner = openHostRunner(entry, sampleToolset, {}, running);
  expect(runner.env).toStrictEqual({ SHOP_URL: "https://shop.example", SHOP_KEY: "its own" });
  await runner.close();
});
