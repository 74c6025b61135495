import { expressionsOf } from "../model/expressions-of.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import type { Expression, Value } from "../model/value.ts";
import { findExpressions } from "./find-expressions.ts";
import { findTraps } from "./find-traps.ts";
import { type ExpressionFault, fault, isExpressionFault, parseJmespath } from "./parse-jmespath.ts";
import { type CurrentNode, ROOT_NAMES, type RootRead, type Roots, readRoots } from "./read-roots.ts";

export type { ExpressionFault } from "./parse-jmespath.ts";
export type { CurrentNode, RootName, RootRead, Roots } from "./read-roots.ts";

/** Which roots may be read where in a curation. Steps and items are added to a call where there are any. */
export const ROOTS = {
  api: ["env", "key"],
  pin: ["env", "key"],
  call: ["input", "pins"],
  step: ["input", "pins", "steps"],
  item: ["input", "pins", "steps", "item"],
  alias: ["captures", "pins"],
  state: ["pins"],
} as const satisfies Readonly<Record<string, Roots>>;

/** Parses a bare expression. `current` says what its bare names are read from; `allowed`, which roots it may read. */
export function parseExpression(
  text: string,
  allowed: Roots = ROOTS.call,
  current: CurrentNode = "data",
): { readonly expression?: Expression; readonly faults: readonly ExpressionFault[] } {
  const ast = parseJmespath(text);
  if (isExpressionFault(ast)) return { faults: [ast] };
  const traps = findTraps(ast, text);
  const faults = traps.length > 0 ? traps : readRoots(ast, current, allowed).faults;
  return faults.length > 0 ? { faults } : { expression: { jmespath: text.trim() }, faults };
}

/**
 * Reads a value of the curation: `${…}` in its texts, at any depth, is an expression; what holds none is literal. A fault's path leads
 * inside the value.
 */
export function parseValue(
  raw: Json,
  allowed: Roots = ROOTS.call,
  current: CurrentNode = "roots",
): { readonly value?: Value; readonly faults: readonly ExpressionFault[] } {
  const faults: ExpressionFault[] = [];
  const value = readValue(
    raw,
    [],
    (text, path) => {
      const parsed = parseExpression(text, allowed, current);
      faults.push(...parsed.faults.map((one) => ({ ...one, path })));
      return parsed.expression ?? { jmespath: text };
    },
    faults,
  );
  return faults.length > 0 ? { faults } : { value, faults };
}

const CURRENCY = /^[A-Z]{3}$/;

/** Reads the `unit` of a field, an input or a total: a code (`USD`), a text with `${…}`, or a path from the current node. */
export function parseUnit(text: string, allowed: Roots, current: CurrentNode): ReturnType<typeof parseValue> {
  if (CURRENCY.test(text)) return { value: { kind: "literal", value: text }, faults: [] };
  if (text.includes("${") || current === "roots") return parseValue(text, allowed, current);
  const { expression, faults } = parseExpression(text, allowed, current);
  return expression === undefined ? { faults } : { value: { kind: "expression", expression }, faults };
}

/** What an expression that was found right reads below the roots. */
export function expressionRoots(expression: Expression, current: CurrentNode = "roots"): RootRead[] {
  const ast = parseJmespath(expression.jmespath);
  return isExpressionFault(ast) ? [] : readRoots(ast, current, ROOT_NAMES).reads;
}

/** What all the expressions in a value read below the roots, each thing once. */
export function valueRoots(value: Value, current: CurrentNode = "roots"): RootRead[] {
  const reads = expressionsOf(value).flatMap((expression) => expressionRoots(expression, current));
  return [...new Map(reads.map((read) => [`${read.root}.${read.name ?? ""}`, read])).values()];
}

type Path = readonly (string | number)[];
type Parse = (text: string, path: Path) => Expression;

function readValue(raw: Json, path: Path, parse: Parse, faults: ExpressionFault[]): Value {
  if (typeof raw === "string") return readText(raw, path, parse, faults);
  if (Array.isArray(raw)) {
    const items = raw.map((item: Json, index) => readValue(item, [...path, index], parse, faults));
    return items.every(isLiteral)
      ? { kind: "literal", value: items.map((item) => item.value) }
      : { kind: "list", items };
  }
  if (!isJsonObject(raw)) return { kind: "literal", value: raw };
  const entries = Object.entries(raw).map(
    ([name, entry]) => [name, readValue(entry, [...path, name], parse, faults)] as const,
  );
  const literal = entries.flatMap(([name, entry]) => (isLiteral(entry) ? [[name, entry.value] as const] : []));
  return literal.length === entries.length
    ? { kind: "literal", value: Object.fromEntries(literal) }
    : { kind: "object", entries };
}

function isLiteral(value: Value): value is Value & { kind: "literal" } {
  return value.kind === "literal";
}

function readText(text: string, path: Path, parse: Parse, faults: ExpressionFault[]): Value {
  const parts = findExpressions(text);
  if (parts === undefined) {
    const open = fault(
      "bad_expression",
      // The text may be a credential's, so it is not shown.
      "A ${ is not closed.",
      "Close it with }, or write $${ for the characters themselves.",
    );
    faults.push({ ...open, path });
    return { kind: "literal", value: text };
  }
  const read = parts.map((part) => (part.kind === "text" ? part.text : parse(part.source, path)));
  const [first = "", ...rest] = read;
  if (typeof first !== "string" && rest.length === 0) return { kind: "expression", expression: first };
  return read.some((part) => typeof part !== "string")
    ? { kind: "text", parts: read }
    : { kind: "literal", value: read.join("") };
}
