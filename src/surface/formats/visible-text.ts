/** What a person does not see: controls, format characters (bidi, zero-width, tags), private use, unassigned, lone surrogates, fillers. */
const HIDDEN = /(?!\uFE0F)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/**
 * Text that others wrote, on one line and cut: what cannot be seen is spelt out, so that it neither hides nor acts (on a terminal, in a log).
 * Nor does it begin a workflow command, which a log of GitHub Actions would obey: `::` at the start and `##[` anywhere.
 */
export function visibleText(text: string, most = 1_000): string {
  const cut = text.length > most ? text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "") : text;
  const shown = cut
    .replace(HIDDEN, spell)
    .replaceAll("##[", "#\\u{23}[")
    .replace(/^(\s*)::/, "$1:\\u{3A}");
  return cut.length === text.length ? shown : `${shown}… (${text.length - cut.length} more characters)`;
}

/** JSON that parses to the same, in which nothing hides or acts either: each such character stands as its escape. */
export function visibleJson(json: string): string {
  const spellUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const shown = json.replace(HIDDEN, (found) => (found === "\n" ? found : found.split("").map(spellUnit).join("")));
  return shown.replaceAll("##[", "#\\u0023[");
}

function spell(character: string): string {
  return SHORT.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
