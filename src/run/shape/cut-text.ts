import { countCharacters } from "../clip-characters.ts";
import { jsonBytes } from "./json-bytes.ts";
import type { Omission } from "./omit.ts";

export interface CutText {
  readonly text: string;
  readonly omitted: readonly Omission[];
}
export type LineCut = { readonly head: number } | { readonly tail: number };

/** The first or the last lines of a text. A line break at the very end opens no further line. */
export function cutLines(text: string, cut: LineCut | undefined): CutText {
  if (!cut) return { text, omitted: [] };
  const ending = /\r?\n$/.exec(text)?.[0] ?? "";
  const lines = text.slice(0, text.length - ending.length).split("\n");
  const most = "head" in cut ? cut.head : cut.tail;
  if (lines.length <= most) return { text, omitted: [] };
  const kept = "head" in cut ? lines.slice(0, most) : lines.slice(-most);
  const side = "head" in cut ? "first" : "last";
  return {
    text: kept.join("\n") + ("tail" in cut ? ending : ""),
    omitted: [{ what: "lines", path: "text", kept: `${side} ${most} of ${lines.length}` }],
  };
}

/** The beginning or the end of a text, with `…` at the cut, so that it takes no more than so many bytes as a JSON string. */
export function cutCharacters(text: string, bytes: number, keep: "head" | "tail", path: string): CutText {
  if (text.length <= bytes && jsonBytes(text) <= bytes) return { text, omitted: [] };
  const kept = keep === "head" ? longestHead(text, bytes) : longestTail(text, bytes);
  const side = keep === "head" ? "" : "the last ";
  return {
    text: keep === "head" ? `${kept}…` : `…${kept}`,
    omitted: [{ what: "text", path, kept: `${side}${countCharacters(kept)} of ${countCharacters(text)} characters` }],
  };
}

function longestHead(text: string, bytes: number): string {
  return longest(text, bytes, (length) => text.slice(0, offsetAt(text, length)));
}

function longestTail(text: string, bytes: number): string {
  return longest(text, bytes, (length) => text.slice(offsetAfter(text, text.length - length)));
}

/** The longest of the parts, which grow with `length`, that fits together with `…`; at worst the empty one. */
function longest(text: string, bytes: number, part: (length: number) => string): string {
  let [low, high] = [0, Math.min(text.length, bytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(`${part(middle)}…`) <= bytes) low = middle;
    else high = middle - 1;
  }
  return part(low);
}

/** The offset, or the one before it where it lies inside a surrogate pair. */
function offsetAt(text: string, offset: number): number {
  return isInsidePair(text, offset) ? offset - 1 : offset;
}

function offsetAfter(text: string, offset: number): number {
  return isInsidePair(text, offset) ? offset + 1 : offset;
}

function isInsidePair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && text.codePointAt(offset - 1)! > 0xffff;
}
