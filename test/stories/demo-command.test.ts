import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { connect } from "../mcp/peers.ts";
import { cleanEnv, program, repository, vitrine } from "../setup/program.ts";

test("`vitrine demo` prints a URL, configurations to paste, a first question and a first call, answers there, and ends cleanly", async () => {
  const child = spawn(process.execPath, [program, "demo", "--http", "127.0.0.1:0"], {
    cwd: repository,
    env: cleanEnv(),
  });
  let printed = "";
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(printed)?.[0];
      if (url !== undefined && printed.includes("?")) resolve(url);
    });
    child.on("close", (code) => reject(new Error(`ended with ${code}: ${printed}`)));
  });
  const url = await ready;
  const configurations = printed.match(/^\{[\s\S]*?^\}/gm) ?? [];
  expect(configurations.length).toBeGreaterThan(0);
  for (const text of configurations) expect(JSON.parse(text)).toHaveProperty("mcpServers");
  const client = await connect("v1 SDK", { url });
  const { structuredContent } = await client.callTool({ name: "ledger_list_tenants", arguments: {} });
  expect(structuredContent).toMatchObject({ rowCount: expect.any(Number), hasMore: false });
  await client.close();
  const env = Object.fromEntries([...printed.matchAll(/(LEDGER_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
  const [, args = ""] = /^node dist\/vitrine\.js (call .*)$/m.exec(printed) ?? [];
  const { code, stdout } = await vitrine(args.split(" "), { env });
  expect([code, JSON.parse(stdout)]).toEqual([0, structuredContent]);
  const ended = new Promise((resolve) => {
    child.removeAllListeners("close");
    child.on("close", resolve);
  });
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});
