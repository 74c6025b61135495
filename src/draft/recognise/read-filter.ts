import type { Json, JsonObject } from "../../model/json.ts";
import { valueOfField } from "../shape/value-of-field.ts";
import type { Slot } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import { isScalar, type View, type ViewSchema } from "../survey/view-schema.ts";

/** A language of filters in which an upstream can be asked, as a curation says it. */
export interface ReadFilter {
  readonly filter: JsonObject;
  /** Places that the filter fills, and so are no inputs. */
  readonly places: readonly string[];
}

/** A filter is dear to list: few fields tell what can be asked. */
const MOST_FIELDS = 6;
/** Fewer parameters are as well inputs of their own. */
const FEWEST_PARAMETERS = 3;

/** The language of a list's filters by its parameters, where it is one that we write; undefined where plain inputs do. */
export function readFilter(fact: Fact, viewOf: ViewSchema): ReadFilter | undefined {
  if (fact.body.kind !== "rows") return undefined;
  const queries = fact.slots.filter((slot) => slot.in === "query" && !slot.required);
  return inOneText(fact.body.row, queries, viewOf) ?? inBrackets(queries) ?? bySuffixes(queries);
}

/** Languages of one parameter, by its name or by what its description calls it. */
const LANGUAGES: readonly { readonly dialect: string; readonly names: RegExp; readonly says?: RegExp }[] = [
  { dialect: "odata", names: /^\$filter$/ },
  { dialect: "odata", names: /^filter$/i, says: /\bOData\b/i },
  { dialect: "aip-160", names: /^filter$/i, says: /\bAIP-?160\b|google\.aip\.dev\/160/i },
  { dialect: "rsql", names: /^(filter|query|q|search|rsql|fiql)$/i, says: /\b(RSQL|FIQL)\b/ },
];

function inOneText(row: View, queries: readonly Slot[], viewOf: ViewSchema): ReadFilter | undefined {
  for (const { dialect, names, says } of LANGUAGES) {
    const slot = queries.find(
      ({ name, description, view }) => names.test(name) && view.type !== "array" && (says?.test(description) ?? true),
    );
    const fields = slot === undefined ? [] : fieldsOfRow(row, viewOf);
    if (slot === undefined || fields.length < 2) continue;
    return { filter: { to: slot.place, dialect, depth: 1, fields: Object.fromEntries(fields) }, places: [slot.place] };
  }
  return undefined;
}

/** The columns that say most, under their own names, which the language takes. */
function fieldsOfRow(row: View, viewOf: ViewSchema): [string, Json][] {
  return [...row.properties]
    .map(([name, schema]) => ({ name, view: viewOf(schema) }))
    .filter(({ name, view }) => isScalar(view) && /^[A-Za-z][A-Za-z0-9]*$/.test(name) && valueOfField(name, view) > 8)
    .toSorted((a, b) => valueOfField(b.name, b.view) - valueOfField(a.name, a.view))
    .slice(0, MOST_FIELDS)
    .map(({ name, view }) => [name, { type: typeOf(view) }]);
}

/** `filter[status]`: JSON:API's recommendation, one parameter a field. */
function inBrackets(queries: readonly Slot[]): ReadFilter | undefined {
  const found = queries.flatMap((slot) => {
    const [, parameter, field] = /^(filters?)\[([A-Za-z][\w.-]*)\]$/.exec(slot.name) ?? [];
    return parameter === undefined || field === undefined ? [] : [{ slot, parameter, field }];
  });
  const [first] = found;
  if (
    first === undefined ||
    found.length < FEWEST_PARAMETERS ||
    found.some(({ parameter }) => parameter !== first.parameter)
  )
    return undefined;
  const fields = found
    .slice(0, MOST_FIELDS)
    .map(({ field, slot }): [string, Json] => [
      nameOf(field),
      { type: typeOf(slot.view), ...(nameOf(field) !== field && { to: field }) },
    ]);
  return {
    filter: {
      dialect: "json-api",
      ...(first.parameter !== "filter" && { parameter: first.parameter }),
      fields: Object.fromEntries(fields),
    },
    places: found.map(({ slot }) => slot.place),
  };
}

/** `created__gte` beside `created`: django-filter's parameters. */
function bySuffixes(queries: readonly Slot[]): ReadFilter | undefined {
  const found = new Map<string, { readonly ops: string[]; readonly places: string[]; view: View }>();
  for (const { name, place, view } of queries) {
    const [, field, suffix] = /^([a-z][a-z0-9_]*?)__(lt|lte|gt|gte|in|contains|isnull)$/.exec(name) ?? [];
    if (field === undefined || suffix === undefined) continue;
    const one = found.get(field) ?? { ops: [], places: [], view };
    one.ops.push(...(suffix === "isnull" ? ["is_null", "is_not_null"] : [suffix]));
    one.places.push(place);
    if (suffix !== "isnull" && suffix !== "in") one.view = view;
    found.set(field, one);
  }
  const all = [...found];
  if (all.flatMap(([, { places }]) => places).length < FEWEST_PARAMETERS) return undefined;
  const exact = (field: string) => queries.find(({ name }) => name === field);
  const fields = all
    .slice(0, MOST_FIELDS)
    .map(([field, { ops, view }]): [string, Json] => [
      field,
      { type: typeOf(exact(field)?.view ?? view), ops: [...(exact(field) === undefined ? [] : ["eq"]), ...ops] },
    ]);
  const places = all.flatMap(([field, one]) => [
    ...one.places,
    ...(exact(field) === undefined ? [] : [exact(field)!.place]),
  ]);
  return { filter: { dialect: "django", fields: Object.fromEntries(fields) }, places };
}

function nameOf(field: string): string {
  return field.replace(/[^A-Za-z0-9_]+/g, "_");
}

function typeOf({ type, schema: { format, enum: values } }: View): Json {
  if (
    values !== undefined &&
    values.length > 1 &&
    values.length <= 12 &&
    values.every((one) => typeof one === "string")
  )
    return values as readonly string[];
  if (type === "integer") return "integer";
  if (type === "number") return "decimal";
  if (type === "boolean") return "boolean";
  return format === "date" || format === "date-time" ? format : "string";
}
