import { existsSync } from "node:fs";
import { join } from "node:path";
import { installOnce } from "./install-once.ts";
import { havePeers } from "./peers.ts";

const FOLDER = join(import.meta.dirname, "..", "conformance");
const PACKAGE = join(FOLDER, "node_modules", "@modelcontextprotocol", "conformance");

/** The official conformance suite of MCP: its program, which needs `node24`, and the folder of what each revision requires. */
export const conformanceProgram = join(PACKAGE, "dist", "index.js");
export const conformanceRequirements = join(PACKAGE, "requirements");
export const haveConformance = (): boolean => havePeers() && existsSync(conformanceProgram);

/** vitest globalSetup. */
export default function installConformance(): void {
  installOnce(FOLDER, "the conformance suite", conformanceProgram, ["--ignore-scripts"]);
}
