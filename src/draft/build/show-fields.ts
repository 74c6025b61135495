import type { Json, JsonObject } from "../../model/json.ts";
import { readExpandable, readSelection } from "../recognise/read-selection.ts";
import { chooseFields, type FieldsOptions } from "../shape/choose-fields.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { Survey } from "../survey/survey-api.ts";
import type { View } from "../survey/view-schema.ts";

/** The columns of an answer, and what the request says so that they come. */
export interface ShownFields {
  readonly fields: JsonObject;
  /** Fields that the document does not know in this answer, and that come where they are named. */
  readonly selection?: { readonly place: string; readonly names: readonly string[] };
}

/** "Returned only on $select." An answer that asks for all of these may be refused. */
const ONLY_ASKED = /\b(only|requires?|must)\b[^.]{0,40}\$select|\bnot (returned|included) by default\b/i;
/** What an answer has whatever is asked for. */
const ALWAYS = /^(id|gid|sid|uuid)$/;

/** The columns of what an operation answers; where a parameter names the fields of short rows, also what only the whole thing has. */
export function showFields(
  fact: Fact,
  options: Omit<FieldsOptions, "permits">,
  { facts, viewOf }: Pick<Survey, "facts" | "viewOf">,
): ShownFields {
  const { body } = fact;
  const own = body.kind === "rows" ? body.row : body.object;
  const expandable = readExpandable(fact, viewOf);
  const comes = (path: string) => {
    const schema = own.properties.get(firstStep(path));
    const says = schema === undefined ? "" : (viewOf(schema).schema.description ?? "");
    return !expandable.has(firstStep(path)) && !ONLY_ASKED.test(says);
  };
  const plain = { fields: chooseFields(own, viewOf, { ...options, permits: comes }) };
  const selection = body.kind === "rows" ? readSelection(fact, viewOf) : undefined;
  const whole = selection && wholeOf(fact, facts);
  if (selection === undefined || whole === undefined) return plain;
  const fields = chooseFields(whole, viewOf, {
    ...options,
    permits: (path) => ALWAYS.test(path) || (comes(path) && selection.nameFor(path) !== undefined),
  });
  const paths = Object.values(fields).map(pathOf);
  if (paths.every((path) => own.properties.has(firstStep(path)))) return plain;
  const names = new Set(paths.flatMap((path) => selection.nameFor(path) ?? []));
  return { fields, selection: { place: selection.place, names: [...names] } };
}

/** What one of the rows is when it is read by itself. */
function wholeOf({ resource }: Fact, facts: readonly Fact[]): View | undefined {
  const details = facts.filter(({ kind, body }) => kind === "detail" && body.kind === "object");
  const found =
    details.find((one) => one.resource.collection === resource.collection) ??
    details.find((one) => one.resource.thing === resource.thing);
  return found?.body.kind === "object" ? found.body.object : undefined;
}

function pathOf(entry: Json): string {
  return typeof entry === "string" ? entry : String((entry as JsonObject)["path"]);
}

function firstStep(path: string): string {
  return path.split(/[.[]/, 1)[0]!.replaceAll('"', "");
}
