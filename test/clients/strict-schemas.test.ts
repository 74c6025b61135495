import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Target } from "../mcp/peers.ts";
import { havePeers } from "../setup/peers.ts";
import { cleanEnv, program, repository } from "../setup/program.ts";
import { inspect } from "./inspector.ts";

// What the official Inspector holds of the schemas of every shipped curation, when it is asked to be strict.

const FOLDER = join(repository, "curation");
/** The spec of GitHub's is not shipped; it is read from the network. */
const CURATIONS = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml") && name !== "github.yaml");

/** What `tools/list --strict` prints. */
interface Listed {
  readonly result: { readonly tools: readonly object[] };
  readonly schemaFindings: readonly {
    readonly findings: readonly { readonly schema: string; readonly rule: string }[];
  }[];
}

let claims: string;
beforeAll(() => {
  claims = mkdtempSync(join(tmpdir(), "vitrine-strict-"));
  writeFileSync(join(claims, "as.yaml"), "claims: { projectId: p-1 }");
});
afterAll(() => rmSync(claims, { recursive: true }));

/** Serves it without its upstream: nothing is called. */
function serve(name: string): Target {
  const file = join(FOLDER, name);
  const names = [...readFileSync(file, "utf8").matchAll(/\$\{env\.(\w+)\}/g)].map(([, variable = ""]) => variable);
  const env = cleanEnv(Object.fromEntries(names.map((variable) => [variable, "http://127.0.0.1:1"])));
  return { command: process.execPath, args: [program, "serve", file, "--as", join(claims, "as.yaml")], env };
}

describe.runIf(havePeers())("the Inspector's strict look", { timeout: 90_000 }, () => {
  test.each(CURATIONS)("at %s finds no error, and no input that is anything but portable", async (name) => {
    const { code, out, err } = await inspect("modern", serve(name), "--method", "tools/list", "--strict");
    expect(code, err).toBe(0);
    const { result, schemaFindings }: Listed = JSON.parse(out);
    expect(result.tools.length).toBeGreaterThan(2);
    const findings = schemaFindings.flatMap((one) => one.findings.map(({ schema, rule }) => `${schema} ${rule}`));
    // A cell of a reply that may be null declares no type, since one type is all that the portable subset has (contract, section 2).
    expect(new Set(findings)).toStrictEqual(new Set(["outputSchema untyped-schema"]));
  });
});
