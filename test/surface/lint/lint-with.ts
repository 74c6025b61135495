import { compileToolset } from "../../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import { openSubject } from "../../../src/surface/lint/check-lint.ts";
import type { LintRule, LintSubject } from "../../../src/surface/lint/lint-rule.ts";
import { apiOfText, type CurationParts, curationText, shown } from "../../compile/compile-text.ts";

/** `tools:` of a curation that compiles, over the paths of a spec. */
export interface LintCase extends CurationParts {
  readonly spec: string;
  readonly tools: string;
}

export async function subjectOf({ spec, tools, ...more }: LintCase): Promise<LintSubject> {
  const api = await apiOfText(spec);
  const text = curationText(tools, more);
  const { curation, problems } = loadCuration("test.yaml", text);
  if (curation === undefined || problems.length > 0) throw new Error(`A wrong curation: ${shown(problems).join("; ")}`);
  const compiled = compileToolset(curation, api);
  if (compiled.toolset === undefined) throw new Error(`It does not compile: ${shown(compiled.problems).join("; ")}`);
  return openSubject(curation, api, compiled.toolset);
}

/** `severity code place`, one a finding; each is found to be at most as bad as its rule, and to stand in the curation. */
export async function lintWith(rules: readonly LintRule[], given: LintCase): Promise<string[]> {
  const subject = await subjectOf(given);
  return rules.flatMap((rule) =>
    [...rule.check(subject)].map(({ severity, at, message, hint }) => {
      if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(rule.severity))
        throw new Error(`${rule.code}: ${severity}`);
      for (const text of [message, hint]) if (!/^[^\s].*[.!?"…]$/s.test(text)) throw new Error(`No sentence: ${text}`);
      return `${severity} ${rule.code} ${at.join(".")}`;
    }),
  );
}

const SEVERITIES = ["error", "warning", "note"];
