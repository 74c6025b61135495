import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import { parseJson } from "./exact-integers.ts";
import { type Member, type Span, scanJson } from "./scan-json.ts";

export interface LazyLimits {
  /** Below this a document is parsed at once: that is fast enough, and finds each of its faults. In bytes. */
  readonly document: number;
  /** Members up to this size are parsed with the object that they stand in. In bytes. */
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
  const root = bytes.length < limits.document ? undefined : scanJson(bytes, LEVELS);
  if (root === undefined) return undefined;
  let whole: unknown;
  const parseOnce = (): unknown => {
    whole ??= parseWhole();
    return whole;
  };
  const value = parseSpan({ bytes, parseWhole: parseOnce, most: limits.member }, root, []);
  return isJsonObject(value) ? value : undefined;
}

interface Source {
  readonly bytes: Buffer;
  readonly most: number;
  parseWhole(): unknown;
}

function parseSpan(source: Source, span: Span, path: readonly string[]): Json {
  try {
    if (span.members !== undefined) return openObject(source, span.members, path);
    return parseJson(textOf(source, span)) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const step = (value: unknown, name: string) => (isJsonObject(value) ? ownValue(value, name) : undefined);
    return path.reduce(step, source.parseWhole()) as Json;
  }
}

/** The small members parsed, and each large one in its place among them. */
function openObject(source: Source, members: readonly Member[], path: readonly string[]): JsonObject {
  const object = parseJson(`{${outline(source, members)}}`) as JsonObject;
  // Of a name that comes twice the last one counts, which is not known here.
  if (Object.keys(object).length !== members.length) throw new SyntaxError("A name comes twice.");
  for (const { key, value } of members) {
    if (isSmall(source, value)) continue;
    const name = JSON.parse(textOf(source, key)) as string;
    defineLazily(object, name, () => parseSpan(source, value, [...path, name]));
  }
  return object;
}

/** The text of the members with a 0 for each large one. Small neighbours are cut out together. */
function outline(source: Source, members: readonly Member[]): string {
  const parts: string[] = [];
  let from: number | undefined;
  let end = 0;
  for (const { key, value } of members) {
    const small = isSmall(source, value);
    from ??= key.start;
    end = small ? value.end : key.end;
    if (small) continue;
    parts.push(`${textOf(source, { start: from, end })}:0`);
    from = undefined;
  }
  if (from !== undefined) parts.push(textOf(source, { start: from, end }));
  return parts.join();
}

/** A member that is made when it is first read, and is an ordinary one from then on. */
function defineLazily(object: JsonObject, name: string, make: () => Json): void {
  const set = (value: Json): void => {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  };
  const get = (): Json => {
    const value = make();
    set(value);
    return value;
  };
  Object.defineProperty(object, name, { get, set, enumerable: true, configurable: true });
}

function isSmall({ most }: Source, { start, end }: Span): boolean {
  return end - start <= most;
}

function textOf({ bytes }: Source, { start, end }: Span): string {
  return bytes.toString("utf8", start, end);
}
