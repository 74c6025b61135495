import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { PropertyType, ValueType } from "../../model/value.ts";
import { exactDigits } from "../request/exact-number.ts";
import { writeJson } from "../request/write-json.ts";
import { boundArguments } from "./bound-arguments.ts";
import { parseExactly } from "./parse-exactly.ts";
import { type Argument, pinnedFault, type Reading, refuse } from "./reading.ts";

type Kind<K extends ValueType["kind"]> = Extract<ValueType, { kind: K }>;

/** Where one text can stand for a list of one: a list of these. */
const TEXT_KINDS: ReadonlySet<ValueType["kind"]> = new Set(["string", "enum", "date", "date-time"]);

/** A comma or a bracket may be meant to separate, and these words to say that there is none: then a text has more than one meaning. */
const UNSURE = /^\s*[[{]|,|```|^\s*(null|NULL|None|nil|undefined)\s*$/;

/** A list, a list as JSON text, or one text alone where the items are texts. */
export function readList(type: Kind<"array">, raw: Json, path: string, reading: Reading): Argument | undefined {
  const list = listOf(type, raw, path, reading);
  if (!Array.isArray(list)) return refuse(reading, path, "a list", raw);
  const { minItems, maxItems } = type;
  if (maxItems !== undefined && list.length > maxItems)
    return refuse(reading, path, `a list of at most ${maxItems}, not ${list.length}`, raw);
  if (minItems !== undefined && list.length < minItems)
    return refuse(reading, path, `a list of at least ${minItems}, not ${list.length}`, raw);
  const items = allOf(list.map((item: Json, index) => reading.read(type.items, item, `${path}[${index}]`)));
  if (!items) return undefined;
  const doubled = type.uniqueItems ? findDoubled(items) : undefined;
  if (doubled !== undefined)
    return refuse(reading, `${path}[${doubled}]`, "unlike the items before it", items[doubled]!.caller);
  return { caller: items.map((item) => item.caller), wire: items.map((item) => item.wire) };
}

function listOf(type: Kind<"array">, raw: Json, path: string, reading: Reading): Json {
  if (typeof raw !== "string") return raw;
  const parsed = parseExactly(raw);
  if (Array.isArray(parsed)) return boundParsed(parsed, path, reading);
  const isListed = type.items.kind === "enum" && type.items.values.some(({ text }) => text === raw);
  return isListed || (TEXT_KINDS.has(type.items.kind) && raw !== "" && !UNSURE.test(raw)) ? [raw] : raw;
}

/** An object with known names, or that object as JSON text. */
export function readObject(type: Kind<"object">, raw: Json, path: string, reading: Reading): Argument | undefined {
  const object = objectOf(raw, path, reading);
  if (!isJsonObject(object)) return refuse(reading, path, "an object", raw);
  const before = reading.faults.length;
  const names = type.properties.map((property) => property.name);
  const keys = new Map(type.properties.map((property) => [keyOf(property, object, names), property]));
  const caller: [string, Json][] = [];
  const wire: [string, Json][] = [];
  for (const name of Object.keys(object)) {
    if (keys.has(name)) continue;
    const other = readOther(type, name, object[name]!, path, names, reading);
    if (other) {
      caller.push([name, other.caller]);
      wire.push([name, other.wire]);
    }
  }
  for (const [key, property] of keys) {
    const stated = ownValue(object, key) ?? null;
    // A null that the upstream does not accept means "not set" (clients send it so).
    const isSet = stated !== null || (Object.hasOwn(object, key) && property.type.nullable === true);
    const given = isSet ? stated : property.fallback;
    if (given === undefined) {
      if (property.required) refuse(reading, `${path}.${property.name}`, "given", null);
      continue;
    }
    const value = reading.read(property.type, given, `${path}.${property.name}`);
    if (!value) continue;
    caller.push([property.name, value.caller]);
    wire.push([property.wire, value.wire]);
  }
  if (reading.faults.length > before) return undefined;
  return { caller: Object.fromEntries(caller), wire: Object.fromEntries(wire) };
}

/** Callers who know the upstream's own name of a property may write that; it has one meaning where nothing else is called so. */
function keyOf({ name, wire }: PropertyType, object: JsonObject, names: readonly string[]): string {
  return !Object.hasOwn(object, name) && Object.hasOwn(object, wire) && !names.includes(wire) ? wire : name;
}

/** A property that the type does not name: read where the spec says what such are, else refused. */
function readOther(
  { others, properties, names: allowed }: Kind<"object">,
  name: string,
  given: Json,
  path: string,
  names: readonly string[],
  reading: Reading,
): Argument | undefined {
  const isKnown = properties.some(({ wire }) => wire === name);
  const isAllowed = allowed === undefined || reading.matches(allowed, name) !== false;
  if (others !== undefined && isAllowed && !isKnown && !reading.pinnedInside.has(name.toLowerCase()))
    return reading.read(others, given, `${path}.${name}`);
  refuseName(name, path, names, reading);
  return undefined;
}

function refuseName(name: string, path: string, names: readonly string[], reading: Reading): void {
  const at = `${path}.${name}`;
  if (reading.pinnedInside.has(name.toLowerCase())) {
    reading.faults.push(pinnedFault(at));
    return;
  }
  const nearest = nearestNames(name, names);
  const hint = nearest.length > 0 ? "" : ` Its names: ${names.slice(0, 20).join(", ")}.`;
  const message = `\`${path}\` has no \`${name.slice(0, 64)}\`.${hint}`;
  reading.faults.push({ code: "unknown_argument", path: at, message, nearest });
}

/** A free-form map: a list of `{key, value}`, or the plain object that clients send all the same. */
export function readMap(type: Kind<"map">, raw: Json, path: string, reading: Reading): Argument | undefined {
  const entries = entriesOf(objectOf(raw, path, reading));
  if (!entries) return refuse(reading, path, "a list of {key, value}", raw);
  const before = reading.faults.length;
  const seen = new Map<string, Argument>();
  for (const [index, { key, value }] of entries.entries()) {
    if (reading.pinnedInside.has(key.toLowerCase())) reading.faults.push(pinnedFault(`${path}[${index}].key`));
    if (type.names !== undefined && reading.matches(type.names, key) === false)
      refuse(reading, `${path}[${index}].key`, `a text that matches the pattern ${type.names}`, key);
    if (seen.has(key)) refuse(reading, `${path}[${index}].key`, "unlike the keys before it", key);
    const read = reading.read(type.values, value, `${path}[${index}].value`);
    if (read) seen.set(key, read);
  }
  if (reading.faults.length > before) return undefined;
  return {
    caller: [...seen].map(([key, value]) => ({ key, value: value.caller })),
    wire: Object.fromEntries([...seen].map(([key, value]) => [key, value.wire])),
  };
}

function entriesOf(raw: Json): { key: string; value: Json }[] | undefined {
  if (isJsonObject(raw)) return Object.entries(raw).map(([key, value]) => ({ key, value }));
  if (!Array.isArray(raw)) return undefined;
  const entries = (raw as readonly Json[]).map((entry) => {
    if (!isJsonObject(entry) || Object.keys(entry).some((name) => name !== "key" && name !== "value")) return undefined;
    const key = ownValue(entry, "key");
    const value = ownValue(entry, "value");
    return typeof key === "string" && value !== undefined ? { key, value } : undefined;
  });
  return allOf(entries);
}

/** A text that is JSON for an object or a list becomes that. */
function objectOf(raw: Json, path: string, reading: Reading): Json {
  const parsed = typeof raw === "string" ? parseExactly(raw) : undefined;
  const isNested = typeof parsed === "object" && parsed !== null && exactDigits(parsed) === undefined;
  return isNested ? boundParsed(parsed, path, reading) : raw;
}

function boundParsed(parsed: JsonObject | readonly Json[], path: string, reading: Reading): Json {
  const fault = boundArguments(parsed, path);
  if (!fault) return parsed;
  reading.faults.push(fault);
  return null;
}

/** The items, or undefined where one is missing. */
function allOf<T>(items: readonly (T | undefined)[]): T[] | undefined {
  const there = items.filter((item) => item !== undefined);
  return there.length === items.length ? there : undefined;
}

function findDoubled(items: readonly Argument[]): number | undefined {
  const seen = new Set<string>();
  const index = items.findIndex(({ wire }) => seen.size === seen.add(writeJson(wire)).size);
  return index < 0 ? undefined : index;
}
