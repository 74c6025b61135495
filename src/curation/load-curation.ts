import { createHash } from "node:crypto";
import { LineCounter } from "yaml";
import type { Problem, SourcePosition } from "../model/problem.ts";
import { checkEntries } from "./check-entries.ts";
import { checkExpressions } from "./check-expressions.ts";
import { checkShape } from "./check-shape.ts";
import type { Finding, Path } from "./finding.ts";
import type { Curation } from "./format.ts";
import { leaveOutFaults } from "./leave-out-faults.ts";
import { locateNode } from "./locate-node.ts";
import { readYaml } from "./read-yaml.ts";

/**
 * Reads a curation and checks all that can be known without its spec. Every mistake is a problem with its place, in the order of the
 * text. The curation is there also beside problems where its sound part can be looked at further (`leftOut` names the rest); it is good
 * to be served only when there is none. Throws `UnreadableInput` for a text that is not YAML at all.
 */
export function loadCuration(file: string, text: string): { curation?: Curation; problems: Problem[] } {
  const source = text.replace(/^\uFEFF/, "");
  const yaml = readYaml(file, source);
  const positionOf = createLocator(file, source, yaml.tree);
  const { content, findings } = checkShape(yaml.value);
  const all = [...yaml.findings, ...findings, ...checkEntries(yaml.value), ...checkExpressions(yaml.value)];
  const problems = distinct(
    withoutEchoes(all).map((finding) => toProblem(finding, positionOf(finding.path, finding.at))),
  );
  const sound = content !== undefined && all.length === 0 ? { content, leftOut: [] } : leaveOutFaults(yaml.value, all);
  if (sound === undefined) return { problems };
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { curation: { file, ...sound, sha256, locate: (path) => positionOf(path, "key") }, problems };
}

type Locate = (path: Path, at: Finding["at"]) => SourcePosition;

function createLocator(file: string, text: string, tree: Parameters<typeof locateNode>[0]): Locate {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
  return (path, at) => {
    const { line, col } = lines.linePos(locateNode(tree, path, at));
    return { file, line, column: col };
  };
}

function toProblem({ code, message, hint }: Finding, position: SourcePosition): Problem {
  return { ...position, code, severity: "error", message, ...(hint !== undefined && { hint }) };
}

/** A key that is misspelt is one mistake, not two: what it was meant to be is not missing as well. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const meant = new Set(
    findings.flatMap(({ path, meant: name }) => (name ? [JSON.stringify([...path.slice(0, -1), name])] : [])),
  );
  return findings.filter(({ path, lacks }) => !lacks?.some((name) => meant.has(JSON.stringify([...path, name]))));
}

/** In the order of the text; what two checks found alike stands once. */
function distinct(problems: readonly Problem[]): Problem[] {
  const byText = new Map(
    problems.map((problem) => [`${problem.line}:${problem.column}:${problem.code}:${problem.message}`, problem]),
  );
  return [...byText.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}
