/**
 * The text without the sentences that name a hidden tool, in backticks and by the name that callers see; of a `Next:` only
 * the part between semicolons goes.
 */
export function withoutSentences(text: string, hidden: ReadonlySet<string>): string {
  const namesHidden = (part: string) => [...part.matchAll(/`([^`\n]+)`/g)].some(([, name]) => hidden.has(name!));
  const sentences = text.split(/(?<=[.!?](?:["')]|`(?=\s))?)(?=\s)/);
  const kept = sentences.flatMap((sentence) => {
    if (!namesHidden(sentence)) return sentence;
    const [, space = "", head = "", list = ""] = /^(\s*)(Next: )([\s\S]*?)\.?$/.exec(sentence) ?? [];
    const parts = list.split("; ").filter((part) => part !== "" && !namesHidden(part));
    return head === "" || parts.length === 0 ? [] : `${space}${head}${parts.join("; ")}.`;
  });
  return kept.join("").trim();
}
