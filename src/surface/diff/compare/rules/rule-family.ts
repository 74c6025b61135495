import type { ChangeClass } from "../../change.ts";

/** Rules that matter for one reason and have one remedy. */
export interface RuleFamily {
  readonly why: string;
  readonly remedy: string;
  readonly rules: readonly (readonly [rule: string, is: ChangeClass, title: string])[];
}
