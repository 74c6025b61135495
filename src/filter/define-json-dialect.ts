import type { WrittenFilter } from "../model/filter.ts";
import type { Json, JsonObject } from "../model/json.ts";
import { type Clause, type Dialect, type Leaf, templateOf } from "./dialect.ts";
import { fillJsonTemplate } from "./write-template.ts";

/** What a language of JSON values says of itself; the rest is the same for all. */
export type JsonLanguage = Omit<
  Dialect,
  "write" | "takesControls" | "insertion" | "negates" | "limits" | "fieldNames"
> &
  Partial<Pick<Dialect, "limits" | "fieldNames">> & {
    /** A condition, never one of which the author wrote a template. */
    leaf(leaf: Leaf): Json;
    group(kind: "and" | "or", parts: readonly Json[]): Json;
    finish?(value: Json, clause: Clause): Json;
  };

/** Any name that is not empty; in JSON nothing can be closed by it. */
const ANY_NAME = /./su;

/** A dialect whose filters are one JSON value: every value of a caller is a scalar in it, never an object or a key. */
export function defineJsonDialect(language: JsonLanguage): Dialect {
  const { leaf, group, finish = (value) => value, ...rest } = language;
  const write = (clause: Clause): Json => {
    if (clause.kind !== "leaf") return group(clause.kind, clause.parts.map(write));
    const template = templateOf(clause.leaf);
    if (template === undefined) return leaf(clause.leaf);
    return fillJsonTemplate(template, { leaf: clause.leaf, word: clause.leaf.op, literal: ({ text }) => text });
  };
  return {
    fieldNames: ANY_NAME,
    limits: {},
    ...rest,
    insertion: "raw",
    takesControls: true,
    write: (clause): WrittenFilter => ({ kind: "json", value: finish(write(clause), clause) }),
  };
}

/** `{a: {b: value}}` for the name `a.b`. */
export function nestByDots(name: string, value: Json): JsonObject {
  const [first = "", ...others] = name.split(".");
  return { [first]: others.length === 0 ? value : nestByDots(others.join("."), value) };
}
