import type { Json, JsonObject } from "../../model/json.ts";
import { columnName, type Identity } from "../choose/find-identity.ts";
import { readForm } from "../recognise/read-form.ts";
import { isScalar, type View, type ViewSchema } from "../survey/view-schema.ts";
import { wordsOf } from "../word/nouns.ts";
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
}

interface Column {
  readonly name: string;
  readonly path: string;
  readonly points: number;
  readonly view: View;
  /** Names beside it, by which amounts find their currency. */
  readonly beside: ReadonlySet<string>;
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
  "id",
  "gid",
];
/** Characters; what people write has no end. */
const CLIP_ROW = 160;
const CLIP_WHOLE = 2_000;

/** The columns that are worth most to an agent, in the order of the document but for what names a row, which comes first. */
export function chooseFields(object: View, viewOf: ViewSchema, options: FieldsOptions): JsonObject {
  const all = listColumns(object, viewOf, "", 0);
  const chosen = new Map<string, Column | Identity>(options.needed.map((one) => [one.column, one]));
  const taken = new Set(options.needed.map(({ path }) => path));
  const ranked = all.filter(({ points }) => points > 0).toSorted((a, b) => b.points - a.points);
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

function listColumns(object: View, viewOf: ViewSchema, within: string, depth: number): Column[] {
  const beside = new Set(object.properties.keys());
  return [...object.properties].flatMap(([name, schema]): Column[] => {
    const view = viewOf(schema);
    const points = valueOfField(name, view) - depth;
    const path = `${within}${pathStep(name)}`;
    if (isScalar(view) || (view.type === undefined && view.properties.size === 0))
      return [{ name: columnName(name), path, points, view, beside }];
    if (view.items !== undefined) return listColumn(name, path, points, view.items, viewOf, beside);
    if (view.properties.size === 0 && depth < 2 && !HOLDERS.test(name))
      return [{ name: columnName(name), path, points: points - 2, view, beside }];
    if (view.properties.size === 0 || depth >= 2) return [];
    if (HOLDERS.test(name)) return listColumns(view, viewOf, `${path}.`, depth + 1);
    return thingColumn(name, path, points, view, viewOf, beside);
  });
}

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
  return named === undefined ? [] : [{ ...column, path: `${path}[].${pathStep(named)}`, points: points - 3 }];
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
    const isAmount = one === "amount" || one === "value" || one === "currency";
    return [
      {
        name: columnName(isAmount && one === "currency" ? `${name}_currency` : name),
        path: `${path}.${pathStep(one)}`,
        points: points - 1,
        view: found,
        beside,
      },
    ];
  };
  if (view.properties.has("currency") && (view.properties.has("amount") || view.properties.has("value")))
    return [...inner(view.properties.has("amount") ? "amount" : "value"), ...inner("currency")];
  const named = NAMED_BY.find((one) => view.properties.has(one));
  if (named !== undefined) return inner(named);
  const isSmall = view.properties.size <= SMALL && [...view.properties.values()].every((one) => isScalar(viewOf(one)));
  return isSmall ? [{ name: columnName(name), path, points: points - 1, view, beside }] : [];
}

/** Values that are shown together, as the start and the end of a time. */
const SMALL = 4;

function entryOf(path: string, column: Column | undefined, { within, isWhole }: FieldsOptions): Json {
  const whole = `${within}${path}`;
  if (column === undefined) return whole;
  const last = path.split(".").at(-1) ?? "";
  const form = readForm(last, column.view, column.beside);
  if (form?.as === "minor") return path === last && within === "" ? { path: whole, ...form } : whole;
  if (form !== undefined) return { path: whole, ...form };
  return isProse(last, column.view) ? { path: whole, clip: isWhole ? CLIP_WHOLE : CLIP_ROW } : whole;
}

function isProse(name: string, { type, schema }: View): boolean {
  if (type !== "string" || schema.enum !== undefined || schema.format !== undefined) return false;
  const snake = wordsOf(name).join("_");
  return /(^|_)(description|body|body_html|html|text|markdown|diff|patch|logs?|stack|stack_trace|raw|payload|bio|message|content|notes?|comment|summary|instructions|details|reason|error)$/.test(
    snake,
  );
}
