// Other servers that make tools of an OpenAPI document, from npm, in a cache of their own.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { here } from "../measure.mjs";

/** Those behind the first four are what a server that openapi-mcp-generator writes depends on. */
const VERSIONS = {
  "@ivotoby/openapi-mcp-server": "1.16.1",
  "openapi-mcp-generator": "4.0.1",
  fastmcp: "4.20.16",
  "@twilio-alpha/openapi-mcp-server": "0.7.0",
  "@modelcontextprotocol/sdk": "1.32.2",
  axios: "1.21.1",
  dotenv: "16.6.1",
  zod: "3.25.76",
  "json-schema-to-zod": "2.8.1",
  hono: "4.13.19",
  "@hono/node-server": "1.19.19",
  uuid: "11.1.1",
  "fetch-to-node": "2.1.0",
};

/** The folder in which they are installed. */
export function installPeers() {
  const folder = here("../node_modules/.cache/vitrine-bench/peers");
  const manifest = join(folder, "package.json");
  const wanted = JSON.stringify({ private: true, type: "module", dependencies: VERSIONS });
  mkdirSync(folder, { recursive: true });
  copyFileSync(here("peers/serve-fastmcp.mjs"), join(folder, "serve-fastmcp.mjs"));
  if (existsSync(manifest) && readFileSync(manifest, "utf8") === wanted) return folder;
  writeFileSync(manifest, wanted);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"], {
    cwd: folder,
    stdio: "inherit",
  });
  return folder;
}

export const peerName = (name) => `${name} ${VERSIONS[name]}`;
