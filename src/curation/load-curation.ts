import { createHash } from "node:crypto";
import type { Json } from "../model/json.ts";
import type { Problem } from "../model/problem.ts";
import { checkEntries } from "./check-entries.ts";
import { checkExpressions } from "./check-expressions.ts";
import { readShape } from "./check-shape.ts";
import { createLocator, type Locate } from "./create-locator.ts";
import type { Path } from "./finding.ts";
import type { Curation, CurationFile } from "./format.ts";
import { leaveOutFaults } from "./leave-out-faults.ts";
import { inOrder, withoutEchoes, withoutUnread } from "./order-findings.ts";
import { readAsMeant } from "./read-as-meant.ts";
import { readPlainYaml } from "./read-plain-yaml.ts";
import { readTree, readYaml } from "./read-yaml.ts";

/**
 * Reads a curation and checks all that can be known without its spec. Every mistake is a problem with its place, in the order of the
 * text. The curation is there also beside problems where its sound part can be looked at further (`leftOut` names the rest); it is good
 * to be served only when there is none. Throws `UnreadableInput` for a text that is not YAML at all.
 */
export function loadCuration(file: string, text: string): { curation?: Curation; problems: Problem[] } {
  const source = text.replace(/^\uFEFF/, "");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const content = readSound(source);
  if (content === undefined) return loadWithMistakes(file, source, sha256);
  let positionOf: Locate | undefined;
  const locate: Curation["locate"] = (path, at = "key", part) => {
    positionOf ??= createLocator(file, source, readTree(source));
    return positionOf(path, at, part);
  };
  return { curation: { file, content, leftOut: [], sha256, locate }, problems: [] };
}

/** A curation that a program made: undefined where it has a mistake, which `loadCuration` of its text tells. */
export function readMade(file: string, value: Json): Curation | undefined {
  const content = soundContent(value);
  return content && { file, content, leftOut: [], sha256: "", locate: () => ({ file, line: 1, column: 1 }) };
}

/** What a plainly written text without any mistake holds. Nothing is known of places then, and mostly nobody ever asks. */
function readSound(source: string): CurationFile | undefined {
  const value = readPlainYaml(source);
  return value === undefined ? undefined : soundContent(value);
}

function soundContent(value: Json): CurationFile | undefined {
  const content = readShape(value);
  if (content === undefined) return undefined;
  return checkEntries(value).length + checkExpressions(value).length === 0 ? content : undefined;
}

function loadWithMistakes(file: string, source: string, sha256: string): { curation?: Curation; problems: Problem[] } {
  const yaml = readYaml(file, source);
  const positionOf = createLocator(file, source, yaml.tree);
  const meant = readAsMeant(yaml.value);
  const { content, findings } = meant.shape;
  const found = [...findings, ...checkEntries(meant.value), ...checkExpressions(meant.value)];
  const more = withoutUnread(withoutEchoes(found), yaml.findings, meant.trace);
  const asWritten = [...yaml.findings, ...meant.findings];
  const problems = inOrder([
    ...asWritten.map((finding) => ({ finding, position: positionOf(finding.path, finding.at) })),
    ...more.map((finding) => ({ finding, position: positionOf(meant.trace(finding.path), finding.at) })),
  ]);
  const isSound = content !== undefined && problems.length === 0;
  // Of a doubled key one stays, so there is something to look at.
  const unread = yaml.findings.filter(({ code }) => code !== "duplicate_key");
  const sound = isSound ? { content, leftOut: [], trace: itself } : leaveOutFaults(meant.value, [...unread, ...more]);
  if (sound === undefined) return { problems };
  const leftOut = [...sound.leftOut, ...asWritten.map(({ path }) => ({ path, value: null }))];
  const locate: Curation["locate"] = (path, at = "key", part) => positionOf(meant.trace(sound.trace(path)), at, part);
  return { curation: { file, content: sound.content, leftOut, sha256, locate }, problems };
}

function itself(path: Path): Path {
  return path;
}
