import type { Literal } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import { type Insertion, isText, type Leaf } from "./dialect.ts";
import { listPlaceholders, type Placeholder } from "./fill-template.ts";

/**
 * Why a value cannot stand in a template of the author; undefined where it can. Of the language around it nothing is known but the template,
 * so that a text is taken only where no rule of escaping could be needed:
 * - inside quotation marks: any but this mark and the backslash;
 * - outside of them, in the dialect `text`: a word of ASCII letters, digits, `_`, `-` and `.` that is no usual operator;
 * - where nothing but the template stands around it (parameters, JSON texts): any.
 * In each of them a text that holds the separator of `{values}` or a wildcard that stands at the placeholder is refused.
 */
export function templateFault(template: Json, literal: Literal, leaf: Leaf, insertion: Insertion): string | undefined {
  const wanted = leaf.kind === "member" ? "values" : "value";
  for (const placeholder of listPlaceholders(template)) {
    if (placeholder.name !== wanted) continue;
    if (placeholder.alone && (insertion === "raw" || (insertion === "parameter" && wanted === "value"))) continue;
    const isLiteral = insertion === "literal" && placeholder.quote === undefined;
    const reason = isLiteral ? undefined : insertedFault(literal, placeholder, insertion);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const WORD = /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;
const OPERATOR_WORDS = /^(and|or|not|xor|in|is|like|ilike|between|to|null|empty|true|false|exists|any|all|none|has)$/i;
const WILDCARDS: ReadonlyMap<string, RegExp> = new Map([
  ["%", /[%_\\]/],
  ["*", /[*?\\]/],
]);

function insertedFault(literal: Literal, placeholder: Placeholder, insertion: Insertion): string | undefined {
  const { text } = literal;
  const { quote, before, after, name } = placeholder;
  const separator = placeholder.separator ?? ",";
  if (name === "values" && text.includes(separator))
    return `\`${separator}\` separates the values here, so a value cannot hold it.`;
  if (!isText(literal)) return undefined;
  // Upstreams that take a text apart trim its pieces.
  if (quote === undefined && text !== text.trim()) return "White space around a value could be cut off here.";
  if (quote !== undefined && (text.includes(quote) || text.includes("\\")))
    return `A value in ${quote} cannot hold ${quote} or a backslash.`;
  if (WILDCARDS.get(before)?.test(text) || WILDCARDS.get(after)?.test(text))
    return "The value holds a character that would be taken as a wildcard.";
  if (insertion !== "word" || quote !== undefined || literal.type === "enum") return undefined;
  if (!WORD.test(text) || text.includes("..") || OPERATOR_WORDS.test(text))
    return "Only a plain word can stand here without quotation marks.";
  return undefined;
}
