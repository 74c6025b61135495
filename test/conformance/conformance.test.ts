import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { haveConformance } from "../setup/conformance.ts";
import {
  type Found,
  listScenarios,
  REVISIONS,
  type Revision,
  runScenario,
  runSuite,
  scenariosOf,
} from "./run-suite.ts";
import { standBetween } from "./stand-between.ts";
import { PROGRAMS, type Program, type Served, startServed } from "./start-served.ts";

// The official conformance suite asks our own programs, over tools that a curation makes of a small upstream.

/** Why a scenario, or `SCENARIO:CHECK`, fails. */
type Reasons = Readonly<Record<string, string>>;
const expected: Readonly<Record<Revision, Reasons>> = parse(
  readFileSync(join(import.meta.dirname, "expected-failures.yaml"), "utf8"),
);

/** What the suite calls a failure: also a warning, which is of a SHOULD. */
function failuresIn(found: Found, scenario: string): string[] {
  const failed = found.get(scenario)?.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  if (failed === undefined) throw new Error(`${scenario} was not run`);
  return [...new Set(failed.map(({ id }) => id))].toSorted();
}

function expectedIn(revision: Revision, scenario: string): { all: boolean; checks: string[] } {
  const names = Object.keys(expected[revision]);
  const checks = names.flatMap((name) => (name.startsWith(`${scenario}:`) ? name.slice(scenario.length + 1) : []));
  return { all: names.includes(scenario), checks: checks.toSorted() };
}

const programs = Object.keys(PROGRAMS) as Program[];

describe.runIf(haveConformance()).each(programs)("%s", (program) => {
  let served: Served;
  beforeAll(async () => {
    served = await startServed(program);
  });
  afterAll(() => served?.stop());

  describe.each(REVISIONS)("MCP %s", (revision) => {
    let found: Found;
    beforeAll(async () => {
      found = await runSuite(served.url, revision);
    });

    test.each(scenariosOf(revision))("%s", (scenario) => {
      const failures = failuresIn(found, scenario);
      const { all, checks } = expectedIn(revision, scenario);
      if (!all) return expect(failures).toStrictEqual(checks);
      expect(failures, "it passes now: take it out of expected-failures.yaml").not.toStrictEqual([]);
      expect(failures, "every message is one of the protocol, also where a scenario fails").not.toContain(
        "wire-schema-valid",
      );
    });
  });

  test("a state that was tampered with is refused, of a tool with a name that a tool may have", async () => {
    const scenario = "input-required-result-tampered-state";
    const names = ["test_input_required_result_tampered_state", "test_input_required_result_request_state"] as const;
    const between = await standBetween(served.url, { rename: names });
    try {
      const found = await runScenario(between.url, scenario, "2026-07-28");
      expect(failuresIn(found, scenario)).toStrictEqual([]);
      expect(found.get(scenario)?.map(({ id }) => id)).toContain("sep-2322-reject-tampered-state");
    } finally {
      between.stop();
    }
  });
});

/** No revision runs them: they are of an extension, skills as resources, that vitrine does not offer. */
const SKILLS = ["directory", "enumeration", "manifest"].map((part) => `sep-2640-skills-${part}`);

test.runIf(haveConformance())(
  "every scenario for servers that the suite has is run, but for the extension of skills",
  async () => {
    const run = new Set(REVISIONS.flatMap(scenariosOf));
    const others = (await listScenarios()).filter((scenario) => !run.has(scenario));
    expect(others).toStrictEqual(SKILLS);
  },
);

describe.runIf(haveConformance())("the expected failures", () => {
  test.each(REVISIONS)("of %s are of scenarios that are run, each with its reason", (revision) => {
    const scenarios = scenariosOf(revision);
    for (const [name, reason] of Object.entries(expected[revision])) {
      expect(scenarios).toContain(name.split(":", 1)[0]);
      expect(reason.length, name).toBeGreaterThan(30);
    }
  });
});
