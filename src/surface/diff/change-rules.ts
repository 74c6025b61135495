import type { ChangeRule } from "./change.ts";
import { CONDUCT_RULES } from "./compare/rules/conduct-rules.ts";
import { FILTER_RULES } from "./compare/rules/filter-rules.ts";
import { INPUT_RULES } from "./compare/rules/input-rules.ts";
import { LIST_RULES } from "./compare/rules/list-rules.ts";
import { OUTPUT_RULES } from "./compare/rules/output-rules.ts";
import type { RuleFamily } from "./compare/rules/rule-family.ts";

const FAMILIES = [...LIST_RULES, ...INPUT_RULES, ...OUTPUT_RULES, ...CONDUCT_RULES, ...FILTER_RULES] as const;

export type ChangeRuleId = (typeof FAMILIES)[number]["rules"][number][0];

/** Every rule by which two manifests are compared, the list's first, then inputs, replies, conduct and filters. */
export const CHANGE_RULES: readonly ChangeRule[] = FAMILIES.flatMap(({ why, remedy, rules }: RuleFamily) =>
  rules.map(([rule, is, title]) => ({ rule, class: is, title, why, remedy })),
);

const byId = new Map(CHANGE_RULES.map((one) => [one.rule, one]));

/** Undefined for an ID that no rule has. */
export function findChangeRule(id: string): ChangeRule | undefined {
  return byId.get(id);
}
