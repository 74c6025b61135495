import { sentencesOf } from "../../../model/sentences-of.ts";
import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { changeSaying, type Spot, show } from "./make-change.ts";

/** Two texts; the message names the sentences that only one of them has. */
export function* compareText(
  rule: ChangeRuleId,
  spot: Spot,
  before: string | undefined,
  after: string | undefined,
  what: string,
): Iterable<Change> {
  if (before === after) return;
  const [gone, come] = ownSentences(before, after);
  const parts = [
    ...(gone.length > 0 ? [`no longer says ${show(gone.join(" "))}`] : []),
    ...(come.length > 0 ? [`now says ${show(come.join(" "))}`] : []),
  ];
  yield changeSaying(
    rule,
    spot,
    before,
    after,
    `${what} ${parts.length > 0 ? parts.join(" and ") : "says the same in another order"}.`,
  );
}

/** The sentences that only the first text has, and those that only the second has. */
export function ownSentences(
  before: string | undefined,
  after: string | undefined,
): readonly [readonly string[], readonly string[]] {
  const [old, now] = [sentencesOf(before ?? ""), sentencesOf(after ?? "")];
  return [old.filter((one) => !now.includes(one)), now.filter((one) => !old.includes(one))];
}
