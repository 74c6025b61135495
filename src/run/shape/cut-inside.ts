import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { cutCharacters } from "./cut-text.ts";
import { jsonBytes } from "./json-bytes.ts";
import type { Omission } from "./omit.ts";

export interface CutValue {
  readonly value: Json;
  readonly omitted: readonly Omission[];
}

/** Cuts beyond this are counted, not told one by one; what is told is merged to far fewer. */
const MOST_CUTS = 2_000;
/** Bytes of `"…"`, a text of which nothing is left. */
const SHORTEST = 5;
/** Where properties are left out, those that stay have so many bytes each: a few that say something, not many that say nothing. */
const WORTH = 80;

/**
 * The value cut until its JSON takes no more than so many bytes. The properties of an object share its room so that the longest are cut
 * first, and only where names alone are too much are properties left out, from the end; a list keeps its first items whole, and of one
 * that is too long for that the beginning. `known` may be kept for the same value and another size.
 */
export function cutInside(value: Json, bytes: number, path: string, known: Known = whatIsKnown()): CutValue {
  const cut: Cut = { ...known, omitted: [] };
  if (leastBytes(value) <= bytes) return { value: cutValue(value, bytes, path, cut), omitted: cut.omitted };
  return {
    value: null,
    omitted: [{ what: "items", ...(path && { path }), kept: "nothing: it does not fit the budget" }],
  };
}

/** What was found out of the lists and objects in a value. */
export interface Known {
  /** All their bytes, or that there are more than so many. */
  readonly measured: Map<object, { readonly bytes: number; readonly whole: boolean }>;
  /** Taking a large object apart is what costs. */
  readonly entries: Map<JsonObject, readonly (readonly [string, Json])[]>;
}

export function whatIsKnown(): Known {
  return { measured: new Map(), entries: new Map() };
}

interface Cut extends Known {
  readonly omitted: Omission[];
}

function entriesOf(object: JsonObject, { entries }: Known): readonly (readonly [string, Json])[] {
  const known = entries.get(object) ?? Object.entries(object);
  entries.set(object, known);
  return known;
}

/** `room` is at least `leastBytes` of the value. */
function cutValue(value: Json, room: number, path: string, cut: Cut): Json {
  if (bytesUpTo(value, room, cut) <= room) return value;
  if (typeof value === "string") {
    const shown = cutCharacters(value, room, "head", path);
    note(cut, shown.omitted[0]!);
    return shown.text;
  }
  if (Array.isArray(value)) return cutList(value, room, path, cut);
  return isJsonObject(value) ? cutObject(value, room, path, cut) : value;
}

function cutList(list: readonly Json[], room: number, path: string, cut: Cut): Json {
  const kept: Json[] = [];
  let left = room - 2;
  for (const item of list) {
    const own = kept.length > 0 ? 1 : 0;
    const bytes = bytesUpTo(item, left - own, cut);
    if (bytes > left - own) break;
    kept.push(item);
    left -= own + bytes;
  }
  // The item at which the room ends, where leaving it out would waste most of it.
  const next = list[kept.length];
  const at = `${path}[${kept.length}]`;
  const rest = kept.length > 0 ? left - 1 : left;
  if (next !== undefined && rest > room / 2 && leastBytes(next) <= rest) kept.push(cutValue(next, rest, at, cut));
  if (kept.length < list.length) note(cut, { what: "items", path, kept: `${kept.length} of ${list.length}` });
  return kept;
}

interface Property {
  readonly name: string;
  readonly inside: Json;
  readonly least: number;
  /** Beyond the room of its object it is not measured. */
  readonly bytes: number;
}

function cutObject(object: JsonObject, room: number, path: string, cut: Cut): Json {
  const entries = entriesOf(object, cut);
  const { kept, spare } = keepProperties(entries, room, cut);
  if (kept.length < entries.length)
    note(cut, { what: "properties", path, kept: `${kept.length} of ${entries.length}` });
  const share = findShare(kept, spare, room);
  let unused = 0;
  const shown = kept.map(({ name, inside, least, bytes }): readonly [string, Json] => {
    const own = Math.max(least, share);
    if (bytes <= own) return [name, inside];
    const value = cutValue(inside, own + unused, path === "" ? name : `${path}.${name}`, cut);
    unused += own - bytesUpTo(value, own + unused, cut);
    return [name, value];
  });
  return Object.fromEntries(shown);
}

/** All properties where each can be there in some way, else the first that can be there in a way that is worth it. */
function keepProperties(entries: readonly (readonly [string, Json])[], room: number, cut: Cut): Kept {
  const all = keepWhile(entries, room, cut, leastBytes);
  if (all.kept.length === entries.length) return all;
  const few = keepWhile(entries, room, cut, (inside) =>
    Math.max(leastBytes(inside), Math.min(WORTH, bytesUpTo(inside, WORTH, cut))),
  );
  return few.kept.length > 0 ? few : all;
}

interface Kept {
  readonly kept: readonly Property[];
  /** Of the room, what is left over the least of all that is kept. */
  readonly spare: number;
}

function keepWhile(
  entries: readonly (readonly [string, Json])[],
  room: number,
  cut: Cut,
  floor: (inside: Json) => number,
): Kept {
  const kept: Property[] = [];
  let spare = room - 2;
  for (const [name, inside] of entries) {
    const least = floor(inside);
    const own = jsonBytes(name) + (kept.length > 0 ? 2 : 1);
    if (own + least > spare) break;
    kept.push({ name, inside, least, bytes: bytesUpTo(inside, room, cut) });
    spare -= own + least;
  }
  return { kept, spare };
}

/** The most bytes that each value may take so that all together take no more than `spare` above their least. */
function findShare(properties: readonly Property[], spare: number, room: number): number {
  const above = (share: number) =>
    properties.reduce((sum, { least, bytes }) => sum + Math.max(0, Math.min(bytes, share) - least), 0);
  let [low, high] = [0, room];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (above(middle) <= spare) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What is left of a value that is cut as far as it can be. */
function leastBytes(value: Json): number {
  if (typeof value === "string") return value.length > SHORTEST ? SHORTEST : Math.min(SHORTEST, jsonBytes(value));
  return typeof value === "object" && value !== null ? 2 : jsonBytes(value);
}

/** The bytes of the value's JSON, or any number over `most` where there are more: a large value is not looked at whole. */
function bytesUpTo(value: Json, most: number, cut: Known): number {
  // A character takes at least a byte.
  if (typeof value === "string") return value.length > most ? value.length : jsonBytes(value);
  if (typeof value !== "object" || value === null) return jsonBytes(value);
  const known = cut.measured.get(value);
  if (known !== undefined && (known.whole || known.bytes > most)) return known.bytes;
  let bytes = 2;
  const add = (own: number, inside: Json) => {
    bytes += (bytes > 2 ? 1 : 0) + own;
    if (bytes <= most) bytes += bytesUpTo(inside, most - bytes, cut);
    return bytes > most;
  };
  if (Array.isArray(value)) value.some((item) => add(0, item));
  else entriesOf(value as JsonObject, cut).some(([name, inside]) => add(jsonBytes(name) + 1, inside));
  cut.measured.set(value, { bytes, whole: bytes <= most });
  return bytes;
}

function note({ omitted }: Cut, omission: Omission): void {
  if (omitted.length < MOST_CUTS) omitted.push(omission);
}
