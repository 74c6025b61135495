import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository, vitrine } from "../setup/program.ts";
import { SHOP, SHOP_API } from "./shop.ts";

export const LEDGER = join(repository, "curation", "ledger.yaml");

const KEYS = [
  { name: "acme", server: "ledger", more: ["--claims", '{"tenantID":"acme"}'] },
  { name: "globex", server: "ledger", more: ["--claims", '{"tenantID":"globex"}'] },
  { name: "buyer", server: "shop", more: ["--claims", "{}", "--writes"] },
] as const;
export type KeyName = (typeof KEYS)[number]["name"];

/** Writes a host file with the ledger and the shop, and all that it names; gives its keys. */
export async function writeHostFile(folder: string): Promise<Readonly<Record<KeyName, string>>> {
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  copyFileSync(join(repository, "specs", "ledger.yaml"), join(folder, "ledger-api.yaml"));
  write("ledger.yaml", ledgerOfOneTenant());
  write("shop.json", SHOP_API);
  write("shop.yaml", SHOP);
  const made = await Promise.all(
    KEYS.map(async ({ name, server, more }) => {
      const { stdout } = await vitrine(["key", "new", server, ...more, "--json"]);
      const { key, entry }: { key: string; entry: object } = JSON.parse(stdout);
      return { name, key, entry };
    }),
  );
  const common = { root: ".", allowPrivate: ["127.0.0.0/8"] };
  write("host.yaml", {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    servers: {
      ledger: { ...common, curation: "./ledger.yaml", env: ["LEDGER_URL", "LEDGER_KEY"] },
      shop: { ...common, curation: "./shop.yaml", env: ["SHOP_URL"] },
    },
    keys: Object.fromEntries(made.map(({ name, entry }) => [name, entry])),
  });
  return Object.fromEntries(made.map(({ name, key }) => [name, key])) as Record<KeyName, string>;
}

/** The shipped curation of the ledger, but the tenant is a pin of the key's in place of an input. */
function ledgerOfOneTenant(): object {
  const curation = parse(readFileSync(LEDGER, "utf8"));
  curation.api.spec = "./ledger-api.yaml";
  curation.pins = { tenantID: "${key.tenantID}" };
  const { list_tenants, ...tools } = curation.tools;
  for (const tool of Object.values<Record<string, object>>(tools)) {
    delete (tool["input"] as { tenantID?: object }).tenantID;
    delete tool["examples"];
    tool["errors"] = (tool["errors"] as { status: number }[]).filter(({ status }) => status !== 404);
  }
  const { input, filter } = tools.run_cost_query;
  delete input.dimensions.valuesFrom.args;
  delete filter.fields.from.args;
  return { ...curation, tools };
}
