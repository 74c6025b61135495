import type { MediaType } from "../../model/api.ts";
import type { Binding, BodyPlan } from "../../model/call.ts";
import type { Schema } from "../../model/schema.ts";
import { type FlatSchema, flattenSchema, type SchemaReader } from "../types/flatten-schema.ts";
import { isBinary, isBytes } from "../types/is-binary.ts";
import { listVariants } from "../types/list-variants.ts";
import { bodyCheck } from "./body-check.ts";
import { mediaKind } from "./open-media.ts";
import type { Target } from "./request-places.ts";

/** How the body of one tool is written; undefined where none is sent. */
export function planBody(target: Target, bindings: readonly Binding[], contentType?: string): BodyPlan | undefined {
  const { operation, media, reader } = target;
  const isFilled = bindings.some(({ place, whereSent }) => place.in === "body" && whereSent !== true);
  if (!isFilled && operation.body?.required !== true) return undefined;
  const mediaType = media?.mediaType ?? contentType ?? "application/json";
  const kind = mediaKind(mediaType);
  const isFile =
    kind === "bytes" || (kind === "text" && variantsOf(media?.schema, reader).some(({ own }) => isBinary(own)));
  const check = bodyCheck(target, bindings);
  return {
    required: operation.body?.required ?? false,
    mediaType,
    ...(isFile && { file: true as const }),
    ...(check !== undefined && { check }),
    encoding: kind === "multipart" ? partEncodings(media!, reader) : (media?.encoding ?? []),
  };
}

function variantsOf(schema: Schema | undefined, reader: SchemaReader): readonly FlatSchema[] {
  return listVariants(flattenSchema({ schema: schema ?? {}, trail: [] }, reader), reader).variants;
}

/** What the spec says of each part, and which of them are files. */
function partEncodings(media: MediaType, reader: SchemaReader): BodyPlan["encoding"] {
  const properties = Object.fromEntries(
    variantsOf(media.schema, reader).flatMap(({ own }): [string, Schema][] => [
      ...Object.entries(own.properties ?? {}),
      ...Object.entries(own.prefixItems ?? []),
      ...(own.items === undefined ? [] : [["*", own.items] as [string, Schema]]),
    ]),
  );
  const names = new Set([...Object.keys(properties), ...media.encoding.map(({ property }) => property)]);
  return [...names].flatMap((property) => {
    const stated = media.encoding.find((one) => one.property === property);
    const schema = Object.hasOwn(properties, property) ? properties[property] : undefined;
    const isFile = schema !== undefined && isFilePart(schema, stated?.contentType, reader);
    if (stated === undefined && !isFile) return [];
    return [{ property, ...stated, ...(isFile && { file: true as const }) }];
  });
}

/** Bytes by the schema (of the items, for a list: OAS 3.1.1 4.8.15.1.1), or a text that goes out as bytes; what has no type may be either. */
function isFilePart(schema: Schema, contentType: string | undefined, reader: SchemaReader): boolean {
  const variants = variantsOf(schema, reader);
  if (variants.length === 0) return true;
  return variants.some(({ own, types: [type] }) => {
    if (type === "array") return isFilePart(own.items ?? {}, contentType, reader);
    if (type === undefined) return contentType === undefined || isBytes(contentType);
    if (type !== "string") return false;
    return isBinary(own) || (contentType !== undefined && isBytes(contentType.split(",")[0]!));
  });
}
