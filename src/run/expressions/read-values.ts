import { ExpressionFailed } from "../../model/errors.ts";
import { isJsonObject, ownValue } from "../../model/json.ts";
import { type Budget, spend, spendText } from "./budget.ts";

/** The own property of an object, null where there is none: never `constructor`, `length` or another of the prototype's. */
export function readField(value: unknown, name: string): unknown {
  return isJsonObject(value) ? (ownValue(value, name) ?? null) : null;
}

/** Equality of JSON values, key order aside. */
export function areEqual(left: unknown, right: unknown, budget: Budget): boolean {
  spend(budget, 1);
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((element, index) => areEqual(element, right[index], budget));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const entries = Object.entries(left);
  if (entries.length !== Object.keys(right).length) return false;
  return entries.every(([key, value]) => Object.hasOwn(right, key) && areEqual(value, right[key], budget));
}

interface Slice {
  readonly start: number | null;
  readonly stop: number | null;
  readonly step: number | null;
}

/** `[start:stop:step]` of a list, or of a text by code points; null for anything else. */
export function sliceList(value: unknown, { start, stop, step: given }: Slice, budget: Budget): unknown {
  if (typeof value === "string") {
    spendText(budget, value.length);
    return (sliceList([...value], { start, stop, step: given }, budget) as string[]).join("");
  }
  if (!Array.isArray(value)) return null;
  const step = given ?? 1;
  if (step === 0) throw new ExpressionFailed("A slice has no step of zero.");
  const [lowest, highest] = step > 0 ? [0, value.length] : [-1, value.length - 1];
  const cap = (index: number) => Math.min(highest, Math.max(lowest, index < 0 ? index + value.length : index));
  const from = start === null ? (step > 0 ? 0 : value.length - 1) : cap(start);
  const to = stop === null ? (step > 0 ? value.length : -1) : cap(stop);
  const sliced: unknown[] = [];
  for (let index = from; step > 0 ? index < to : index > to; index += step) sliced.push(value[index]);
  spend(budget, sliced.length);
  return sliced;
}

/** Orders texts by code points, which UTF-16 does not beyond U+FFFF. */
export function compareCodePoints(left: string, right: string): number {
  const least = Math.min(left.length, right.length);
  for (let index = 0; index < least; index += 1) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (one !== other) return isSurrogate(one) === isSurrogate(other) ? one - other : isSurrogate(one) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
