import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../mcp/peers.ts";
import { type Machine, openMachine } from "../open-machine.ts";
import { callTool, listTools, startWorkers, type Workers } from "./start-workers.ts";

// A machine is on or off, and with it tools come and go, at whichever process it was switched.

let machine: Machine;
let workers: Workers;
let url: string;

beforeAll(async () => {
  machine = await openMachine();
  const env = { SHIFT_URL: machine.url };
  const curation = "test/fixtures/stories/shift.curation.yaml";
  workers = startWorkers(["serve", curation, "--http", "127.0.0.1:0", "--workers", "2"], env);
  url = (await workers.running.said("err", "Serving")).replace(/^.* at /, "");
}, 60_000);
afterAll(() => {
  workers?.close();
  machine?.close();
});

test("who listens at one hears of what was switched at the other, and both show the tools that there are then", async () => {
  const [one, other] = workers.pids() as [number, number];
  const before = await listTools(url);
  expect(before).toContain("begin_shift");
  workers.only(one);
  const client = await connect("v2 SDK, 2026-07-28", { url });
  await client.listTools();
  const heard = new Promise<void>((resolve) => {
    client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
  });
  const listening = await client.listen({ toolsListChanged: true });
  workers.only(other);
  expect(await callTool(url, "begin_shift")).toMatchObject({ running: true });
  expect(await listTools(url)).not.toContain("begin_shift");
  workers.all();
  await heard;
  workers.only(one);
  expect(await listTools(url)).not.toContain("begin_shift");
  workers.all();
  await listening.close();
  await client.close();
});
