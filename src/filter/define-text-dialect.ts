import type { Literal, WrittenFilter } from "../model/filter.ts";
import { type Clause, type Dialect, type Leaf, templateOf } from "./dialect.ts";
import { fillTextTemplate } from "./write-template.ts";

/** What a language that is one text says of itself; the rest is the same for all. */
export type TextLanguage = Omit<
  Dialect,
  "write" | "takesControls" | "insertion" | "negates" | "fieldNames" | "limits" | "refuse"
> &
  Partial<Pick<Dialect, "limits" | "refuse" | "fieldNames">> & {
    readonly and: string;
    readonly or: string;
    /** A value as the language writes it. */
    literal(value: Literal): string;
    /** A condition, never one of which the author wrote a template. */
    leaf(leaf: Leaf): string;
    /** A group inside another; in round brackets unless said. */
    nested?(kind: "and" | "or", text: string): string;
    finish?(text: string, clause: Clause): WrittenFilter;
  };

/** Names of fields that most languages take unquoted: words with dots between them. */
const DOTTED_NAME = /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u;

/** A dialect whose filters are one text. In an author's template for one operator, `{value}` stands for the language's own literal. */
export function defineTextDialect(language: TextLanguage): Dialect {
  const { and, or, literal, leaf, nested = inBrackets, finish = asText, ...rest } = language;
  const write = (clause: Clause): string => {
    if (clause.kind === "leaf") {
      const template = templateOf(clause.leaf);
      if (template === undefined) return leaf(clause.leaf);
      return fillTextTemplate(template, { leaf: clause.leaf, word: clause.leaf.op, literal });
    }
    const parts = clause.parts.map((part) => (part.kind === "leaf" ? write(part) : nested(part.kind, write(part))));
    return parts.join(clause.kind === "and" ? and : or);
  };
  return {
    fieldNames: DOTTED_NAME,
    limits: {},
    ...rest,
    insertion: "literal",
    takesControls: false,
    write: (clause) => finish(write(clause), clause),
  };
}

function inBrackets(_kind: "and" | "or", text: string): string {
  return `(${text})`;
}

function asText(text: string): WrittenFilter {
  return { kind: "text", text };
}

/** A text in double quotes, with a backslash before those and before itself. */
export function inDoubleQuotes(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}
