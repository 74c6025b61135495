import type { MediaType, ParameterStyle, PropertyEncoding } from "../model/api.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import type { Schema } from "../model/schema.ts";
import { childOf, type Located } from "./locate.ts";
import { textOf } from "./read-field.ts";
import { followRefs } from "./resolve-ref.ts";
import type { SpecContext } from "./spec-context.ts";

/** The media types of a `content` object, in the order of the document. */
export function readContent(context: SpecContext, stated: Located): MediaType[] {
  const content = followRefs(context.document, stated);
  if (!isJsonObject(content.value)) return [];
  return Object.keys(content.value).flatMap((mediaType) => {
    const { value, pointer } = followRefs(context.document, childOf(content, mediaType));
    if (!isJsonObject(value)) return [{ mediaType, encoding: [] }];
    const schema = readSchema(context, { value, pointer });
    return [
      {
        mediaType,
        ...(schema !== undefined && { schema }),
        encoding: context.document.version === "3.2" ? readPartEncodings(value) : readEncodings(value),
      },
    ];
  });
}

// OAS 3.2 4.14.1: `itemSchema` is of each item of a sequential media type; the whole is the list of them.
function readSchema({ document, schemas }: SpecContext, media: Located): Schema | undefined {
  const [schema, item] = [childOf(media, "schema"), childOf(media, "itemSchema")];
  if (schema.value !== undefined) return schemas.lift(schema.value, schema.pointer);
  if (item.value === undefined || document.version !== "3.2") return undefined;
  return { type: "array", items: schemas.lift(item.value, item.pointer) };
}

function readEncodings(media: JsonObject): PropertyEncoding[] {
  const stated = ownValue(media, "encoding");
  return isJsonObject(stated) ? Object.entries(stated).flatMap(([name, encoding]) => readEncoding(name, encoding)) : [];
}

// OAS 3.2 4.14.4: the parts of a list have encodings by their position, and one for those behind.
function readPartEncodings(media: JsonObject): PropertyEncoding[] {
  const [prefix, item] = [ownValue(media, "prefixEncoding"), ownValue(media, "itemEncoding")];
  return [
    ...readEncodings(media),
    ...(Array.isArray(prefix) ? prefix : []).flatMap((encoding: Json, at) => readEncoding(String(at), encoding)),
    ...readEncoding("*", item),
  ];
}

function readEncoding(property: string, encoding: Json | undefined): PropertyEncoding[] {
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
}

const ENCODING_STYLES: ReadonlyMap<string, ParameterStyle> = new Map(
  (["form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"] as const).map((style) => [style, style]),
);
