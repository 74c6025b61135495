import { escapeToken } from "../../../model/json-pointer.ts";
import { CHANGE_CLASSES, type Change } from "../change.ts";
import type { ChangeRuleId } from "../change-rules.ts";
import { ownSentences } from "./compare-words.ts";
import type { Sayings } from "./open-sayings.ts";
import { type IsPartEcho, openPartEchoes, type PartsAround } from "./part-echoes.ts";
import { openReplyEchoes } from "./reply-echoes.ts";

/**
 * The differences of one tool without those that another of them implies: one edit is told once, where it stands. What is dropped is never worse
 * than what is kept for it, but for pieces of which only that they are other ones is known, where it is told why.
 */
export function dropEchoes(found: readonly Change[], around: EchoesAround): readonly Change[] {
  const told = openTold(found, around);
  return found.filter((one) => !ECHOES.some((isEcho) => isEcho(one, told, around.sayings)));
}

export interface EchoesAround extends PartsAround {
  /** Whether a reply is a list of rows. */
  readonly isList: boolean;
}

type IsEcho = (one: Change, told: Told, sayings: Sayings) => boolean;

interface Told {
  readonly all: readonly Change[];
  has(...rules: readonly ChangeRuleId[]): boolean;
  /** Whether one of the rules is told exactly there. */
  at(path: string, rules: ReadonlySet<string>): boolean;
  /** Inputs and columns that came, went or changed their names, as pointers write them. */
  readonly moved: { readonly inputs: ReadonlySet<string>; readonly columns: ReadonlySet<string> };
  readonly isRequestEcho: IsPartEcho;
  readonly isReplyEcho: IsPartEcho;
  sameParts(before: unknown, after: unknown): boolean;
}

const INPUT = /^\/inputSchema\/properties\/[^/]+$/;
const COLUMN = /^\/(outputSchema|conduct\/said)\/properties\/[^/]+$/;
const ROW_COLUMN = /^\/(outputSchema\/properties\/data\/items|conduct\/said)\/properties\/[^/]+$/;
const INPUT_MOVES = ids("input_removed", "input_renamed", "required_input_added", "optional_input_added");
const COLUMN_MOVES = ids("output_field_removed", "output_field_renamed", "output_field_added");
const NEED = ids("input_required", "input_optional");
const TEXTS = ids(
  "title_changed",
  "description_changed",
  "input_text_changed",
  "output_text_changed",
  "instructions_changed",
);

function openTold(all: readonly Change[], around: EchoesAround): Told {
  const rules = new Set(all.map(({ rule }) => rule));
  const moved = (which: ReadonlySet<string>, place: RegExp) =>
    new Set(
      all
        .filter(({ rule, path }) => which.has(rule) && place.test(path))
        .flatMap(({ path, after }) => [
          path.split("/").at(-1)!,
          ...(typeof after === "string" ? [escapeToken(after)] : []),
        ]),
    );
  const columns = moved(COLUMN_MOVES, around.isList ? ROW_COLUMN : COLUMN);
  const { isRequestEcho, sameParts } = openPartEchoes(all, around);
  return {
    all,
    isRequestEcho,
    sameParts,
    isReplyEcho: openReplyEchoes(all, columns, sameParts),
    has: (...wanted) => wanted.some((rule) => rules.has(rule)),
    at: (path, wanted) => all.some((one) => one.path === path && wanted.has(one.rule)),
    moved: { inputs: moved(INPUT_MOVES, INPUT), columns },
  };
}

const ECHOES: readonly IsEcho[] = [
  // What is said of an input or a column goes with it, but for a value that is sent of a new one where nothing is given.
  ({ path }, { moved, all }) =>
    moved.inputs.has(nameUnder("/conduct/(?:defaults|inputs)", path)) &&
    !all.some(
      (one) => one.before === null && one.path === `/conduct/requests/default ${nameUnder("/conduct/defaults", path)}`,
    ),
  ({ path }, { moved }) => moved.columns.has(nameUnder("/conduct/fields", path)),
  // A default makes an input optional.
  ({ path }, { at }) => {
    const name =
      nameUnder("/conduct/defaults", path) || (/^\/inputSchema\/properties\/([^/]+)\/default$/.exec(path)?.[1] ?? "");
    return name !== "" && at(`/inputSchema/properties/${name}`, NEED);
  },
  // The bounds of another type are not those of this one.
  ({ path }, { all }) => {
    const [, schema, keyword] = /^(.*)\/([a-zA-Z]+)$/.exec(path) ?? [];
    return BOUNDS.has(keyword ?? "") && all.some((one) => one.path === `${schema}/type` && isOtherType(one));
  },
  // The schema shows the default, the limit, the filter and the confirmation that the conduct tells.
  ({ path }, { all }) => {
    const name = /^\/inputSchema\/properties\/([^/]+)\/default$/.exec(path)?.[1];
    return name !== undefined && all.some((one) => one.path === `/conduct/defaults/${name}`);
  },
  ({ path }, { has }) =>
    /^\/(inputSchema\/properties\/limit\/default|conduct\/defaults\/limit)$/.test(path) && has("default_limit_changed"),
  ({ path }, { has }) =>
    path === "/inputSchema/properties/limit/maximum" && has("max_limit_lowered", "max_limit_raised"),
  ({ path }, { moved }) => path === "/conduct/limit" && moved.inputs.has("limit"),
  (one, { all }) =>
    isUnder("/inputSchema/properties/filter", one.path) &&
    all.some(
      (other) =>
        other.rule.startsWith("filter_") &&
        (one.rule === "input_text_changed" || (!FILTER_INSIDE.has(other.rule) && weightOf(other) >= weightOf(one))),
    ),
  ({ path }, { has }) =>
    /^\/(inputSchema\/properties\/confirm|outputSchema\/properties\/(confirmation|note))$/.test(path) &&
    has("confirm_added", "confirm_removed"),
  ({ path }, { has }) => path === "/outputSchema/properties/appliedFilter" && has("filter_added", "filter_removed"),
  // Checks that go with a type: whoever is told of the type is told enough.
  ({ path }, { all }) => {
    const name = /^\/conduct\/inputs\/([^/]+)\/checks$/.exec(path)?.[1];
    return all.some(
      (one) =>
        (one.class === "BREAKING" || one.class === "UNKNOWN") && isUnder(`/inputSchema/properties/${name}`, one.path),
    );
  },
  // Pieces: what they are made of is told.
  (one, { isRequestEcho }) => one.rule === "requests_changed" && isRequestEcho(one),
  (one, { isReplyEcho }) => one.rule === "replies_changed" && isReplyEcho(one),
  // Texts that only say what is told.
  ({ rule, before, after }, _, { sameText }) => TEXTS.has(rule) && sameText(textOf(before), textOf(after)),
  ({ rule, before, after }, { sameParts }) => rule === "suggestions_changed" && sameParts(before, after),
  (one, { all }) => one.rule === "input_text_changed" && saysWhatIsTold(one, all),
];

const BOUNDS: ReadonlySet<string> = new Set(
  "enum minimum maximum minLength maxLength minItems maxItems pattern format default".split(" "),
);

function isOtherType({ before, after }: Change): boolean {
  const isNumeric = (type: unknown) => type === "integer" || type === "number";
  return typeof before === "string" && typeof after === "string" && !(isNumeric(before) && isNumeric(after));
}

/** What says nothing of the form of a filter. */
const FILTER_INSIDE = ids(
  "filter_always_added",
  "filter_always_removed",
  "filter_nulls_changed",
  "filter_dialect_changed",
);

/** Every sentence that came or went names a value that is told of the same input. */
function saysWhatIsTold({ path, before, after }: Change, all: readonly Change[]): boolean {
  const name = nameUnder("/inputSchema/properties", path);
  const near = name === "limit" ? "/conduct/limit" : name === "filter" ? "/conduct/filter" : `/conduct/inputs/${name}`;
  const places = [`/inputSchema/properties/${name}`, `/conduct/defaults/${name}`, near];
  const values = all
    .filter((one) => !TEXTS.has(one.rule) && places.some((place) => isUnder(place, one.path)))
    .flatMap((one) => [...scalarsOf(one.before), ...scalarsOf(one.after)]);
  const sentences = ownSentences(textOf(before), textOf(after)).flat();
  return sentences.length > 0 && sentences.every((sentence) => values.some((value) => saysValue(sentence, value)));
}

/** As a word, not as a part of one: `20` is not in `200`. */
function saysValue(sentence: string, value: string): boolean {
  return sentence.split(value).some((before, at, parts) => {
    const after = parts[at + 1];
    return (
      after !== undefined && !(/\w$/.test(before) && /^\w/.test(value)) && !(/^\w/.test(after) && /\w$/.test(value))
    );
  });
}

function scalarsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  return typeof value === "string" || typeof value === "number" ? [String(value)].filter((text) => text !== "") : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function nameUnder(place: string, path: string): string {
  return new RegExp(`^${place}/([^/]+)`).exec(path)?.[1] ?? "";
}

function isUnder(place: string, path: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

function weightOf(one: Change): number {
  return -CHANGE_CLASSES.indexOf(one.class);
}

function ids(...rules: readonly ChangeRuleId[]): ReadonlySet<string> {
  return new Set(rules);
}
