import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningLedger, startLedger } from "../../src/demo/start-ledger.ts";
import { connect, PEERS, type Target } from "../mcp/peers.ts";
import { aiSdkClient, havePeers, node24 } from "../setup/peers.ts";
import { cleanEnv, program, repository } from "../setup/program.ts";

const TOOLS = ["ledger_get_dimension_values", "ledger_list_dimensions", "ledger_list_tenants", "ledger_run_cost_query"];
const targets = new Map<string, Target>();
let ledger: RunningLedger;
let http: ReturnType<typeof spawn>;

beforeAll(async () => {
  ledger = await startLedger({ key: "canary-ledger-key", now: new Date("2026-11-29T12:00:00Z") });
  const env = cleanEnv({ LEDGER_URL: ledger.url, LEDGER_KEY: "canary-ledger-key" });
  http = spawn(process.execPath, [program, "serve", "curation/ledger.yaml", "--http", "127.0.0.1:0"], {
    env,
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [line] = await once(http.stderr!, "data");
  const url = /http:\/\/\S+/.exec(String(line))?.[0];
  targets.set("HTTP", { url: url! });
  targets.set("stdio", {
    command: process.execPath,
    args: [program, "serve", `${repository}/curation/ledger.yaml`],
    env,
  });
});

afterAll(async () => {
  http?.kill();
  await ledger?.close();
});

const input = { tenantID: "acme", start: "2026-10-01", end: "2026-10-31", dimensions: ["FOCUS/ProviderName"] };

describe.each(["HTTP", "stdio"])("the demo's tools over %s", (transport) => {
  test.each(PEERS)("%s lists and calls them", async (peer) => {
    const client = await connect(peer, targets.get(transport)!);
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toStrictEqual(TOOLS);
      const { structuredContent, content, isError } = await client.callTool({
        name: "ledger_run_cost_query",
        arguments: input,
      });
      expect(isError ?? false).toBe(false);
      expect(structuredContent).toMatchObject({ rowCount: expect.any(Number), hasMore: false });
      const [block] = content as { type: string; text: string }[];
      expect(JSON.parse(block!.text)).toStrictEqual(structuredContent);
    } finally {
      await client.close();
    }
  });

  test.runIf(havePeers())("the AI SDK's own client lists and calls them", async () => {
    const request = JSON.stringify({ ...targets.get(transport), tool: "ledger_run_cost_query", input });
    const { stdout, stderr } = await promisify(execFile)(node24, [aiSdkClient, request]);
    expect(stderr).toBe("");
    const { tools, result } = JSON.parse(stdout);
    expect(tools.map(({ name }: { name: string }) => name)).toStrictEqual(TOOLS);
    expect(result.structuredContent).toMatchObject({ hasMore: false, data: expect.any(Array) });
  });
});
