import type { BodyPlan, ParameterPlan } from "../../model/call.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { exactDigits } from "./exact-number.ts";
import { inCharset } from "./in-charset.ts";
import { encodeForm, encodeReserved } from "./percent-encode.ts";
import { readFile, type SentFile } from "./read-file.ts";
import { scalarText, serializeField } from "./serialize-parameter.ts";
import { Unsendable, writeInside } from "./unsendable.ts";
import { writeJson } from "./write-json.ts";
import { writeMultipart } from "./write-multipart.ts";

export interface WrittenBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

type Writer = (plan: BodyPlan, value: Json) => Omit<WrittenBody, "contentType"> & { readonly contentType?: string };

/** By the first that fits the media type, its parameters aside; last how a text that comes of it takes the charset of the media type. */
const WRITERS: readonly (readonly [mediaType: RegExp, write: Writer, of: "text" | "json" | "form"])[] = [
  [/^(application|text)\/json$|\+json$/, (_plan, value) => ({ body: writeJson(value) }), "json"],
  [/^application\/(x-ndjson|jsonl|ndjson|json-seq)$/, (_plan, value) => ({ body: writeLines(value) }), "json"],
  [/^application\/x-www-form-urlencoded$/, (plan, value) => ({ body: writeForm(plan, value) }), "form"],
  [/^multipart\//, (plan, value) => writeMultipart(plan, Array.isArray(value) ? value : fieldsOf(value)), "text"],
];

/**
 * A request body in its media type, with the Content-Type to send it by. Where the plan says that a file stands there it is a data URI or what else
 * `readFile` takes; other types than JSON, forms and multipart take a file or a text as it is. Throws `Unsendable`.
 */
export function writeBody(plan: BodyPlan, value: Json): WrittenBody {
  const bare = (plan.mediaType.split(";")[0] ?? "").trim().toLowerCase();
  const [, write, of] = WRITERS.find(([fits]) => fits.test(bare)) ?? [/./, writeRaw, "text"];
  const { contentType = plan.mediaType, body } = write(plan, value);
  return typeof body === "string" ? inCharset(contentType, body, of) : { contentType, body };
}

function writeForm(plan: BodyPlan, value: Json): string {
  return Object.entries(fieldsOf(value))
    .filter(([, inner]) => inner !== null)
    .flatMap(([name, inner]) => writeInside(name, () => formPairs(plan, name, inner)))
    .join("&");
}

/** The pairs that a field adds to a form. */
export function formPairs(plan: BodyPlan, name: string, value: Json): string[] {
  const field = formField(plan, name, value);
  return serializeField(field, value, field.allowReserved ? encodeReserved : encodeForm);
}

/** A field of a form is spelt as a query parameter is, an object without stated encoding as JSON (OAS 3.1.1 4.8.15.1). */
export function formField(plan: BodyPlan, name: string, value: Json): ParameterPlan {
  const encoding = plan.encoding.find(({ property }) => property === name);
  const style = encoding?.style ?? "form";
  const explode = encoding?.explode ?? style === "form";
  const isStyled =
    encoding?.style !== undefined || encoding?.explode !== undefined || encoding?.allowReserved !== undefined;
  const isObject = isJsonObject(value) && exactDigits(value) === undefined;
  const mediaType = encoding?.contentType ?? (isObject ? "application/json" : undefined);
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
  // A form has no null, and the one without fields is the nearest to it.
  if (value === null) return {};
  if (!isJsonObject(value) || exactDigits(value) !== undefined) throw new Unsendable("a form is made of an object");
  return value;
}

/** A value a line; a text is lines already. */
function writeLines(value: Json): string {
  if (typeof value === "string") return value;
  return (Array.isArray(value) ? value : [value]).map((line: Json) => `${writeJson(line)}\n`).join("");
}

function writeRaw(plan: BodyPlan, value: Json): ReturnType<Writer> {
  const file = plan.file === true ? readFile(value) : undefined;
  if (file !== undefined) return { body: file.bytes, ...typeOf(plan.mediaType, file) };
  if (typeof value === "object" && value !== null && exactDigits(value) === undefined) {
    throw new Unsendable("a body of this media type is a text or a file");
  }
  return { body: scalarText(value), ...typeOf(plan.mediaType, undefined) };
}

/** A range such as `image/*` is no type to send by: what the file says it is, where that lies in the range. */
function typeOf(mediaType: string, file: SentFile | undefined): { readonly contentType?: string } {
  if (!mediaType.includes("*")) return {};
  const [type = "*"] = mediaType.toLowerCase().split("/");
  const own = file?.contentType;
  if (own !== undefined && (type === "*" || own.toLowerCase().startsWith(`${type}/`))) return { contentType: own };
  return { contentType: type === "text" ? "text/plain; charset=utf-8" : "application/octet-stream" };
}
