import { existsSync } from "node:fs";
import { join } from "node:path";
import { installOnce } from "./install-once.ts";

const FOLDER = join(import.meta.dirname, "..", "peers");

/** Node 24 from npm, for clients that do not run on our floor. */
export const node24 = join(FOLDER, "node_modules", ".bin", "node");
export const aiSdkClient = join(FOLDER, "ai-sdk-client.mjs");
export const havePeers = (): boolean => existsSync(node24);

/** vitest globalSetup. */
export default function installPeers(): void {
  installOnce(FOLDER, "MCP clients of others", node24);
}
