import { isJsonObject, type Json } from "../../model/json.ts";
import { cutCharacters } from "./cut-text.ts";
import { jsonBytes } from "./json-bytes.ts";
import type { Omission } from "./omit.ts";

export interface CutValue {
  readonly value: Json;
  readonly omitted: readonly Omission[];
}

/** Cuts beyond this are counted, not told one by one; what is told is merged to far fewer. */
const MOST_CUTS = 2_000;
/** Bytes of a text of which nothing but `…` is left. */
const SHORTEST = 5;
/** Properties are given up only where shorter lists and texts are not enough. */
const STEPS = ["lists", "objects"] as const;

/**
 * The value cut at its longest lists and texts until its JSON takes no more than so many bytes: no list or text may be longer than a
 * bound, and the bound is the largest that fits. Where that is not enough, objects lose properties from their end likewise.
 */
export function cutInside(value: Json, bytes: number, path: string): CutValue {
  for (const step of STEPS) {
    const bound = findBound(value, bytes, step);
    if (bound === undefined) continue;
    const omitted: Omission[] = [];
    const cut: Cut = { bound, step, budget: Number.POSITIVE_INFINITY, visited: 0, omitted };
    return { value: cutValue(value, path, cut).value, omitted };
  }
  return {
    value: null,
    omitted: [{ what: "items", ...(path && { path }), kept: "nothing: it does not fit the budget" }],
  };
}

function findBound(value: Json, bytes: number, step: Cut["step"]): number | undefined {
  const fits = (bound: number) => {
    const trial: Cut = { bound, step, budget: 8 * bytes + 64_000, visited: 0 };
    return cutValue(value, "", trial).bytes <= bytes;
  };
  if (!fits(0)) return undefined;
  let [low, high] = [0, bytes];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Cut {
  /** The most bytes of one list or text (or object, in the second step). */
  readonly bound: number;
  readonly step: (typeof STEPS)[number];
  /** A trial that has looked at so many bytes is far too large already and ends. */
  readonly budget: number;
  visited: number;
  /** Only the last pass tells what it cut. */
  readonly omitted?: Omission[];
}

interface Sized {
  readonly value: Json;
  readonly bytes: number;
}

function cutValue(value: Json, path: string, cut: Cut): Sized {
  if (cut.visited > cut.budget) return { value: null, bytes: Number.POSITIVE_INFINITY };
  if (typeof value === "string") return cutText(value, path, cut);
  if (Array.isArray(value)) return cutList(value, path, cut);
  if (isJsonObject(value)) return cutObject(value, path, cut);
  const bytes = jsonBytes(value);
  cut.visited += bytes;
  return { value, bytes };
}

function cutText(text: string, path: string, cut: Cut): Sized {
  // A character takes at least a byte, so a text that is long enough need not be measured.
  const whole = text.length <= Math.max(cut.bound, SHORTEST) ? jsonBytes(text) : Number.POSITIVE_INFINITY;
  const size = Math.min(whole, cut.bound);
  cut.visited += size;
  if (whole <= Math.max(cut.bound, SHORTEST)) return { value: text, bytes: whole };
  const shown = cutCharacters(text, Math.max(cut.bound, SHORTEST), "head", path);
  note(cut, () => shown.omitted[0]!);
  return { value: shown.text, bytes: jsonBytes(shown.text) };
}

function cutList(list: readonly Json[], path: string, cut: Cut): Sized {
  const kept: Json[] = [];
  let bytes = 2;
  for (const [index, item] of list.entries()) {
    const before = cut.omitted?.length ?? 0;
    const one = cutValue(item, `${path}[${index}]`, cut);
    const after = bytes + one.bytes + (index > 0 ? 1 : 0);
    if (after > cut.bound) {
      // What was cut inside an item that is then left out is not told.
      cut.omitted?.splice(before);
      break;
    }
    kept.push(one.value);
    bytes = after;
  }
  if (kept.length < list.length) note(cut, () => ({ what: "items", path, kept: `${kept.length} of ${list.length}` }));
  return { value: kept, bytes };
}

function cutObject(object: { readonly [name: string]: Json }, path: string, cut: Cut): Sized {
  const entries = Object.entries(object);
  const kept: [string, Json][] = [];
  let bytes = 2;
  for (const [name, inside] of entries) {
    const before = cut.omitted?.length ?? 0;
    const one = cutValue(inside, path === "" ? name : `${path}.${name}`, cut);
    const after = bytes + jsonBytes(name) + 1 + one.bytes + (kept.length > 0 ? 1 : 0);
    if (cut.step === "objects" && after > cut.bound) {
      cut.omitted?.splice(before);
      break;
    }
    kept.push([name, one.value]);
    bytes = after;
  }
  if (kept.length < entries.length)
    note(cut, () => ({ what: "properties", path, kept: `${kept.length} of ${entries.length}` }));
  return { value: Object.fromEntries(kept), bytes };
}

function note(cut: Cut, omission: () => Omission): void {
  if (cut.omitted && cut.omitted.length < MOST_CUTS) cut.omitted.push(omission());
}
