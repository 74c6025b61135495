import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { BodyPlan, ParameterPlan } from "../../model/tool.ts";
import { exactDigits } from "./exact-number.ts";
import { readFile } from "./read-file.ts";
import { scalarText, serializeParameter } from "./serialize-parameter.ts";
import { Unsendable } from "./unsendable.ts";
import { writeJson } from "./write-json.ts";
import { writeMultipart } from "./write-multipart.ts";

export interface WrittenBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

type Writer = (plan: BodyPlan, value: Json) => Omit<WrittenBody, "contentType"> & { readonly contentType?: string };

/** By the first that fits the media type, its parameters aside. */
const WRITERS: readonly (readonly [mediaType: RegExp, write: Writer])[] = [
  [/^(application|text)\/json$|\+json$/, (_plan, value) => ({ body: writeJson(value) })],
  [/^application\/x-www-form-urlencoded$/, (plan, value) => ({ body: writeForm(plan, value) })],
  [/^multipart\//, (plan, value) => writeMultipart(plan, fieldsOf(value))],
  [/./, (_plan, value) => ({ body: writeRaw(value) })],
];

/**
 * A request body in its media type, with the Content-Type to send it by. A file is a data URI in base64 or `{base64, filename?, contentType?}`; other
 * types than JSON, forms and multipart take a file or a text as it is. Throws `Unsendable`.
 */
export function writeBody(plan: BodyPlan, value: Json): WrittenBody {
  const contentType = concrete(plan.mediaType, value);
  const bare = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const [, write] = WRITERS.find(([fits]) => fits.test(bare)) ?? [/./, () => ({ body: writeRaw(value) })];
  return { contentType, ...write(plan, value) };
}

/** A range such as `*`+`/*` is not a type to send by: JSON, or what the value is. */
function concrete(mediaType: string, value: Json): string {
  if (!mediaType.includes("*")) return mediaType;
  if (/^text\/\*/i.test(mediaType)) return "text/plain; charset=utf-8";
  return readFile(value) === undefined ? "application/json" : "application/octet-stream";
}

function writeForm(plan: BodyPlan, value: Json): string {
  return Object.entries(fieldsOf(value))
    .filter(([, inner]) => inner !== null)
    .flatMap(([name, inner]) => serializeParameter(formField(plan, name, inner), inner))
    .join("&");
}

/** A field of a form is spelt as a query parameter is, an object without stated encoding as JSON (OAS 3.1.1 4.8.15.1). */
export function formField(plan: BodyPlan, name: string, value: Json): ParameterPlan {
  const encoding = plan.encoding.find(({ property }) => property === name);
  const style = encoding?.style ?? "form";
  const explode = encoding?.explode ?? style === "form";
  const isStyled =
    encoding?.style !== undefined || encoding?.explode !== undefined || encoding?.allowReserved !== undefined;
  const mediaType = encoding?.contentType ?? (isJsonObject(value) ? "application/json" : undefined);
  return {
    name,
    in: "query",
    required: false,
    style,
    explode,
    allowReserved: encoding?.allowReserved ?? false,
    ...(!isStyled && mediaType !== undefined && { mediaType }),
  };
}

function fieldsOf(value: Json): JsonObject {
  if (!isJsonObject(value) || exactDigits(value) !== undefined) throw new Unsendable("a form is made of an object");
  return value;
}

function writeRaw(value: Json): string | Uint8Array {
  const file = readFile(value);
  if (file !== undefined) return file.bytes;
  if (typeof value === "object" && value !== null && exactDigits(value) === undefined) {
    throw new Unsendable("a body of this media type is a text or a file");
  }
  return scalarText(value);
}
