import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { conformanceProgram, conformanceRequirements, haveConformance } from "../setup/conformance.ts";
import { node24 } from "../setup/peers.ts";

export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof REVISIONS)[number];

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** What the suite found, by scenario. */
export type Found = ReadonlyMap<string, readonly Check[]>;

/** Every scenario for servers that the suite runs at a revision, whether or not it scores it; none where the suite is not installed. */
export function scenariosOf(revision: Revision): readonly string[] {
  if (!haveConformance()) return [];
  const { server, not_scored }: { server: string[]; not_scored: { scenario: string; leg: string }[] } = parse(
    readFileSync(join(conformanceRequirements, `${revision}.yaml`), "utf8"),
  );
  return [...server, ...not_scored.filter(({ leg }) => leg === "server").map(({ scenario }) => scenario)];
}

/** The names of all scenarios for servers that the suite knows, of every revision and extension. */
export async function listScenarios(): Promise<readonly string[]> {
  const said = await promisify(execFile)(node24, [conformanceProgram, "list", "--server"]);
  return [...said.stdout.matchAll(/^ +- (\S+) \[/gm)].map(([, name = ""]) => name);
}

/** The scenario that waits by the clock, 1.5 seconds, for a change of the tools: on a busy machine it is asked again. */
const HASTY = { scenario: "server-stateless", check: "sep-2575-server-sends-tools-list-changed-on-subscription" };

/** Runs all scenarios of a revision against a server. */
export async function runSuite(url: string, revision: Revision): Promise<Found> {
  const found = new Map(await run(url, ["--requirements", revision]));
  for (let again = 0; again < 2 && isLate(found); again += 1)
    for (const [scenario, checks] of await runScenario(url, HASTY.scenario, revision)) found.set(scenario, checks);
  return found;
}

export function runScenario(url: string, scenario: string, revision: Revision): Promise<Found> {
  return run(url, ["--scenario", scenario, "--spec-version", revision]);
}

function isLate(found: Found): boolean {
  return found.get(HASTY.scenario)?.some(({ id, status }) => id === HASTY.check && status === "WARNING") ?? false;
}

async function run(url: string, choice: readonly string[]): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-conformance-"));
  try {
    const args = [conformanceProgram, "server", "--url", url, ...choice, "--output-dir", folder];
    // It ends with 1 where a check failed; what it found is in the files.
    const said = await new Promise<string>((resolve) =>
      execFile(node24, args, { maxBuffer: 100_000_000, timeout: 100_000 }, (_, out, err) => resolve(err || out)),
    );
    const found = readdirSync(folder).map((name) => readScenario(folder, name));
    if (found.length === 0) throw new Error(`The suite ran nothing: ${said.slice(-2000)}`);
    return new Map(found);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readScenario(folder: string, name: string): readonly [scenario: string, checks: readonly Check[]] {
  const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
  if (scenario === undefined) throw new Error(`no result of a scenario: ${name}`);
  return [scenario, JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"))];
}
