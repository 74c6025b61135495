import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../mcp/peers.ts";
import { cleanEnv } from "../setup/program.ts";
import { type Running, start } from "./running.ts";

interface ClientConfiguration {
  readonly mcpServers: {
    readonly ledger: { url: string; command: string; args: string[]; env: Record<string, string> };
  };
}

let demo: Running;
let text: string;
beforeAll(async () => {
  demo = start(["demo", "--http", "127.0.0.1:0"]);
  await demo.said("out", "Ctrl-C ends the demo.");
  text = demo.out.join("\n");
});
afterAll(() => demo.child.kill("SIGKILL"));

const configurations = (): ClientConfiguration[] =>
  [...text.matchAll(/^\{\n[\s\S]*?^\}/gm)].map(([json]) => JSON.parse(json));

test("prints a URL, two configurations to paste, and a question", () => {
  const [http, stdio] = configurations();
  expect(text).toContain(`served at ${http?.mcpServers.ledger.url}\n`);
  expect(stdio?.mcpServers.ledger.args).toEqual([
    expect.stringMatching(/vitrine\.js$/),
    "serve",
    expect.stringMatching(/ledger\.yaml$/),
  ]);
  expect(text).toMatch(/Then ask: .+\?/);
  expect(text).toContain(`try it yourself: ${new URL("/", http?.mcpServers.ledger.url)}\n`);
});

test("both configurations work as they are pasted, and show the same tools", async () => {
  const lists = [];
  for (const { mcpServers } of configurations()) {
    const { url, command, args, env } = mcpServers.ledger;
    const client = await connect(
      "v2 SDK, 2026-07-28",
      url === undefined ? { command, args, env: cleanEnv(env) } : { url },
    );
    const { tools } = await client.listTools();
    const { isError } = await client.callTool({ name: "ledger_list_tenants", arguments: {} });
    expect(isError ?? false).toBe(false);
    await client.close();
    lists.push(tools);
  }
  expect(lists).toHaveLength(2);
  expect(lists[0]).toStrictEqual(lists[1]);
});

test("Ctrl-C ends it with 0", async () => {
  demo.child.kill("SIGINT");
  expect(await demo.ended()).toBe(0);
});
