import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import { once } from "../model/once.ts";
import { parseJson } from "./number-spelling.ts";
import { type Member, type Span, scanJson } from "./scan-json.ts";

export interface LazyLimits {
  /** Below this a document is parsed at once: that is fast enough, and finds each of its faults. In bytes. */
  readonly document: number;
  /** Members below this size are parsed with the object that they stand in. In bytes. */
  readonly member: number;
}

const LIMITS: LazyLimits = { document: 1_000_000, member: 300 };
/** Down to the members of an operation or of a component: `paths`, a path, a method, a member. */
const LEVELS = 4;

/**
 * A large JSON document of which only what is read is ever parsed: a curation needs perhaps a hundredth of 13 MB. To whoever uses it, it is as
 * `JSON.parse` would make it. Undefined where it is small or may not be JSON. What turns out not to be JSON when it is read is taken from
 * `parseWhole`, or that throws.
 */
export function parseLazily(bytes: Buffer, parseWhole: () => unknown, limits = LIMITS): JsonObject | undefined {
  const root = bytes.length < limits.document ? undefined : scanJson(bytes, { levels: LEVELS, large: limits.member });
  if (root === undefined) return undefined;
  let whole: unknown;
  const parseOnce = (): unknown => {
    whole ??= parseWhole();
    return whole;
  };
  const value = parseSpan({ bytes, parseWhole: parseOnce }, root, []);
  return isJsonObject(value) ? value : undefined;
}

/**
 * What the small members of a member say that is not made yet; where one of the large ones stands, it says 0. Undefined where it is made, or has to be.
 * Of some thousand operations a curation is looking for a few.
 */
export function glimpse(holder: JsonObject, name: string): JsonObject | undefined {
  const get = Object.getOwnPropertyDescriptor(holder, name)?.get;
  try {
    return get && unmade.get(get)?.();
  } catch {
    return undefined;
  }
}

const unmade = new WeakMap<() => Json, () => JsonObject>();

interface Source {
  readonly bytes: Buffer;
  parseWhole(): unknown;
}

function parseSpan(source: Source, span: Span, path: readonly string[], small = smallOf(source, span)): Json {
  try {
    if (small !== undefined) return openObject(source, small(), span.large ?? [], path);
    return parseJson(source.bytes.toString("utf8", span.start, span.end)) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const step = (value: unknown, name: string) => (isJsonObject(value) ? ownValue(value, name) : undefined);
    return path.reduce(step, source.parseWhole()) as Json;
  }
}

/** Gives the small members of an object that has large ones, parsed once. Throws SyntaxError. */
function smallOf({ bytes }: Source, span: Span): (() => JsonObject) | undefined {
  const { large = [], count } = span;
  if (large.length === 0) return undefined;
  return once(() => {
    const object = parseJson(outline(bytes, span, large)) as JsonObject;
    // Of a name that comes twice the last one counts, which is not known here.
    if (Object.keys(object).length !== count) throw new SyntaxError("A name comes twice.");
    return object;
  });
}

/** Puts each large member in its place among the small ones. */
function openObject(source: Source, object: JsonObject, large: readonly Member[], path: readonly string[]): JsonObject {
  for (const member of large) {
    const name = JSON.parse(source.bytes.toString("utf8", member.keyStart, member.keyEnd)) as string;
    const small = smallOf(source, member);
    const get = defineLazily(object, name, () => parseSpan(source, member, [...path, name], small));
    if (small !== undefined) unmade.set(get, small);
  }
  return object;
}

/** The text of an object with a 0 for each large member. */
function outline(bytes: Buffer, { start, end }: Span, large: readonly Member[]): string {
  let text = "";
  let from = start;
  for (const member of large) {
    text += `${bytes.toString("utf8", from, member.keyEnd)}:0`;
    from = member.end;
  }
  return text + bytes.toString("utf8", from, end);
}

/** A member that is made when it is first read, and is an ordinary one from then on. */
function defineLazily(object: JsonObject, name: string, make: () => Json): () => Json {
  const set = (value: Json): void => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  };
  const get = (): Json => {
    const value = make();
    set(value);
    return value;
  };
  Object.defineProperty(object, name, { get, set, enumerable: true, configurable: true });
  return get;
}
