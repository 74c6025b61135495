import { unescapeToken } from "../../../model/json-pointer.ts";
import { GIVEN, type Part, readPart } from "../../manifest/part-text.ts";
import type { Change } from "../change.ts";
import { nameOfPart } from "./compare-parts.ts";
import type { Sayings } from "./open-sayings.ts";
import { sameValue } from "./same-value.ts";

/** Whether a piece is another one only by what is told elsewhere. */
export type IsPartEcho = (one: Change) => boolean;

export interface PartsAround {
  readonly sayings: Sayings;
  /** Whether the two lists pin the same. */
  readonly samePins: boolean;
}

/** Of all that is found of one tool. */
export function openPartEchoes(
  found: readonly Change[],
  { sayings, samePins }: PartsAround,
): { readonly isRequestEcho: IsPartEcho; sameParts(before: unknown, after: unknown): boolean } {
  const rules = new Set(found.map(({ rule }) => rule));
  const has = (...wanted: readonly string[]) => wanted.some((rule) => rules.has(rule));
  const pieces = found.filter(({ rule }) => rule === "requests_changed");
  const names = namesOf(found);
  const isSame = (was: Part, is: Part) =>
    was.digest === is.digest &&
    sameValue(was.inputs.map(names.now), is.inputs) &&
    sayings.sameTools(toolsOf(was), toolsOf(is));
  /** Whether the request to which a piece belongs is one of another operation now, or there on one side alone, and that is told. */
  const isOtherCall = (of: string) =>
    pieces.some((one) => nameOfPart(one) === `${of}operation`) && has(...rulesOfCall(of));
  const movesWith = (one: Change, of: string) =>
    pieces.some((other) => {
      if (splitName(nameOfPart(other)).of !== of || (other.before === null) === (one.before === null)) return false;
      const [was, is] =
        one.before === null ? [partOf(other.before), partOf(one.after)] : [partOf(one.before), partOf(other.after)];
      return was !== undefined && is !== undefined && isSame(was, is);
    });

  const isRequestEcho: IsPartEcho = (one) => {
    const { of, kind, what } = splitName(nameOfPart(one));
    const [was, is] = [partOf(one.before), partOf(one.after)];
    if (was !== undefined && is !== undefined && isSame(was, is)) return true;
    const inputs = [...(was?.inputs ?? []), ...(is?.inputs ?? [])];
    // The form in which an input is sent goes with its type.
    if (kind === "form" || kind === "input") {
      if (inputs.some((input) => names.isOfOtherType(input))) return true;
    }
    const isOneSided = was === undefined || is === undefined;
    if (isOneSided && goesWithInputs(was, is, kind, names)) return true;
    if (isOtherCall(of)) {
      const gone = pieces.find((piece) => nameOfPart(piece) === `${of}operation`);
      const isWhole = gone?.before === null || gone?.after === null;
      if (isWhole || ["operation", "exchange", "form"].includes(kind)) return true;
      if (isOneSided && movesWith(one, of)) return true;
    }
    if (isOneSided && (kind === "pin" || kind === "pinned"))
      return !samePins || has("pin_added", "pin_removed", "pin_dropped", "pin_carried");
    return has(
      ...(isOneSided ? (CAME_OR_WENT.get(kind) ?? []) : (OTHER.get(`${kind} ${what}`) ?? OTHER.get(kind) ?? [])),
    );
  };
  const sameParts = (before: unknown, after: unknown) => {
    const [was, is] = [partsOf(before), partsOf(after)];
    return was.length === is.length && was.every((part, at) => isSame(part, is[at]!));
  };
  return { isRequestEcho, sameParts };
}

/** `bugs: value query.state`: whose request it is of (a tool's own of nothing), of which kind, and of what. */
function splitName(name: string): { readonly of: string; readonly kind: string; readonly what: string } {
  const [, of = "", kind = "", what = ""] = /^((?:.*?: )?)([a-z]+)(?: (.*))?$/s.exec(name) ?? [];
  return { of, kind, what };
}

/** What tells that a request of a tool is of another operation, by what its pieces are named behind. */
function rulesOfCall(of: string): readonly string[] {
  if (of.startsWith("totals: ")) return ["totals_changed"];
  if (of.startsWith("values of "))
    return ["input_values_source_changed", "input_values_checked", "input_values_unchecked"];
  if (of.startsWith("filter fields: "))
    return ["filter_from_changed", "filter_from_added", "filter_from_removed", "filter_added", "filter_removed"];
  if (of.startsWith("identifiers of ")) return ["input_entity_changed", "input_entity_added", "operations_changed"];
  if (of.startsWith("state ")) return ["states_narrowed", "states_widened"];
  return ["operations_changed"];
}

const FILTER = ["filter_added", "filter_removed"];
/** What tells that such a piece is there on one side alone. */
const CAME_OR_WENT: ReadonlyMap<string, readonly string[]> = new Map([
  ["key", ["key_added", "key_dropped"]],
  ["default", ["input_default_changed", "input_optional", "input_required"]],
  ["filter", [...FILTER, "filter_field_added", "filter_field_removed", "filter_dialect_changed"]],
  ["always", [...FILTER, "filter_always_added", "filter_always_removed"]],
  ["form", [...FILTER, "paging_changed", "key_added", "key_dropped"]],
  ["identifiers", ["input_entity_changed", "input_entity_added"]],
  ["when", ["states_narrowed", "states_widened"]],
  ["read", ["input_values_checked", "input_values_unchecked", "filter_from_added", "filter_from_removed", ...FILTER]],
  ["type", ["filter_from_added", "filter_from_removed", ...FILTER]],
]);
/** What tells that such a piece is another one. */
const OTHER: ReadonlyMap<string, readonly string[]> = new Map([["filter language", ["filter_dialect_changed"]]]);

function goesWithInputs(was: Part | undefined, is: Part | undefined, kind: string, names: Names): boolean {
  // That an input is gone breaks calls, which is told; one that is new adds what is sent as it is given, and no more is known of the rest.
  if (was !== undefined) return was.inputs.some(names.isMoved);
  const inputs = is?.inputs ?? [];
  const isPlain = is?.digest === GIVEN || ["form", "input", "default"].includes(kind);
  return inputs.length > 0 && isPlain && inputs.every(names.isMoved);
}

interface Names {
  now(name: string): string;
  isMoved(name: string): boolean;
  isOfOtherType(name: string): boolean;
}

const INPUT = /^\/inputSchema\/properties\/([^/]+)$/;
const MOVES = new Set(["input_removed", "input_renamed", "required_input_added", "optional_input_added"]);
/** Which form a value has follows from these, and from all that breaks. */
const TYPES = new Set(["input_type_widened", "input_format_removed"]);

function namesOf(found: readonly Change[]): Names {
  const renamed = new Map<string, string>();
  const moved = new Set<string>();
  const typed = new Set<string>();
  for (const { rule, path, after, class: is } of found) {
    const name = plain(INPUT.exec(path)?.[1]);
    if (name !== undefined && MOVES.has(rule)) {
      moved.add(name);
      if (rule !== "input_renamed") continue;
      renamed.set(name, String(after));
      moved.add(String(after));
    }
    const owner = plain(/^\/(?:inputSchema\/properties|conduct\/inputs)\/([^/]+)/.exec(path)?.[1]);
    if (owner !== undefined && (TYPES.has(rule) || is === "BREAKING")) typed.add(owner);
  }
  return {
    now: (name) => renamed.get(name) ?? name,
    isMoved: (name) => moved.has(name),
    isOfOtherType: (name) => typed.has(name),
  };
}

function plain(name: string | undefined): string | undefined {
  return name === undefined ? undefined : unescapeToken(name);
}

function partOf(value: unknown): Part | undefined {
  return typeof value === "string" ? readPart(value) : undefined;
}

/** One, or a list of them. */
function partsOf(value: unknown): readonly Part[] {
  return [value].flat().flatMap((one) => (typeof one === "string" ? [readPart(one)] : []));
}

function toolsOf({ tool }: Part): readonly string[] {
  return tool === undefined ? [] : [tool];
}
