import type { MediaType } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import { type FlatSchema, flattenSchema, type SchemaReader } from "../types/flatten-schema.ts";
import { isBinary } from "../types/is-binary.ts";
import { listVariants } from "../types/list-variants.ts";
import { essence } from "./choose-media.ts";

/** How a body of a media type is put together. */
export type MediaKind = "json" | "lines" | "form" | "multipart" | "text" | "bytes";

const KINDS: readonly (readonly [mediaType: RegExp, kind: MediaKind])[] = [
  [/^(application|text)\/json$|\+json$|^(\*|application)\/\*$/, "json"],
  [/^application\/(x-ndjson|ndjson|jsonl|json-seq)$/, "lines"],
  [/^application\/x-www-form-urlencoded$/, "form"],
  [/^multipart\//, "multipart"],
  [/^text\/|[/+](xml|yaml|x-yaml|csv|javascript|graphql|sql|toml|xml-dtd)$/, "text"],
];

export function mediaKind(mediaType: string): MediaKind {
  return KINDS.find(([fits]) => fits.test(essence(mediaType)))?.[1] ?? "bytes";
}

/**
 * A body's media type with the schema by which callers write it, and a type that can be sent in the place of a range: a text or a file where the
 * media type is neither JSON nor a form, whatever the schema describes of its inside; a list where it is a value a line.
 */
export function openMedia(media: MediaType, reader: SchemaReader): MediaType {
  const variants = variantsOf(media.schema, reader);
  switch (mediaKind(media.mediaType)) {
    case "json":
      return /\*/.test(media.mediaType) ? narrow(media, variants) : media;
    case "lines":
      return isOnly(variants, "array") ? media : { ...media, schema: { type: "array", items: media.schema ?? {} } };
    case "text":
      return isScalar(variants) ? media : { ...media, schema: writtenText(media, variants) };
    case "bytes":
      return isScalar(variants) && !isOnly(variants, "string") ? media : { ...media, schema: asFile(media, variants) };
    case "form":
    case "multipart":
      return media;
  }
}

function variantsOf(schema: Schema | undefined, reader: SchemaReader): readonly FlatSchema[] {
  return schema === undefined ? [] : listVariants(flattenSchema({ schema, trail: [] }, reader), reader).variants;
}

function isOnly(variants: readonly FlatSchema[], type: string): boolean {
  return variants.length > 0 && variants.every(({ types }) => types[0] === type);
}

function isScalar(variants: readonly FlatSchema[]): boolean {
  const isOne = ({ types: [type] }: FlatSchema) => type !== undefined && type !== "object" && type !== "array";
  return variants.length > 0 && variants.every(isOne);
}

/** JSON for what JSON alone can hold; any type at all may also be a text or bytes. */
function narrow(media: MediaType, variants: readonly FlatSchema[]): MediaType {
  if (!isOnly(variants, "string")) return { ...media, mediaType: "application/json" };
  if (variants.some(({ own }) => isBinary(own))) return { ...media, mediaType: "application/octet-stream" };
  return { ...media, mediaType: essence(media.mediaType) === "*/*" ? "text/plain" : "application/json" };
}

function writtenText(media: MediaType, variants: readonly FlatSchema[]): Schema {
  const said = variants[0]?.own.description;
  const words = `The whole body, as ${essence(media.mediaType)}.`;
  return { type: "string", description: said === undefined ? words : `${said.replace(/[.\s]*$/, ".")} ${words}` };
}

function asFile(media: MediaType, variants: readonly FlatSchema[]): Schema {
  if (isOnly(variants, "string") && media.schema !== undefined) {
    const isMarked = variants.every(({ own }) => isBinary(own) || own.enum !== undefined || own.contentEncoding);
    return isMarked ? media.schema : { allOf: [media.schema, { format: "binary" }] };
  }
  const said = variants[0]?.own.description;
  return { type: "string", format: "binary", ...(said !== undefined && { description: said }) };
}
