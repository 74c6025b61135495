import type { MediaType, ParameterStyle, PropertyEncoding } from "../model/api.ts";
import { isJsonObject, type Json, ownValue } from "../model/json.ts";
import { textOf } from "./read-field.ts";
import { childOf, followRefs, type Located } from "./resolve-ref.ts";
import type { SpecContext } from "./spec-context.ts";

/** The media types of a `content` object, in the order of the document. */
export function readContent(context: SpecContext, content: Located): MediaType[] {
  if (!isJsonObject(content.value)) return [];
  return Object.keys(content.value).flatMap((mediaType) => {
    const { value, pointer } = followRefs(context.document, childOf(content, mediaType));
    if (!isJsonObject(value)) return [{ mediaType, encoding: [] }];
    const schema = childOf({ value, pointer }, "schema");
    return [
      {
        mediaType,
        ...(schema.value !== undefined && { schema: context.schemas.lift(schema.value, schema.pointer) }),
        encoding: readEncoding(ownValue(value, "encoding")),
      },
    ];
  });
}

function readEncoding(raw: Json | undefined): PropertyEncoding[] {
  if (!isJsonObject(raw)) return [];
  return Object.entries(raw).flatMap(([property, encoding]) => {
    if (!isJsonObject(encoding)) return [];
    const contentType = textOf(encoding, "contentType");
    const style = ENCODING_STYLES.get(textOf(encoding, "style") ?? "");
    const [explode, allowReserved] = [ownValue(encoding, "explode"), ownValue(encoding, "allowReserved")];
    return [
      {
        property,
        ...(contentType !== undefined && { contentType }),
        ...(style !== undefined && { style }),
        ...(typeof explode === "boolean" && { explode }),
        ...(typeof allowReserved === "boolean" && { allowReserved }),
      },
    ];
  });
}

const ENCODING_STYLES: ReadonlyMap<string, ParameterStyle> = new Map(
  (["form", "spaceDelimited", "pipeDelimited", "deepObject"] as const).map((style) => [style, style]),
);
