import type { Problem, SourcePosition } from "../model/problem.ts";
import type { Finding } from "./finding.ts";
import { nameOf } from "./name-of.ts";

export interface Located {
  readonly finding: Finding;
  readonly position: SourcePosition;
}

/** A key that is misspelt is one mistake, not two: what it was meant to be is not missing as well, nor the one of several that is needed. */
export function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const meant = new Set(
    findings.flatMap(({ path, meant: name }) => (name ? [JSON.stringify([...path.slice(0, -1), name])] : [])),
  );
  const strays = new Set(findings.flatMap(({ path, stray }) => (stray ? [JSON.stringify(path.slice(0, -1))] : [])));
  const conflicts = new Map(findings.map((one) => [`${one.code} ${JSON.stringify(one.path)}`, one]));
  return findings.filter((one) => {
    const { code, path, lacks = [] } = one;
    // The last says most of what excludes what.
    if (code === "conflicting_keys" && conflicts.get(`${code} ${JSON.stringify(path)}`) !== one) return false;
    const isOneOfMany = lacks.length > 1 && strays.has(JSON.stringify(path));
    return !isOneOfMany && !lacks.some((name) => meant.has(JSON.stringify([...path, name])));
  });
}

/** Nothing more is said of a value that could not be read: that there is none, or one of another type, is true of what stands in its place. */
export function withoutUnread(
  findings: readonly Finding[],
  read: readonly Finding[],
  trace: (path: Finding["path"]) => Finding["path"] = (path) => path,
): Finding[] {
  const unread = new Set(read.flatMap(({ code, path }) => (code === "bad_value" ? [JSON.stringify(path)] : [])));
  return unread.size === 0 ? [...findings] : findings.filter(({ path }) => !unread.has(JSON.stringify(trace(path))));
}

/** In the order of the text. What two checks found alike stands once, and so does what an anchor brought to several places. */
export function inOrder(located: readonly Located[]): Problem[] {
  const distinct = new Map<string, Problem>();
  for (const { finding, position } of located) {
    const { code, path, message, hint } = finding;
    const unnamed = message.replace(nameOf(path), "").replace(nameOf(path.slice(0, -1)), "");
    const key = `${position.line}:${position.column}:${code}:${unnamed}`;
    if (!distinct.has(key))
      distinct.set(key, { ...position, code, severity: "error", message, ...(hint !== undefined && { hint }) });
  }
  return [...distinct.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}
