import type { Api } from "../../model/api.ts";
import { namesSaid, type Said } from "../../model/said.ts";
import type { PortableSchema, Schema } from "../../model/schema.ts";
import { listAlternatives } from "../expressions/list-alternatives.ts";
import { objectOf } from "../expressions/type-algebra.ts";
import { type ListReply, listKeys } from "../lists/list-output.ts";
import { outlineReply } from "./outline-schema.ts";
import type { SuccessBody } from "./response-schema.ts";
import { sayBelow } from "./say-below.ts";
import { sayValue } from "./say-value.ts";

/**
 * What a reply's object holds; one family of keys for all tools:
 *
 *   list    { summary?, other?, rowCount, hasMore, nextPageToken?, note?, appliedFilter?, omitted?, data }      `data` holds the rows
 *   value   the object that the expressions build, with omitted? beside its entries
 *   object  the body, or the fields that were selected from it, with omitted? beside them
 *   other   { value, omitted? }                               a value or body that is no object (null too) stands under `value`
 *   text    { text, omitted? }
 *   binary  { mediaType, bytes }                              beside an image or an embedded resource
 *   empty   { done: true, location? }                         whatever was promised
 *   accepted { accepted: true, note, location?, statusLocation?, retryAfterMs? }   the same with 202
 *
 * Any tool may be answered by an empty body, so no key is required. Only keys that are ours have a type; beside an upstream's own
 * names not even they have one, for the upstream may use the same name.
 */
export type ReplyKind =
  | ListReply
  /** `columns`: how many names are the author's own; without any, the object is shown as it comes. */
  | { readonly kind: "value" | "object"; readonly type: Schema; readonly columns: number };

export function buildOutputSchema(reply: ReplyKind, said: Said, body: SuccessBody): PortableSchema {
  const names = namesSaid(said);
  if (reply.kind === "list") return { type: "object", properties: { ...listKeys(reply, names), ...emptyKeys(body) } };
  const { properties = {} } = names;
  return { type: "object", properties: { ...properties, ...otherKeys(reply, body), omitted: {} } };
}

/** What the spec says of a row, or of the whole reply; `upstream`: of those columns that callers see in another form. */
export function sayReply(
  reply: ReplyKind,
  upstream: ReadonlyMap<string, Schema> | undefined,
  { api, comparable }: { readonly api: Api; readonly comparable: boolean },
): Said {
  const type = reply.kind === "list" ? reply.row : wrapped(reply.type, api);
  const outline = outlineReply(type, api, reply.columns);
  const said = comparable ? sayBelow(type, outline, api) : outline;
  if (upstream === undefined || upstream.size === 0) return said;
  const properties = Object.entries(said.properties ?? {}).map(([name, one]) => {
    const type = upstream.get(name);
    return [name, type === undefined ? one : sayValue(listAlternatives(type, api))] as const;
  });
  return { ...said, properties: Object.fromEntries(properties) };
}

/** The object that the reply will be: what is or may be no object stands under `value`. */
export function wrapped(type: Schema, api: Api): Schema {
  const alternatives = listAlternatives(type, api);
  const isObject = (one: { readonly type: string }) => one.type === "object";
  if (alternatives.every(isObject)) return type;
  if (alternatives.some(isObject)) return { anyOf: [type, objectOf([["value", {}]])] };
  return objectOf([["value", type]]);
}

function emptyKeys(body: SuccessBody): Record<string, PortableSchema> {
  return {
    ...(body.kinds.has("empty") && { done: { type: "boolean" } }),
    ...(body.kinds.has("accepted") && { accepted: { type: "boolean" } }),
  };
}

/** Bodies that are not JSON: said where the spec announces them and nothing else. */
function otherKeys(reply: ReplyKind, { kinds }: SuccessBody): Record<string, PortableSchema> {
  const without = { ...(kinds.has("empty") && { done: {} }), ...(kinds.has("accepted") && { accepted: {} }) };
  if (reply.kind !== "object") return without;
  return {
    ...(kinds.has("text") && { text: {} }),
    ...(kinds.has("binary") && { mediaType: {}, bytes: {} }),
    ...without,
  };
}
