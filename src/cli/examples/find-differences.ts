import { isJsonObject, type Json, ownValue } from "../../model/json.ts";

/** What stands in a wanted value for any text: tokens and the like are never the same twice. */
const ANY_TEXT = "…";

/** A place where two values differ. Undefined: there is nothing. */
export interface Difference {
  /** `rows[0].price`; empty for the whole. */
  readonly path: string;
  readonly wanted: Json | undefined;
  readonly got: Json | undefined;
}

/** Every place where `got` is not what is wanted, in its order; of what is on one side alone only the top. The order of keys does not count. */
export function findDifferences(wanted: Json, got: Json, path = ""): Difference[] {
  if (wanted === ANY_TEXT && typeof got === "string") return [];
  if (isList(wanted) && isList(got)) {
    const indexes = Array.from({ length: Math.max(wanted.length, got.length) }, (_, index) => index);
    return indexes.flatMap((index) => compareParts(wanted[index], got[index], `${path}[${index}]`));
  }
  if (isJsonObject(wanted) && isJsonObject(got)) {
    const keys = new Set([...Object.keys(wanted), ...Object.keys(got)]);
    return [...keys].flatMap((key) => compareParts(ownValue(wanted, key), ownValue(got, key), below(path, key)));
  }
  return Object.is(wanted, got) ? [] : [{ path, wanted, got }];
}

function compareParts(wanted: Json | undefined, got: Json | undefined, path: string): Difference[] {
  if (wanted === undefined || got === undefined) return [{ path, wanted, got }];
  return findDifferences(wanted, got, path);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function below(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
