import type { FilterTarget } from "../../model/filter.ts";
import type { Json } from "../../model/json.ts";
import type { Clause, Dialect } from "../dialect.ts";
import { fillText } from "../fill-template.ts";
import { templateLanguage } from "../template-language.ts";
import { fillTextTemplate } from "../write-template.ts";

/**
 * Text by the author's templates. Of the language nothing is known but what they say: `filter/template-fault.ts` rules which values can stand in
 * them. A group inside another needs a template that begins and ends with brackets.
 */
export function openText({ templates = {} }: FilterTarget): Dialect {
  const language = templateLanguage(templates, isBracketed);
  const join = (template: Json | undefined, conditions: readonly string[], separator: string): string =>
    fillText(String(template ?? "{conditions}"), (one) => conditions.join(one.separator ?? separator));
  const write = (clause: Clause): string => {
    if (clause.kind !== "leaf") {
      const [template, separator] = clause.kind === "and" ? [templates.all, " AND "] : [templates.any, " OR "];
      return join(template, clause.parts.map(write), separator);
    }
    const { template, word } = language.templateOf(clause.leaf);
    const written = fillTextTemplate(template, { leaf: clause.leaf, word, literal: ({ text }) => text });
    return clause.not ? join(templates.none, [written], " OR ") : written;
  };
  return {
    name: "text",
    ...language.table,
    fieldNames: /^[\p{L}\p{N}_@][\p{L}\p{N}_.@/-]*$/u,
    insertion: "word",
    takesControls: false,
    refuseValue: (value, leaf) => language.valueFault(value, leaf, "word"),
    write: (clause) => ({ kind: "text", text: write(clause) }),
  };
}

/** Whatever stands beside it, it is read as one: the bracket that it opens with is closed at its end. */
function isBracketed(template: Json): boolean {
  const text = fillText(String(template), () => "x");
  const start = /^[\w-]*(?=[([{])/.exec(text)?.[0].length;
  if (start === undefined) return false;
  let open = 0;
  for (const [at, sign] of [...text].entries()) {
    if (at < start) continue;
    open += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    if (open === 0) return at === [...text].length - 1;
  }
  return false;
}
