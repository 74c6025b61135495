import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLedger } from "../../src/demo/start-ledger.ts";
import { start } from "../cli/running.ts";
import type { Target } from "../mcp/peers.ts";
import { cleanEnv, program, vitrine } from "../setup/program.ts";
import { startShop } from "./shop.ts";
import { type KeyName, LEDGER, writeHostFile } from "./write-host-file.ts";

export interface Served {
  /** The shipped curation of the ledger, for whoever comes. */
  readonly open: Readonly<Record<"stdio" | "HTTP", Target>>;
  /** The host: its server of that name, by a key that is good for one of them, or by none. */
  hosted(server: "ledger" | "shop", key?: KeyName): Target;
  /** What the shop was sent. */
  readonly orders: unknown[];
  /** What `vitrine call` prints, in which no MCP has a part. */
  call(tool: string, input: object): Promise<object>;
  stop(): Promise<void>;
}

/** Starts the ledger of the demo and a shop, and serves them in every way that there is. */
export async function startServed(): Promise<Served> {
  const ledger = await startLedger({ key: "canary-ledger-key", now: new Date("2026-11-29T12:00:00Z") });
  const shop = await startShop();
  const folder = mkdtempSync(join(tmpdir(), "vitrine-clients-"));
  const env = { LEDGER_URL: ledger.url, LEDGER_KEY: "canary-ledger-key", SHOP_URL: shop.url };
  const keys = await writeHostFile(folder);
  const http = start(["serve", LEDGER, "--http", "127.0.0.1:0"], env);
  const host = start(["host", join(folder, "host.yaml")], env);
  const url = /http:\S+/.exec(await http.said("err", "Serving"))![0];
  const { port } = JSON.parse(await host.said("err", '"listening"'));
  return {
    open: {
      HTTP: { url },
      stdio: { command: process.execPath, args: [program, "serve", LEDGER], env: cleanEnv(env) },
    },
    hosted: (server, key) => ({
      url: `http://127.0.0.1:${port}/mcp/${server}`,
      ...(key && { headers: { Authorization: `Bearer ${keys[key]}` } }),
    }),
    orders: shop.orders,
    call: async (tool, input) =>
      JSON.parse((await vitrine(["call", LEDGER, tool, JSON.stringify(input)], { env })).stdout),
    stop: async () => {
      http.child.kill("SIGKILL");
      host.child.kill("SIGKILL");
      shop.close();
      await ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
}
