import type { Api } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Schema } from "../../model/schema.ts";
import { isOpen, isRequired, itemOf, listAlternatives, propertyNames, propertyOf } from "./list-alternatives.ts";
import { ANY, elementsOf, isAny, listOf, NULL, orNull, schemaOf, unionOf } from "./type-algebra.ts";
import type { OwnNames } from "./type-roots.ts";

/** Something in an expression that can never give a value. */
export interface Miss {
  readonly kind: "path" | OwnNames | "argument";
  readonly message: string;
  /** The nearest names that would do, best first. */
  readonly nearest: readonly string[];
  /** All names that would do. */
  readonly known: readonly string[];
  /** The name that is missed, where another of `known` may stand in its place. */
  readonly name?: string;
}

/** Where an expression stands while it is typed. */
export interface TypeScope {
  readonly api: Api;
  readonly current: Schema;
  /** What `current` is called in a message: `the body`, `rows[]`. */
  readonly at: string;
  readonly root: Schema;
  /** Schemas, by identity, whose names are the curation's own and not the spec's. */
  readonly own: ReadonlyMap<Schema, OwnNames>;
  readonly variables: ReadonlyMap<string, Schema>;
  readonly report: (miss: Miss) => void;
}

/** The type of a property of the current node; a property that need not be there may be null. */
export function inferField(name: string, scope: TypeScope): Schema {
  const alternatives = listAlternatives(scope.current, scope.api);
  const hits = alternatives.flatMap((one) => propertyOf(one, name) ?? []);
  if (hits.length === 0) {
    if (alternatives.every((one) => one.type === "null")) return alternatives.length > 0 ? NULL : ANY;
    reportField(name, scope);
    return ANY;
  }
  const always = alternatives.every((one) => one.type === "object" && isRequired(one, name));
  return always ? unionOf(hits) : orNull(unionOf(hits));
}

function reportField(name: string, scope: TypeScope): void {
  const alternatives = listAlternatives(scope.current, scope.api).filter((one) => one.type !== "null");
  const kind = scope.own.get(scope.current) ?? "path";
  if (alternatives.some((one) => one.type === "object")) {
    const known = [...new Set(alternatives.flatMap(propertyNames))];
    scope.report({
      kind,
      message: `"${name}" is not in ${scope.at}.`,
      nearest: nearestNames(name, known),
      known,
      name,
    });
    return;
  }
  const inside = alternatives.flatMap((one) => (one.type === "array" ? namesIn(itemOf(one), scope.api) : []));
  const types = typeWords(alternatives.map((one) => one.type));
  const hint = inside.includes(name) ? [`[].${name}`] : nearestNames(name, inside).map((one) => `[].${one}`);
  scope.report({ kind, message: `${scope.at} is ${types}: it has no "${name}".`, nearest: hint, known: [] });
}

function namesIn(type: Schema, api: Api): string[] {
  return listAlternatives(type, api).flatMap((one) => (isOpen(one) ? [] : propertyNames(one)));
}

export function inferIndex(position: number, scope: TypeScope): Schema {
  const found = listAlternatives(scope.current, scope.api).flatMap((one) => {
    if (one.type === "any") return ANY;
    return one.type === "array" ? itemOf(one, position) : [];
  });
  return found.length === 0 ? reportOther("list", scope) : orNull(unionOf(found));
}

/** A slice of a list, or of a text (JMESPath community edition). */
export function inferSlice(scope: TypeScope): Schema {
  const alternatives = listAlternatives(scope.current, scope.api);
  const sliced = alternatives.flatMap((one) => {
    if (one.type === "array") return listOf(itemOf(one));
    return one.type === "any" || one.type === "string" ? schemaOf(one) : [];
  });
  if (sliced.length === 0) return reportOther("list", scope);
  return unionOf(sliced.length < alternatives.length ? [...sliced, NULL] : sliced);
}

/** One level of lists in the list is opened. */
export function inferFlatten(type: Schema, api: Api): Schema {
  const elements = elementsOf(type, api);
  if (elements === undefined) return type;
  if (isAny(elements)) return orNull(listOf(ANY));
  const flat = unionOf(
    listAlternatives(elements, api).map((one) => (one.type === "array" ? itemOf(one) : schemaOf(one))),
  );
  const always = listAlternatives(type, api).every((one) => one.type === "array");
  return always ? listOf(flat) : orNull(listOf(flat));
}

/** The current node is never what the step needs: a miss, unless it is null anyway. */
export function reportOther(needed: "list" | "object", scope: TypeScope): Schema {
  const types = listAlternatives(scope.current, scope.api).map((one) => one.type);
  const others = types.filter((type) => type !== "null");
  if (others.length === 0) return types.length > 0 ? NULL : ANY;
  const message = `${scope.at} is ${typeWords(others)}, and here ${withArticle(needed)} is needed.`;
  scope.report({ kind: "path", message, nearest: [], known: [] });
  return ANY;
}

/** `a string or an array`. */
export function typeWords(types: readonly string[]): string {
  return [...new Set(types)].map(withArticle).join(" or ");
}

export function withArticle(word: string): string {
  if (word === "null") return word;
  return /^[aeio]/.test(word) ? `an ${word}` : `a ${word}`;
}
