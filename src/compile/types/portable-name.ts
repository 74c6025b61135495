/** Contract section 2: what every client takes as the name of an argument. */
const PORTABLE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
const LONGEST = 64;

/**
 * Names as callers may write them (`^[A-Za-z][A-Za-z0-9_]{0,63}$`), one for each of `wires` in its order: `filter[name]` becomes
 * `filter_name`. Names that fold into one are told apart by a number, those that need no folding keep their own.
 */
export function portableNames(wires: readonly string[]): string[] {
  const taken = new Set(wires.filter((wire) => foldName(wire) === wire));
  return wires.map((wire) => {
    const folded = foldName(wire);
    if (folded === wire) return wire;
    let name = folded;
    for (let count = 2; taken.has(name); count += 1) name = withNumber(folded, count);
    taken.add(name);
    return name;
  });
}

/** A name as callers may write it. */
export function foldName(wire: string): string {
  if (PORTABLE_NAME.test(wire)) return wire;
  const plain = wire.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
  if (plain === "") return "value";
  return (/^[A-Za-z]/.test(plain) ? plain : `n${plain}`).slice(0, LONGEST);
}

function withNumber(name: string, count: number): string {
  const ending = `_${count}`;
  return `${name.slice(0, LONGEST - ending.length)}${ending}`;
}
