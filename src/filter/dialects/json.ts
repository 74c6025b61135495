import type { FilterTarget } from "../../model/filter.ts";
import type { Json } from "../../model/json.ts";
import type { Clause, Dialect } from "../dialect.ts";
import { fillTemplate } from "../fill-template.ts";
import { lostDigits } from "../lost-digits.ts";
import { templateLanguage } from "../template-language.ts";
import { fillJsonTemplate } from "../write-template.ts";

/** JSON by the author's templates. Nothing is known of the upstream but what they say. */
export function openJson({ templates = {} }: FilterTarget): Dialect {
  const language = templateLanguage(templates, () => true);
  const join = (template: Json | undefined, conditions: readonly Json[]): Json =>
    fillTemplate(template ?? "{conditions}", {
      whole: (name) => (name === "conditions" ? conditions : undefined),
      text: () => "",
    });
  const write = (clause: Clause): Json => {
    if (clause.kind !== "leaf") return join(templates[clause.kind === "and" ? "all" : "any"], clause.parts.map(write));
    const { template, word } = language.templateOf(clause.leaf);
    const written = fillJsonTemplate(template, { leaf: clause.leaf, word, literal: ({ text }) => text });
    return clause.not ? join(templates.none, [written]) : written;
  };
  return {
    name: "json",
    ...language.table,
    insertion: "raw",
    takesControls: true,
    refuseValue: (value, leaf) => lostDigits(value) ?? language.valueFault(value, leaf, "raw"),
    write: (clause) => ({ kind: "json", value: write(clause) }),
  };
}
