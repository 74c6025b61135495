import type { Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { changeSaying, into, type Spot, show } from "./make-change.ts";

const SENTENCE = /(?<=[.!?…])\s+/;

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
  const [old, now] = [sentencesOf(before), sentencesOf(after)];
  return [old.filter((one) => !now.includes(one)), now.filter((one) => !old.includes(one))];
}

function sentencesOf(text = ""): string[] {
  return text.split(SENTENCE).filter((one) => one !== "");
}

interface Texts {
  readonly title: string;
  readonly description: string;
}

export function* compareTitles(before: Texts, after: Texts, spot: Spot): Iterable<Change> {
  yield* compareText("title_changed", into(spot, "title"), before.title, after.title, "The title");
  yield* compareText(
    "description_changed",
    into(spot, "description"),
    before.description,
    after.description,
    "The description",
  );
}
