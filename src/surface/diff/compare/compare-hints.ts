import type { ListedTool } from "../../../model/listed-tool.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { type CompareKey, compareKeys, type KeyTable, skip } from "./compare-keys.ts";
import { change, type Spot } from "./make-change.ts";

type Hints = ListedTool["annotations"];

/** By which clients approve calls. */
export function compareHints(before: Hints, after: Hints, spot: Spot) {
  return compareKeys(before, after, HINTS, spot);
}

const HINTS: KeyTable<Hints> = {
  // The tool's own, and compared there.
  title: skip,
  readOnlyHint: hint("became_read_only", "no_longer_read_only", "`readOnlyHint`"),
  destructiveHint: hint("became_destructive", "no_longer_destructive", "`destructiveHint`"),
  idempotentHint: hint("became_idempotent", "no_longer_idempotent", "`idempotentHint`"),
  openWorldHint: hint("became_open_world", "no_longer_open_world", "`openWorldHint`"),
};

function hint(whenTrue: ChangeRuleId, whenFalse: ChangeRuleId, what: string): CompareKey<boolean> {
  return function* (before, after, spot) {
    if (before !== after) yield change(after === true ? whenTrue : whenFalse, spot, before, after, what);
  };
}
