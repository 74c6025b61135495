import { existsSync } from "node:fs";
import { join } from "node:path";
import { installOnce } from "./install-once.ts";

/** Where clients of others are installed, and the scripts that use them as libraries. */
export const peersFolder = join(import.meta.dirname, "..", "peers");

/** Node 24 from npm, for clients that do not run on our floor. */
export const node24 = join(peersFolder, "node_modules", ".bin", "node");
export const havePeers = (): boolean => existsSync(node24);

/** vitest globalSetup. */
export default function installPeers(): void {
  installOnce(peersFolder, "MCP clients of others", node24);
}
