import type { Problem } from "../../model/problem.ts";
import type { DiffFinding } from "../../surface/diff/change.ts";
import { compareManifests } from "../../surface/diff/compare-manifests.ts";
import { type DiffOutcome, FAIL_ON, reportChanges } from "../../surface/diff/report-changes.ts";
import { applySuppressions } from "../../surface/diff/suppressions.ts";
import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { findCauses } from "../diff/find-causes.ts";
import { openPlaces } from "../diff/place-findings.ts";
import { readSide, type Side } from "../diff/read-side.ts";
import { readSuppressions } from "../diff/read-suppressions.ts";
import { otherSideOf, readTarget, type Target } from "../diff/read-target.ts";
import { OUTPUT_HELP, OUTPUT_OPTIONS, readOutputs, writeOutputs } from "../report-output.ts";
import { version } from "../version.ts";
import { formatFindings, sortFindings } from "./format-findings.ts";

const HELP = `vitrine diff BASE [HEAD]: show what agents will see differently, and whether the spec or the curation makes it so

BASE and HEAD are each a curation, a manifest (NAME.lock.json) or git:REV:path, which is read with the spec and all other files at that revision.
Without HEAD a lock file is compared with the curation beside it, and git:REV:path with that path now.

  --fail-on CLASS       breaking, unknown, behaviour, any or none (default: breaking). UNKNOWN, which nobody can tell by comparing, counts as breaking
  --suppress FILE       accepted changes: a YAML list of {rule, tool, path, reason, until}; tool, path and until (a day) may be left out
${OUTPUT_HELP}
  --root DIR            the folder that bounds the files a curation names (default: the parent of its folder)

JSON: [{rule, class, tool, path, before, after, cause, file, line, message}]; cause is spec, curation, compiler, spec+curation or unknown.

Exit codes: 0 nothing that fails, 1 something does or HEAD has errors, 2 unreadable input.`;

export const diff: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "BASE [HEAD]",
      options: {
        "fail-on": { type: "string", default: "breaking" },
        suppress: { type: "string" },
        root: { type: "string" },
        ...OUTPUT_OPTIONS,
      },
    });
    const failing = FAIL_ON.get(values["fail-on"]);
    if (failing === undefined)
      throw new UsageError(`There is no class "${values["fail-on"]}". There are: ${[...FAIL_ON.keys()].join(", ")}`);
    const outputs = readOutputs(values);
    const accepted = values.suppress === undefined ? [] : readSuppressions(values.suppress);
    const base = readTarget(positionals[0] ?? "");
    const head = positionals[1] === undefined ? otherSideOf(base) : readTarget(positionals[1]);
    const options = { root: values.root, env: shell.env };

    const from = await readSide(base, options);
    if ("failed" in from) return tellFailure(from.failed, nothingToCompare(base.label), 2, shell);
    try {
      if (from.isBroken) return tellFailure(from.problems, nothingToCompare(base.label), 2, shell);
      const to = await readSide(head, options);
      const names = { base: base.label, head: head.label, file: head.file, failing };
      if ("failed" in to) {
        const report = reportChanges(
          { ...notCompared(head), ...names, tools: namesOf([from]), problems: to.failed },
          version,
        );
        writeOutputs(outputs, report, { json: () => changesJson(notCompared(head).left) }, shell);
        return tellFailure(to.failed, `${head.label} does not compile.`, 1, shell);
      }
      tellProblems([...from.problems, ...to.problems], shell);
      if (to.isBroken) shell.note(`vitrine: ${head.label} does not compile; it is compared without what is wrong.`);
      const compared = await compareSides(from, to).finally(to.close);
      const today = new Date().toISOString().slice(0, 10);
      const outcome: DiffOutcome = {
        ...applySuppressions(compared.findings, accepted, today),
        ...(compared.doubt !== undefined && { doubt: compared.doubt }),
        ...names,
        tools: namesOf([from, to]),
        problems: to.isBroken ? to.problems : [],
      };
      const report = reportChanges(outcome, version);
      writeOutputs(outputs, report, { json: () => changesJson(outcome.left) }, shell);
      return to.isBroken || outcome.left.some((change) => failing.includes(change.class)) ? 1 : 0;
    } finally {
      from.close();
    }
  },
};

/** Of a HEAD of which nothing is left to compare, which must not read as no difference. */
function notCompared({ file, label }: Target) {
  const message = nothingToCompare(label);
  const nowhere = { tool: null, path: "", before: null, after: null, cause: "unknown", file, line: 1 } as const;
  const change: DiffFinding = { rule: "not_compared", class: "UNKNOWN", message, ...nowhere };
  return { left: [change], accepted: [], expired: [], unmatched: [] };
}

function nothingToCompare(label: string): string {
  return `${label} does not compile, so nothing can be compared.`;
}

function tellFailure(problems: readonly Problem[], message: string, code: number, shell: Shell): number {
  tellProblems(problems, shell);
  shell.note(`vitrine: ${message}`);
  return code;
}

function tellProblems(problems: readonly Problem[], shell: Shell): void {
  if (problems.length > 0) shell.note(formatFindings(sortFindings(problems), false));
}

async function compareSides(from: Side, to: Side): Promise<{ findings: DiffFinding[]; doubt?: string }> {
  const changes = compareManifests(from.manifest, to.manifest);
  if (changes.length === 0) return { findings: [] };
  const causes = await findCauses(from, to);
  const placeOf = await openPlaces(to);
  return {
    findings: changes.map((change) => ({ ...change, cause: causes.of(change), ...placeOf(change) })),
    ...(causes.doubt !== undefined && { doubt: causes.doubt }),
  };
}

function namesOf(sides: readonly Side[]): string[] {
  return [...new Set(sides.flatMap(({ manifest }) => manifest.tools.map(({ name }) => name)))];
}

function changesJson(findings: readonly DiffFinding[]): string {
  const rows = findings.map(({ rule, class: is, tool, path, before, after, cause, file, line, message }) => {
    return { rule, class: is, tool, path, before, after, cause, file, line, message };
  });
  return JSON.stringify(rows, null, 2);
}
