const LONGEST = 128;
/** Farther than any number of letters: one name holds the other … */
const HELD = LONGEST;
/** … and not as whole words. */
const OTHERWISE = 1;

/**
 * The names that someone may have meant by `wanted`, best first: the same but for letter case and separators, then those within a few letters, then
 * those of which it is one or more whole words, then those that hold it otherwise or are held by it. Ties keep the order of `names`.
 */
export function nearestNames(wanted: string, names: Iterable<string>, most = 3): string[] {
  const asked = fold(wanted);
  if (asked === "") return [];
  const scored: { name: string; distance: number }[] = [];
  for (const name of new Set(names)) {
    const distance = distanceBetween(asked, fold(name));
    if (distance === undefined) continue;
    scored.push({ name, distance: distance > HELD && holdsWords(name, wanted) ? distance - OTHERWISE : distance });
  }
  return scored
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map((one) => one.name);
}

function fold(name: string): string {
  return name
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Whether the words of a name (`ServiceName`, `service_name`) hold those of what was wanted, one after the other. */
function holdsWords(name: string, wanted: string): boolean {
  return ` ${wordsOf(name)} `.includes(` ${wordsOf(wanted)} `);
}

function wordsOf(name: string): string {
  const apart = name.slice(0, LONGEST).replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1 ");
  return apart
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Undefined where nobody would take the one for the other. */
function distanceBetween(asked: string, name: string): number | undefined {
  if (name === "") return undefined;
  if (asked === name) return 0;
  const [short, long] = asked.length < name.length ? [asked, name] : [name, asked];
  const allowed = Math.max(1, Math.floor(long.length / 3));
  if (long.length - short.length <= allowed) {
    const edits = editDistance(asked, name, allowed);
    if (edits <= allowed && edits < short.length) return edits;
  }
  return short.length >= 3 && long.includes(short)
    ? HELD + OTHERWISE + (long.length - short.length) / LONGEST
    : undefined;
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment); stops beyond `most`. */
export function editDistance(a: string, b: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    if (Math.min(...current) > most) return most + 1;
    [beforeLast, last] = [last, current];
  }
  return last[b.length]!;
}
