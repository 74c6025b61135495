import type { Json, JsonObject } from "../../model/json.ts";
import { onceFor } from "../../model/once-for.ts";
import { columnName, type Identity } from "../choose/find-identity.ts";
import { type ReadForm, readForm } from "../recognise/read-form.ts";
import { isScalar, type View, type ViewSchema } from "../survey/view-schema.ts";
import { wordsOf } from "../word/nouns.ts";
import { type Column, joinVariants, OR, variantsOf } from "./join-variants.ts";
import { pathStep } from "./path-step.ts";
import { valueOfField } from "./value-of-field.ts";

export interface FieldsOptions {
  /** JMESPath before every path, with a dot at its end. */
  readonly within: string;
  readonly most: number;
  /** Columns that other tools need, which are always there. */
  readonly needed: readonly Identity[];
  /** A whole object, of which more may be shown than of a row. */
  readonly isWhole: boolean;
  /** Amounts of this API are in the smallest unit, also where the document does not repeat it. */
  readonly inMinor: boolean;
  /** Whether what stands at a path comes. */
  readonly permits: (path: string) => boolean;
}

const HOLDERS = /^(metadata|meta|attributes|properties|spec|status|data|details|profile|info|fields|object_meta)$/i;
const NAMED_BY = [
  "login",
  "username",
  "name",
  "display_name",
  "displayName",
  "title",
  "email",
  "slug",
  "label",
  "key",
  "value",
  "id",
  "gid",
];
/** Characters; what people write has no end. */
const CLIP_ROW = 160;
const CLIP_WHOLE = 2_000;

/** The columns that are worth most to an agent, in the order of the document but for what names a row, which comes first. */
export function chooseFields(object: View, viewOf: ViewSchema, options: FieldsOptions): JsonObject {
  const all = columnsOf(viewOf)(object);
  const chosen = new Map<string, Column | Identity>(options.needed.map((one) => [one.column, one]));
  const taken = new Set(options.needed.map(({ path }) => path));
  const ranked = all
    .filter(({ points, path }) => points > 0 && options.permits(path))
    .toSorted((a, b) => b.points - a.points);
  for (const column of ranked) {
    if (chosen.size >= options.most) break;
    if (taken.has(column.path) || chosen.has(column.name)) continue;
    chosen.set(column.name, column);
  }
  const place = new Map(all.map(({ path }, at) => [path, at]));
  const ordered = [...chosen].toSorted(([, a], [, b]) => (place.get(a.path) ?? -1) - (place.get(b.path) ?? -1));
  const known = new Map(all.map((one) => [one.path, one]));
  return Object.fromEntries(ordered.map(([name, { path }]) => [name, entryOf(path, known.get(path), options)]));
}

/** A draft is made several times over, each time of the same objects. */
const columnsOf = onceFor((viewOf: ViewSchema) => onceFor((object: View) => listColumns(object, viewOf, "", 0)));

function listColumns(object: View, viewOf: ViewSchema, within: string, depth: number): Column[] {
  const beside = new Set(object.properties.keys());
  const variants = variantsOf(object, viewOf);
  const own = [...object.properties].flatMap(([name, schema]): Column[] => {
    const view = viewOf(schema);
    if (variants.has(name) || isSaidBeside(name, beside)) return [];
    const points = (name === "state" && isOfAddress(beside) ? OF_ADDRESS : valueOfField(name, view)) - depth;
    const path = `${within}${pathStep(name)}`;
    if (isScalar(view) || (view.type === undefined && view.properties.size === 0))
      return [{ name: columnName(name), path, points, view, beside }];
    if (view.items !== undefined) return listColumn(name, path, points, view.items, viewOf, beside);
    if (view.properties.size === 0 && depth < 2 && !(HOLDERS.test(name) && !/^data$/i.test(name)))
      return [{ name: columnName(name), path, points: points - 2, view, beside }];
    // What links or is handed on beside the thing itself is none of its parts.
    if (view.properties.size === 0 || depth >= 2 || points < NO_PART) return [];
    if (HOLDERS.test(name)) return listColumns(view, viewOf, `${path}.`, depth + 1);
    const thing = thingColumn(name, path, points, view, viewOf, beside);
    return thing.length > 0 || depth > 0 ? thing : partColumns(name, path, view, viewOf);
  });
  return variants.size === 0 ? own : [...own, ...joinVariants(object, variants, viewOf, within)];
}

/** `html_notes` and `body_text` beside `notes` and `body`: the same in another form. */
function isSaidBeside(name: string, beside: ReadonlySet<string>): boolean {
  const plain = name.replace(/^(html|rich|plain|formatted)_|_(html|text|plain|markdown|rendered)$/, "");
  return plain !== name && beside.has(plain);
}

const NO_PART = -10;
/** Points of a state that is a part of a country. */
const OF_ADDRESS = 2;

function isOfAddress(beside: ReadonlySet<string>): boolean {
  return ["city", "country", "zip", "postal_code", "postalCode"].some((name) => beside.has(name));
}

/** What has no name of its own is told by its parts: `commit.message`. */
function partColumns(name: string, path: string, view: View, viewOf: ViewSchema): Column[] {
  return listColumns(view, viewOf, `${path}.`, 1)
    .map((column) => ({ ...column, name: columnName(`${name}_${column.name}`), points: column.points - PART }))
    .toSorted((a, b) => b.points - a.points)
    .slice(0, MOST_PARTS);
}

/** Points off what is a part of a part. */
const PART = 7;
const MOST_PARTS = 4;

/** A list of texts as it is, a list of things by their names. */
function listColumn(
  name: string,
  path: string,
  points: number,
  items: NonNullable<View["items"]>,
  viewOf: ViewSchema,
  beside: ReadonlySet<string>,
): Column[] {
  const item = viewOf(items);
  const view: View = { schema: {}, type: "array", properties: new Map(), required: new Set() };
  const column = { name: columnName(name), beside, view };
  if (isScalar(item)) return [{ ...column, path, points: points - 2 }];
  const named = NAMED_BY.find((one) => item.properties.has(one));
  if (named === undefined) return [];
  const isBare = /^g?id$/.test(named);
  return [{ ...column, path: `${path}[].${pathStep(named)}`, points: points - (isBare ? 8 : 3) }];
}

/** An owner, a customer: by its name. An amount with its currency: both. */
function thingColumn(
  name: string,
  path: string,
  points: number,
  view: View,
  viewOf: ViewSchema,
  beside: ReadonlySet<string>,
): Column[] {
  const inner = (one: string): Column[] => {
    const schema = view.properties.get(one);
    const found = schema === undefined ? undefined : viewOf(schema);
    if (found === undefined || !isScalar(found)) return [];
    return [
      {
        name: columnName(one === "currency" || one === "date" ? `${name}_${one}` : name),
        path: `${path}.${pathStep(one)}`,
        points: points - 1,
        view: found,
        beside,
      },
    ];
  };
  if (view.properties.has("currency") && (view.properties.has("amount") || view.properties.has("value"))) {
    const [amount] = inner(view.properties.has("amount") ? "amount" : "value");
    const own = amount && { ...amount, beside: new Set(view.properties.keys()) };
    const isMinor = own !== undefined && readForm("amount", own.view, own.beside)?.as === "minor";
    return [...(own === undefined ? [] : [own]), ...(isMinor ? [] : inner("currency"))];
  }
  const named = NAMED_BY.find((one) => view.properties.has(one));
  if (named !== undefined) return [...inner(named), ...inner("date")];
  const held = [...view.properties].filter(([one]) => !one.startsWith("@"));
  const [[key, only] = [], ...others] = held;
  // `from.emailAddress.name`: what only holds another is that.
  if (key !== undefined && only !== undefined && others.length === 0 && viewOf(only).properties.size > 0)
    return thingColumn(name, `${path}.${pathStep(key)}`, points - 1, viewOf(only), viewOf, beside);
  const isSmall = view.properties.size <= SMALL && [...view.properties.values()].every((one) => isScalar(viewOf(one)));
  return isSmall ? [{ name: columnName(name), path, points: points - 1, view, beside }] : [];
}

/** Values that are shown together, as the start and the end of a time. */
const SMALL = 4;

function entryOf(path: string, column: Column | undefined, { within, isWhole, inMinor }: FieldsOptions): Json {
  const whole = path
    .split(OR)
    .map((one) => `${within}${one}`)
    .join(OR);
  if (column === undefined) return whole;
  const last = path.split(".").at(-1) ?? "";
  const form = readForm(last, column.view, column.beside) ?? (inMinor ? minorBeside(last, column) : undefined);
  // The currency stands beside the amount, wherever that is.
  if (form?.as === "minor") return { path: whole, as: "minor", unit: `\${${whole.slice(0, -last.length)}currency}` };
  if (form !== undefined) return { path: whole, ...form };
  return isProse(last, column.view) ? { path: whole, clip: isWhole ? CLIP_WHOLE : CLIP_ROW } : whole;
}

function minorBeside(name: string, { view, beside }: Column): ReadForm | undefined {
  const isAmount = view.type === "integer" && beside.has("currency") && /^amount(_|$)|_amount$/.test(name);
  return isAmount ? { as: "minor", unit: "${currency}" } : undefined;
}

function isProse(name: string, { type, schema }: View): boolean {
  if (type !== "string" || schema.enum !== undefined || schema.format !== undefined) return false;
  const snake = wordsOf(name).join("_");
  return /(^|_)(description|body|body_html|html|text|markdown|diff|patch|logs?|stack|stack_trace|raw|payload|bio|message|content|notes?|comment|summary|instructions|details|reason|error)$/.test(
    snake,
  );
}
