import { sentencesOf } from "../sentences-of.ts";

/** What one action says of an input. */
export interface ActionWords {
  readonly action: string;
  readonly text: string;
}

/** The sentences that all actions share once, then what only some of them say, each with its actions: `` `list`: 1 to 100. `` */
export function mergeWords(words: readonly ActionWords[]): string {
  const all = words.map(({ action, text }) => ({ action, sentences: sentencesOf(text) }));
  const shared = (all[0]?.sentences ?? []).filter((one) => all.every(({ sentences }) => sentences.includes(one)));
  const byRest = new Map<string, string[]>();
  for (const { action, sentences } of all) {
    const rest = sentences.filter((one) => !shared.includes(one)).join(" ");
    if (rest !== "") byRest.set(rest, [...(byRest.get(rest) ?? []), action]);
  }
  const own = [...byRest].map(([rest, actions]) => `${actions.map((one) => `\`${one}\``).join(", ")}: ${rest}`);
  return [...shared, ...own].join(" ");
}
