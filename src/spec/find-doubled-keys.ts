import { load, YAMLException } from "js-yaml";
import { YAML_OPTIONS } from "./parse-text.ts";

/** A name that stands twice in one object, at its second place. */
export interface DoubledKey {
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

/** Every doubled key of a JSON text, the first one of a YAML text. */
export function findDoubledKeys(text: string): DoubledKey[] {
  const start = text.trimStart();
  const json = start.startsWith("{") ? scanJson(text) : undefined;
  return json ?? scanYaml(text);
}

const DOUBLED = /duplicated mapping key/;

function scanYaml(text: string): DoubledKey[] {
  try {
    load(text, { ...YAML_OPTIONS, json: false });
    return [];
  } catch (error) {
    if (!(error instanceof YAMLException) || error.mark === undefined || !DOUBLED.test(error.reason)) return [];
    const { line, column } = error.mark;
    const key = /^\s*(?:[-?]\s+)*["']?([^"':]*)/.exec(text.split("\n")[line] ?? "")?.[1]?.trim() ?? "";
    return [{ key, line: line + 1, column: column + 1 }];
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** Undefined where the text turns out not to be JSON. */
function scanJson(text: string): DoubledKey[] | undefined {
  const found: { key: string; at: number }[] = [];
  const open: (Set<string> | undefined)[] = [];
  let last: { readonly text: string; readonly at: number } | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":" && last !== undefined) {
      const key = attempt(() => JSON.parse(last?.text ?? "") as string);
      if (key === undefined) return undefined;
      const keys = open.at(-1);
      if (keys?.has(key)) found.push({ key, at: last.at });
      keys?.add(key);
    }
    last = token.startsWith('"') ? { text: token, at: index } : undefined;
  }
  return found.map(({ key, at }) => ({ key, ...positionOf(text, at) }));
}

function positionOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n") };
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
