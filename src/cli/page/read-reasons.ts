const BEFORE = "Next: ";

/** Why each of these follows, off what a description says last (`Next:`), as this caller sees it. One that it does not name has no reason. */
export function readReasons(description: string, next: readonly string[]): ReadonlyMap<string, string> {
  const start = description.lastIndexOf(BEFORE);
  const said = start < 0 ? "" : description.slice(start + BEFORE.length);
  const places = next
    .map((name) => ({ name, named: `\`${name}\` `, at: placeOf(said, `\`${name}\` `) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  return new Map(
    places.map(({ name, named, at }, index) => {
      const reason = said.slice(at + named.length, places[index + 1]?.at).replace(/[;.\s]+$/, "");
      return [name, reason];
    }),
  );
}

/** At the beginning, or after the reason of another: a reason may name tools too. */
function placeOf(said: string, named: string): number {
  if (said.startsWith(named)) return 0;
  const at = said.indexOf(`; ${named}`);
  return at < 0 ? -1 : at + 2;
}
