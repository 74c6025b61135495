import { CORE_SCHEMA, FAILSAFE_SCHEMA, load, type Schema, Type, YAMLException } from "js-yaml";
import { UnreadableInput } from "../model/errors.ts";
import { isTooDeep } from "../model/is-too-deep.ts";
import { checkBounds, MAX_DEPTH } from "./check-bounds.ts";
import { findComment } from "./find-comment.ts";
import { isOdd, keepSpellings, markNumber, mayHoldOddNumbers, parseJson } from "./number-spelling.ts";
import { yamlPackage } from "./yaml-package.ts";

// YAML 1.2 core (OAS 3.1 4.2): a date and `NO` stay text. Merge keys are YAML 1.1's, but real specs live by them.
const MERGE = new Type("tag:yaml.org,2002:merge", {
  kind: "scalar",
  resolve: (text: unknown) => text === "<<" || text === null,
});
const SCHEMA = CORE_SCHEMA.extend({ implicit: [MERGE] });
// Before the core's own types, which would read it as a number at once.
const ODD_NUMBER = new Type("tag:vitrine:odd-number", {
  kind: "scalar",
  resolve: (text: unknown) => typeof text === "string" && /^[-+.\d]/.test(text) && isOdd(text),
  construct: (text: string) => markNumber(text),
});
const EXACT_SCHEMA = FAILSAFE_SCHEMA.extend({
  implicit: [ODD_NUMBER, ...(SCHEMA as Schema & { readonly implicit: readonly Type[] }).implicit],
});
export const YAML_OPTIONS = { schema: SCHEMA, json: true, maxDepth: MAX_DEPTH, maxTotalMergeKeys: 100_000 };
const SECOND_PARSER_MAX_CHARS = 8_000_000;
const SECOND_PARSER_MAX_FLOW = 64;
const SECOND_PARSER_MAX_INDENT = 500;

/** A document's text, JSON or YAML, as plain data of bounded depth and size. Throws UnreadableInput with `source:line:column`. */
export function parseText(source: string, text: string): unknown {
  const start = text.trimStart();
  const looksLikeJson = start.startsWith("{") || start.startsWith("[");
  if (looksLikeJson && isTooDeep(text, MAX_DEPTH))
    throw new UnreadableInput(`${source}: it is nested deeper than ${MAX_DEPTH} levels.`);
  const json = looksLikeJson ? attempt(() => parseJson(text)) : undefined;
  if (json !== undefined && "value" in json) return json.value;
  // To YAML a comment of this kind is a part of the name behind it.
  const comment = json === undefined ? undefined : findComment(text);
  if (comment !== undefined)
    throw new UnreadableInput(`${source}:${tellPlace(text, comment)}: JSON has no comments: take them out.`);
  const yaml = attempt(() => parseYaml(text));
  if (!("value" in yaml))
    throw new UnreadableInput(describeFailure(source, text, json?.error, yaml.error), { cause: yaml.error });
  checkBounds(source, yaml.value);
  return yaml.value;
}

function parseYaml(text: string): unknown {
  try {
    if (!mayHoldOddNumbers(text)) return load(text, YAML_OPTIONS);
    return keepSpellings(load(text, { ...YAML_OPTIONS, schema: EXACT_SCHEMA }));
  } catch (error) {
    const second =
      error instanceof YAMLException && maySuitSecondParser(text) ? attempt(() => parseLeniently(text)) : undefined;
    if (second !== undefined && "value" in second) return second.value;
    throw error;
  }
}

function parseLeniently(text: string): unknown {
  return yamlPackage().parse(text, {
    merge: true,
    uniqueKeys: false,
    maxAliasCount: 100,
    logLevel: "error",
    prettyErrors: false,
  });
}

/** The second parser is slow, and deep flow nesting can abort the process in it, so it sees only text that is plainly shallow. */
export function maySuitSecondParser(text: string, maxChars: number = SECOND_PARSER_MAX_CHARS): boolean {
  if (text.length > maxChars || new RegExp(`^[ \\t?-]{${SECOND_PARSER_MAX_INDENT}}`, "m").test(text)) return false;
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open += bracket === "[" || bracket === "{" ? 1 : -1;
    if (open > SECOND_PARSER_MAX_FLOW) return false;
    if (open < 0) open = 0;
  }
  return true;
}

function describeFailure(source: string, text: string, json: unknown, yaml: unknown): string {
  const position = /at position (\d+)/.exec(json instanceof Error ? json.message : "")?.[1];
  if (json instanceof Error && (position !== undefined || /Unexpected end/.test(json.message))) {
    const place = tellPlace(text, position === undefined ? text.length : Number(position));
    return `${source}:${place}: not valid JSON: ${oneLine(json.message.replace(/ (in JSON )?at position.*/s, ""))}.`;
  }
  if (yaml instanceof YAMLException && yaml.mark !== undefined) {
    return `${source}:${yaml.mark.line + 1}:${yaml.mark.column + 1}: not valid YAML: ${oneLine(yaml.reason)}.`;
  }
  return `${source}: neither JSON nor YAML: ${yaml instanceof Error ? oneLine(yaml.message) : "it cannot be parsed"}.`;
}

/** `line:column` of a position. */
function tellPlace(text: string, position: number): string {
  const before = text.slice(0, position);
  return `${before.split("\n").length}:${before.length - before.lastIndexOf("\n")}`;
}

function attempt<T>(run: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

function oneLine(message: string): string {
  return message.replaceAll(/\s+/g, " ").slice(0, 200);
}
