import { isJsonObject, type Json } from "../../model/json.ts";

/** A text no longer than this can be a name; what is longer describes. */
const LONGEST_NAME = 100;

/**
 * The rows that hold every word, in any order, letter case and diacritics aside, in any of their texts. First those with a name that is
 * exactly what was searched for (`region id` is `RegionId`), then those with such a part of a name (behind / . : or a space), then those
 * where a name or a part begins with it, then those whose names hold all the words, then the others; each in the order that they had.
 */
export function searchRows<E extends { readonly row: Json }>(entries: readonly E[], searched: string): readonly E[] {
  const words = fold(searched).split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const whole = words.join(" ");
  const ranked: E[][] = [[], [], [], [], []];
  for (const entry of entries) {
    const texts = textsOf(entry.row).map(fold);
    const everything = texts.join("\n");
    if (words.every((word) => everything.includes(word))) ranked[rankOf(texts, whole, words)]!.push(entry);
  }
  return ranked.flat();
}

function rankOf(texts: readonly string[], whole: string, words: readonly string[]): number {
  const names = texts.filter((text) => text.length <= LONGEST_NAME);
  const wanted = joined(whole);
  const parts = names.flatMap(partsOf).map(joined);
  if (names.some((name) => joined(name) === wanted)) return 0;
  if (parts.includes(wanted)) return 1;
  if (parts.some((part) => part.startsWith(wanted))) return 2;
  const together = names.join("\n");
  return words.every((word) => together.includes(word)) ? 3 : 4;
}

/** Without what stands between the words of a name: people search for `service name` where the name is `ServiceName`. */
function joined(name: string): string {
  return name.replace(/[\s_-]+/g, "");
}

/** `focus/region name` is found as such, and from `region name` and `name` on. */
function partsOf(name: string): string[] {
  return [...name.matchAll(/(?:^|[/.:\s])(?=[^/.:\s])/g)].map((cut) => name.slice(cut.index + cut[0].length));
}

function textsOf(row: Json): string[] {
  if (row === null) return [];
  if (typeof row !== "object") return [String(row)];
  return (isJsonObject(row) ? Object.values(row) : row).flatMap((cell) =>
    typeof cell === "object" && cell !== null ? [JSON.stringify(cell)] : cell === null ? [] : [String(cell)],
  );
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
