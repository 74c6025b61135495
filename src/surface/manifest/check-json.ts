import { isJsonObject, type Json } from "../../model/json.ts";

/** Where in a document, for example `tools[0].title`. */
export type DocumentPath = string;
/** Of what a value should be and is not, a sentence; undefined where it is. */
export type JsonCheck = (value: Json, path: DocumentPath) => string | undefined;

const MOST_DEPTH = 64;

export const text: JsonCheck = (value, path) => expectKind(typeof value === "string", path, "a text");
export const count: JsonCheck = (value, path) =>
  expectKind(typeof value === "number" && Number.isFinite(value) && value >= 0, path, "a number");
export const flag: JsonCheck = (value, path) => expectKind(typeof value === "boolean", path, "true or false");

/** Anything that is not nested without end. */
export const anything: JsonCheck = (value, path) =>
  expectKind(isShallow(value, MOST_DEPTH), path, `nested at most ${MOST_DEPTH} deep`);

export function oneOf(...values: readonly Json[]): JsonCheck {
  return (value, path) =>
    expectKind(values.includes(value), path, values.map((one) => JSON.stringify(one)).join(" or "));
}

export function either(...checks: readonly JsonCheck[]): JsonCheck {
  return (value, path) => {
    const faults = checks.map((check) => check(value, path));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}

export function listOf(check: JsonCheck): JsonCheck {
  return (value, path) =>
    Array.isArray(value)
      ? firstFault(value.map((one: Json, at) => () => check(one, `${path}[${at}]`)))
      : expectKind(false, path, "a list");
}

/** An object whose keys are names. */
export function mapOf(check: JsonCheck): JsonCheck {
  return (value, path) =>
    isJsonObject(value)
      ? firstFault(
          Object.entries(value).map(
            ([name, one]) =>
              () =>
                check(one, inside(path, name)),
          ),
        )
      : expectKind(false, path, "an object");
}

type Checks = Readonly<Record<string, JsonCheck>>;

/** An object with these keys; `optional` ones may be absent, and others are not looked at: a later version may write more. */
export function objectOf(required: Checks, optional: Checks = {}): JsonCheck {
  return (value, path) => {
    if (!isJsonObject(value)) return expectKind(false, path, "an object");
    const own = new Map(Object.entries(value));
    const missing = Object.keys(required).find((key) => !own.has(key));
    if (missing !== undefined) return `\`${inside(path, missing)}\` is missing.`;
    return firstFault(
      Object.entries({ ...required, ...optional }).map(([key, check]) => () => {
        const one = own.get(key);
        return one === undefined ? undefined : check(one, inside(path, key));
      }),
    );
  };
}

function firstFault(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function expectKind(holds: boolean, path: DocumentPath, wanted: string): string | undefined {
  return holds ? undefined : `\`${path === "" ? "the document" : path}\` is not ${wanted}.`;
}

/** Names are a stranger's: cut, and as JSON writes them where they are no plain word. */
function inside(path: DocumentPath, name: string): DocumentPath {
  const shown = /^[\w-]{1,60}$/.test(name) ? name : JSON.stringify(name.slice(0, 60));
  return path === "" ? shown : `${path}.${shown}`;
}

function isShallow(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((one) => isShallow(one, depth - 1));
}
