import { isJsonObject, type Json } from "../../model/json.ts";
import { exactDigits } from "./exact-number.ts";

/** In a pointer of `setWhereSent`: every item of a list, every value of a map. */
const EACH = "-";

/** `whole` with `value` at `pointer`, objects made where none are; what is no object on the way is replaced. Changes nothing in place. */
export function setInside(whole: Json | undefined, pointer: readonly string[], value: Json): Json {
  const [key, ...rest] = pointer;
  if (key === undefined) return value;
  const holder = asObject(whole) ?? {};
  const inner = Object.hasOwn(holder, key) ? holder[key] : undefined;
  return withKey(holder, key, setInside(inner, rest, value));
}

/** `whole` with `value` at `pointer` wherever the object that would hold it is there already. Changes nothing in place. */
export function setWhereSent(whole: Json, pointer: readonly string[], value: Json): Json {
  const [key, ...rest] = pointer;
  if (key === undefined) return value;
  if (key === EACH && rest.length > 0) {
    if (Array.isArray(whole)) return whole.map((item) => setWhereSent(item, rest, value));
    const map = asObject(whole);
    if (map === undefined) return whole;
    return Object.fromEntries(Object.entries(map).map(([name, inner]) => [name, setWhereSent(inner, rest, value)]));
  }
  const holder = asObject(whole);
  if (holder === undefined) return whole;
  if (rest.length === 0) return withKey(holder, key, value);
  return Object.hasOwn(holder, key) ? withKey(holder, key, setWhereSent(holder[key]!, rest, value)) : whole;
}

/** `whole` with each value that stands at `pointer` changed, `-` read as above. Changes nothing in place. */
export function changeInside(whole: Json, pointer: readonly string[], change: (value: Json) => Json): Json {
  const [key, ...rest] = pointer;
  if (key === undefined) return change(whole);
  if (key === EACH && Array.isArray(whole)) return whole.map((item: Json) => changeInside(item, rest, change));
  const holder = asObject(whole);
  if (holder === undefined) return whole;
  if (key !== EACH)
    return Object.hasOwn(holder, key) ? withKey(holder, key, changeInside(holder[key]!, rest, change)) : whole;
  return Object.fromEntries(Object.entries(holder).map(([name, inner]) => [name, changeInside(inner, rest, change)]));
}

/** Everything that stands at `pointer`, `-` read as above; undefined for a holder that lacks it. */
export function readInside(whole: Json | undefined, pointer: readonly string[]): (Json | undefined)[] {
  const [key, ...rest] = pointer;
  if (key === undefined) return [whole];
  if (key === EACH && typeof whole === "object" && whole !== null) {
    return Object.values(whole).flatMap((inner: Json) => readInside(inner, rest));
  }
  const holder = asObject(whole);
  if (holder === undefined) return [];
  if (!Object.hasOwn(holder, key)) return rest.length === 0 ? [undefined] : [];
  return readInside(holder[key], rest);
}

function asObject(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  return isJsonObject(value) && exactDigits(value as Json) === undefined
    ? (value as Readonly<Record<string, Json>>)
    : undefined;
}

// Object.fromEntries defines own properties, so that a key `__proto__` is one like any other.
function withKey(holder: Readonly<Record<string, Json>>, key: string, value: Json): Json {
  const entries = new Map(Object.entries(holder));
  entries.set(key, value);
  return Object.fromEntries(entries);
}
