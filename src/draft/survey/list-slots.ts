import { refuseHeader } from "../../curation/place.ts";
import type { Operation } from "../../model/api.ts";
import { escapeToken } from "../../model/json-pointer.ts";
import type { Schema } from "../../model/schema.ts";
import { HIDDEN, type View, type ViewSchema } from "./view-schema.ts";

/** A place of an operation that takes a value: a parameter, or a property at the top of a JSON body. */
export interface Slot {
  /** The upstream's name of it. */
  readonly name: string;
  /** As a curation writes it, for example `query.page`. */
  readonly place: string;
  readonly in: "path" | "query" | "header" | "cookie" | "querystring" | "body";
  readonly required: boolean;
  readonly deprecated: boolean;
  readonly description: string;
  readonly view: View;
  /** The document asks for it in words alone, and it picks a thing. */
  readonly picks?: boolean;
}

/** Every place of an operation, parameters first. */
export function listSlots(operation: Operation, viewOf: ViewSchema): Slot[] {
  const seen = operation.parameters.filter((one) => (one.required || !HIDDEN.test(one.name)) && !isOfClient(one));
  const parameters = seen.map((one): Slot => {
    const view = viewOf(one.schema);
    return {
      name: one.name,
      place: one.in === "querystring" ? "querystring" : `${one.in}.${escapeToken(one.name)}`,
      in: one.in,
      required: one.required,
      deprecated: one.deprecated,
      description: one.description ?? view.schema.description ?? "",
      view,
    };
  });
  return [...parameters, ...bodySlots(operation, viewOf)];
}

/** Headers that no curation sends, or none has to. */
function isOfClient({ in: where, name }: Operation["parameters"][number]): boolean {
  return where === "header" && (name.toLowerCase() === "user-agent" || refuseHeader(name) !== undefined);
}

function bodySlots({ body }: Operation, viewOf: ViewSchema): Slot[] {
  const media = body?.content.find(({ mediaType }) => /[/+]json/i.test(mediaType)) ?? body?.content[0];
  if (media?.schema === undefined) return [];
  const { properties, required } = viewOf(media.schema);
  return [...properties].flatMap(([name, schema]): Slot[] => {
    const view = viewOf(schema);
    if (view.schema.readOnly === true) return [];
    return [
      {
        name,
        place: `body/${escapeToken(name)}`,
        in: "body",
        required: required.has(name),
        deprecated: view.schema.deprecated ?? false,
        description: descriptionOf(schema, view),
        view,
      },
    ];
  });
}

function descriptionOf(schema: Schema, view: View): string {
  return schema.description ?? view.schema.description ?? "";
}

/** One value is all that the document allows, or what it takes where nothing is said. */
export function isFixed({ view: { schema } }: Slot): boolean {
  return (
    schema.const !== undefined || schema.enum?.length === 1 || (schema.default !== undefined && schema.default !== null)
  );
}
