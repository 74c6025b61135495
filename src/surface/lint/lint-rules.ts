import type { LintRule } from "./lint-rule.ts";
import { DEPENDENCY_RULES } from "./rules/dependency-rules.ts";
import { NAME_RULES } from "./rules/name-rules.ts";
import { PARAMETER_RULES } from "./rules/parameter-rules.ts";
import { SCHEMA_RULES } from "./rules/schema-rules.ts";
import { VALUE_RULES } from "./rules/value-rules.ts";
import { EFFECT_RULES } from "./rules-effects/effect-rules.ts";
import { FILTER_RULES } from "./rules-effects/filter-rules.ts";
import { LIST_RULES } from "./rules-list/list-rules.ts";
import { UPSTREAM_RULES } from "./rules-list/upstream-rules.ts";
import { MEANING_RULES } from "./rules-reply/meaning-rules.ts";
import { SIZE_RULES } from "./rules-reply/size-rules.ts";
import { DESCRIPTION_RULES } from "./rules-words/description-rules.ts";
import { SUSPICION_RULES } from "./rules-words/suspicion-rules.ts";
import { TEXT_RULES } from "./rules-words/text-rules.ts";

/** Every rule of `vitrine check` beyond the compiler's own, in the order in which they are told of one place. */
export const LINT_RULES: readonly LintRule[] = [
  ...SUSPICION_RULES,
  ...NAME_RULES,
  ...DESCRIPTION_RULES,
  ...TEXT_RULES,
  ...EFFECT_RULES,
  ...SCHEMA_RULES,
  ...PARAMETER_RULES,
  ...VALUE_RULES,
  ...DEPENDENCY_RULES,
  ...FILTER_RULES,
  ...SIZE_RULES,
  ...MEANING_RULES,
  ...UPSTREAM_RULES,
  ...LIST_RULES,
];
