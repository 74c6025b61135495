import type { Json, JsonObject } from "../../model/json.ts";
import { rememberBounded } from "../../model/remember.ts";
import { CREDENTIAL_NAME } from "../../model/says-credential.ts";
import { readForm } from "../recognise/read-form.ts";
import { isFixed, type Slot } from "../survey/list-slots.ts";
import { isScalar, type ViewSchema } from "../survey/view-schema.ts";
import { singular, snakeOf, wordsOf } from "../word/nouns.ts";
import { saySentence } from "../word/plain-words.ts";

export interface InputsOptions {
  /** Places that pages, credentials or a filter fill. */
  readonly without: ReadonlySet<string>;
  readonly most: number;
  /** Points that an optional input must have. */
  readonly least: number;
  /** The entity that a place takes, by place. */
  readonly entities: ReadonlyMap<string, string>;
  /** The kind of thing that is listed. */
  readonly noun: string;
  /** Places whose own description is not to be shown. */
  readonly distrusted: ReadonlySet<string>;
  /** A type that has to be said, by place. */
  readonly types: ReadonlyMap<string, string>;
  /** Optional places that a caller is better off without. */
  readonly dropped: ReadonlySet<string>;
}

export interface DraftInput {
  readonly name: string;
  readonly slot: Slot;
  readonly entry: JsonObject;
  /** The name is not the place's own, or not its alone: `args` says where it goes. */
  readonly needsArgs: boolean;
}

const RESERVED = new Set(["limit", "pageToken", "filter", "confirm"]);

/** What a caller sets: all that is required and nothing fills, and of the rest what narrows best. */
export function chooseInputs(slots: readonly Slot[], viewOf: ViewSchema, options: InputsOptions): DraftInput[] {
  const open = slots.filter(
    ({ place, name, in: where }) => !options.without.has(place) && !(where !== "path" && CREDENTIAL_NAME.test(name)),
  );
  const required = open.filter((slot) => slot.required && !isFixed(slot));
  const ranked = open
    .filter((slot) => !slot.required && !options.dropped.has(slot.place))
    .map((slot) => ({ slot, points: valueOfInput(slot, viewOf, options) }))
    .filter(({ points }) => points >= options.least)
    .toSorted((a, b) => b.points - a.points)
    .map(({ slot }) => slot);
  const best = withOtherEnds(ranked.slice(0, options.most), ranked);
  const taken = new Set<string>();
  const chosen = [...required, ...open.filter((slot) => best.includes(slot))];
  return chosen.map((slot): DraftInput => {
    const name = inputName(slot, taken);
    taken.add(name);
    const isAlone = slots.filter((one) => one.name === slot.name).length === 1;
    return { name, slot, entry: entryOf(slot, options), needsArgs: name !== slot.name || !isAlone };
  });
}

/** A time that is bounded at one end is bounded at the other as well. */
function withOtherEnds(chosen: readonly Slot[], ranked: readonly Slot[]): readonly Slot[] {
  const names = new Set(chosen.map(({ name }) => snakeOf(name)));
  const others = ranked.filter(
    (slot) => !chosen.includes(slot) && otherEnds(snakeOf(slot.name)).some((one) => names.has(one)),
  );
  return [...chosen, ...others.slice(0, 1)];
}

const ENDS: readonly (readonly [pattern: RegExp, other: string])[] = [
  [/(^|_)start(?=_|$)/, "$1end"],
  [/(^|_)end(?=_|$)/, "$1start"],
  [/(^|_)after(?=_|$)/, "$1before"],
  [/(^|_)before(?=_|$)/, "$1after"],
  [/(^|_)from(?=_|$)/, "$1to"],
  [/(^|_)to(?=_|$)/, "$1from"],
  [/(^|_)since(?=_|$)/, "$1until"],
  [/(^|_)until(?=_|$)/, "$1since"],
];

function otherEnds(snake: string): string[] {
  return ENDS.flatMap(([pattern, other]) => (pattern.test(snake) ? [snake.replace(pattern, other)] : []));
}

function inputName({ name, in: where }: Slot, taken: ReadonlySet<string>): string {
  const plain = name
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .replace(/^[^A-Za-z]+|_+$/g, "")
    .slice(0, 50);
  const bound = BOUNDS.get(/[<>]=?$/.exec(name)?.[0] ?? "") ?? "";
  const base = plain === "" ? "value" : RESERVED.has(plain) ? `${plain}_by` : `${plain}${bound}`;
  if (!taken.has(base)) return base;
  const other = `${base}_in_${where}`;
  for (let count = 2, free = other; ; count += 1, free = `${other}_${count}`) if (!taken.has(free)) return free;
}

/** `DateCreated>` bounds what `DateCreated` says. */
const BOUNDS: ReadonlyMap<string, string> = new Map([
  ["<", "_before"],
  ["<=", "_until"],
  [">", "_after"],
  [">=", "_since"],
]);

/** How answers are written and cut, which a curation decides. */
const OF_THE_FORM =
  /^(fields?|select|expand|include(s|d)?|embed|with|exclude|opt_fields|opt_pretty|format|pretty|view|projection|page.*|per_?page|cursor|offset|skip|top|count|locale|lang(uage)?|callback|alt|prettyprint|quotauser|key|watch|allowwatchbookmarks|resourceversion(match)?|timeoutseconds|sendinitialevents|continue|limit|shape|output|accept|dry_?run|after|before|starting_after|ending_before|user_?ip|debug|trace|stream|follow|cache.*|no_?cache|consistency.*|envelope|sparse.*|additional.*|metadata|raw|verbose|.*marker|.*cursor|max_?(results|items)|(next_?|page_?)+token|return.*|enrich.*|apply.*|\$.*|x-.*)$/i;
const BY_NAME: readonly (readonly [pattern: RegExp, points: number])[] = [
  [/^(q|query|search|search_?term|keywords?|text|term|filter|name_contains|search_?query)$/i, 12],
  [/(^|_)(status|state|type|kind|category|severity|priority|level|role|scope|visibility)$/, 8],
  [
    /(^|_)(since|until|from|to|start|end|after|before|created|updated|modified|date|time|period|interval|granularity)(_|$)/,
    7,
  ],
  [/^(sort|sort_by|order|order_by|direction|sort_order|sort_direction|orderby)$/, 6],
  [
    /(^|_)(name|title|label|labels|tag|tags|email|author|assignee|owner|creator|user|customer|project|team|account|group|branch|environment|region|domain|archived|active|enabled)(_id|_gid|_name)?$/,
    7,
  ],
  [/(^|_)(selector|query)$/, 5],
  [/(^|_)(id|ids|gid|sid|uuid)$/, 4],
];

const pointsOf = rememberBounded(10_000, (name) => {
  const snake = snakeOf(name);
  return BY_NAME.find(([pattern]) => pattern.test(snake))?.[1];
});

function valueOfInput(
  { name, place, in: where, deprecated, description, view }: Slot,
  viewOf: ViewSchema,
  { entities }: InputsOptions,
): number {
  if (deprecated || where === "header" || where === "cookie" || where === "querystring" || OF_THE_FORM.test(name))
    return -1;
  const items = view.items === undefined ? undefined : viewOf(view.items);
  if (!isScalar(view) && (items === undefined || !isScalar(items))) return -1;
  const points = pointsOf(name) ?? (view.type === "boolean" ? 2 : 3);
  const { enum: values } = view.schema;
  const choice = values === undefined ? 0 : values.length <= 12 ? 3 : values.length > 20 ? -8 : 0;
  const described = saySentence(description) === "" ? (values === undefined ? -2 : 0) : 1;
  return points + choice + described + (entities.has(place) ? 2 : 0);
}

/** Characters; a longer description is cut to its first sentence. */
const LONG = 160;

function entryOf(slot: Slot, { entities, noun, distrusted, types }: InputsOptions): JsonObject {
  const { name, place, view } = slot;
  const entity = entities.get(place);
  const type = types.get(place);
  const form = readForm(name, view, new Set());
  const said = describeInput(slot, noun, distrusted.has(place), entity !== undefined);
  const typed: Record<string, Json> =
    type !== undefined
      ? { type }
      : form?.as === "unix" || form?.as === "unix-ms"
        ? { type: "date-time", as: form.as }
        : {};
  return {
    ...typed,
    ...(slot.picks === true && { required: true }),
    ...(entity !== undefined && { entity }),
    ...(said !== undefined && { describe: said }),
  };
}

/** Words where the document has none, too many, or some that are not to be shown; undefined where its own do. */
function describeInput(
  { name, required, description, view }: Slot,
  noun: string,
  isDistrusted: boolean,
  isEntity: boolean,
): string | undefined {
  const own = isDistrusted ? "" : saySentence(description, LONG);
  const isShort = description.trim().length <= LONG && !/[`<>]/.test(description);
  if (own !== "" && !repeats(own, name)) return isShort ? undefined : own;
  if (isEntity && !isDistrusted) return undefined;
  if (view.schema.enum !== undefined && !isDistrusted) return undefined;
  const words = wordsOf(name).join(" ");
  if (required)
    return own === "" || isDistrusted ? `The ${words} of the ${singular(noun).replaceAll("_", " ")}.` : undefined;
  return view.type === "boolean" ? sayFlag(words) : (saySorted(words, noun) ?? `Only where ${words} is this.`);
}

function sayFlag(words: string): string {
  const [, verb, rest] = /^(only|include|with|is|has) (.+)$/.exec(words) ?? [undefined, "", words];
  if (verb === "include" || verb === "with") return `True to have ${rest} as well.`;
  return verb === "has" ? `True for those with ${rest} alone.` : `True for ${rest} ones alone.`;
}

function saySorted(words: string, noun: string): string | undefined {
  if (!/\b(sort|order)/.test(words)) return undefined;
  return /\b(dir|direction|order)$/.test(words) && words !== "order"
    ? "The direction of the sort."
    : `By what the ${noun.replaceAll("_", " ")} are sorted.`;
}

function repeats(text: string, name: string): boolean {
  const named = new Set(wordsOf(name));
  return wordsOf(text).every((word) => named.has(word) || /^(a|an|the|of|for|to|id|this|value)$/.test(word));
}
