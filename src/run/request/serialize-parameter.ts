import type { ParameterPlan } from "../../model/call.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { exactDigits, plainDigits } from "./exact-number.ts";
import { encodeQuery, encodeReserved, encodeSegment } from "./percent-encode.ts";
import { Unsendable } from "./unsendable.ts";
import { writeJson } from "./write-json.ts";

type Style = ParameterPlan["style"];
export type Encode = (text: string) => string;

/** A value as styles see it, its texts encoded: nulls are left out, what is deeper than one level is JSON. */
type Parts =
  | { readonly kind: "one"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "entries"; readonly entries: readonly (readonly [name: string, text: string])[] };

interface Written {
  readonly place: ParameterPlan["in"];
  /** Encoded. */
  readonly name: string;
  readonly explode: boolean;
  readonly parts: Parts;
  readonly value: Json;
  readonly encode: Encode;
  /** Lists in brackets count their items, wherever they stand. */
  readonly counted: boolean;
}

/** OpenAPI 3.1.1 4.8.12.4: how each style spells a value. To add a style: one line here. */
const STYLES: Readonly<Record<Style, (written: Written) => string[]>> = {
  simple: ({ parts, explode }) => [join(parts, ",", explode)],
  label: ({ parts, explode }) => [`.${join(parts, explode ? "." : ",", explode)}`],
  matrix: writeMatrix,
  form: (written) => writeForm(written, ","),
  spaceDelimited: (written) => writeDelimited(written, " "),
  pipeDelimited: (written) => writeDelimited(written, "|"),
  tabDelimited: (written) => writeDelimited(written, "\t"),
  deepObject: ({ name, value, encode, counted }) => writeDeep(name, value, encode, counted ? "list" : "nothing"),
  cookie: (written) => writeForm(written, ","),
};

const ENCODERS: Readonly<Record<ParameterPlan["in"], Encode>> = {
  path: encodeSegment,
  query: encodeQuery,
  querystring: encodeQuery,
  header: (text) => text,
  cookie: encodeSegment,
};

/**
 * The pieces that a parameter adds to its place, encoded: the text of a path segment (always one piece) or header, or `name=value` pairs of a query
 * or the cookies; none where the value is an empty list or object. Throws `Unsendable` where the style cannot carry the value.
 */
export function serializeParameter(parameter: ParameterPlan, value: Json): string[] {
  return serializeWith(parameter, value, chooseEncoder(parameter));
}

/**
 * The same with another spelling of texts, for bodies that are made of fields. There each list in brackets counts its items: of a name that is
 * repeated many a reader of forms keeps the last.
 */
export function serializeField(parameter: ParameterPlan, value: Json, encode: Encode): string[] {
  return serializeWith(parameter, value, encode, true);
}

function serializeWith(parameter: ParameterPlan, value: Json, encode: Encode, counted = false): string[] {
  if (parameter.mediaType !== undefined) return writeContent(parameter, value, encode);
  const isFlat = parameter.in === "path" || parameter.in === "header";
  const name = parameter.in === "header" ? parameter.name : encode(parameter.name);
  const written = {
    place: parameter.in,
    name,
    explode: parameter.explode,
    parts: readParts(value, encode, itemEncoder(parameter, encode)),
    value,
    encode,
    counted,
  };
  if (parameter.in === "header" && isEmpty(written.parts)) return [];
  const pieces = STYLES[parameter.style](written);
  return isFlat ? [pieces.join("")] : pieces;
}

/** The text of a scalar; of a list or object its JSON. */
export function scalarText(value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return plainDigits(value);
  if (typeof value === "boolean") return String(value);
  if (value === null) return "";
  return exactDigits(value) ?? writeJson(value);
}

function chooseEncoder(parameter: ParameterPlan): Encode {
  if (parameter.style === "cookie") return plainCookie;
  if (parameter.allowReserved && parameter.in === "query") return encodeReserved;
  return ENCODERS[parameter.in];
}

/** What separates items must not stand inside one, where encoding cannot tell the two apart. */
function itemEncoder({ style, explode, in: place }: ParameterPlan, encode: Encode): Encode {
  const separator = explode ? undefined : SEPARATORS.get(style);
  if (separator !== undefined) return refusing(separator, encode);
  if (place === "header" || style === "cookie") return refusing(",", encode);
  if (style === "label") return (text) => encode(text).replaceAll(".", "%2E");
  if (explode) return encode;
  return (text) => encode(text).replaceAll(",", "%2C");
}

const SEPARATORS: ReadonlyMap<Style, string> = new Map([
  ["spaceDelimited", " "],
  ["pipeDelimited", "|"],
  ["tabDelimited", "\t"],
]);

function refusing(separator: string, encode: Encode): Encode {
  return (text) => {
    if (text.includes(separator))
      throw new Unsendable(`"${separator}" separates the items here and cannot stand inside one`);
    return encode(text);
  };
}

function readParts(value: Json, encodeOne: Encode, encodeItem: Encode): Parts {
  if (Array.isArray(value)) {
    return { kind: "list", items: value.filter((item) => item !== null).map((item) => encodeItem(scalarText(item))) };
  }
  if (isJsonObject(value) && exactDigits(value) === undefined) {
    const set = Object.entries(value).filter(([, inner]) => inner !== null);
    return { kind: "entries", entries: set.map(([name, inner]) => [encodeItem(name), encodeItem(scalarText(inner))]) };
  }
  return { kind: "one", text: encodeOne(scalarText(value)) };
}

function join(parts: Parts, separator: string, explode: boolean): string {
  switch (parts.kind) {
    case "one":
      return parts.text;
    case "list":
      return parts.items.join(separator);
    case "entries":
      return parts.entries.map(([name, text]) => `${name}${explode ? "=" : separator}${text}`).join(separator);
    default:
      return parts satisfies never;
  }
}

function isEmpty(parts: Parts): boolean {
  return (
    (parts.kind === "list" && parts.items.length === 0) || (parts.kind === "entries" && parts.entries.length === 0)
  );
}

function writeForm({ name, parts, explode }: Written, separator: string): string[] {
  if (isEmpty(parts)) return [];
  if (explode && parts.kind === "list") return parts.items.map((item) => `${name}=${item}`);
  if (explode && parts.kind === "entries") return parts.entries.map(([key, text]) => `${key}=${text}`);
  return [`${name}=${join(parts, separator, false)}`];
}

/** In a path or a header, where only Swagger 2.0 has these, the items alone. */
function writeDelimited(written: Written, separator: string): string[] {
  const { parts, place } = written;
  if (place === "header") return [join(parts, separator, false)];
  return place === "path"
    ? [join(parts, encodeURIComponent(separator), false)]
    : writeForm(written, encodeURIComponent(separator));
}

function writeMatrix({ name, parts, explode }: Written): string[] {
  // RFC 6570 3.2.7: an empty value is its name alone.
  const pair = (key: string, text: string) => (text === "" ? `;${key}` : `;${key}=${text}`);
  if (isEmpty(parts)) return [];
  if (explode && parts.kind === "list") return parts.items.map((item) => pair(name, item));
  if (explode && parts.kind === "entries") return parts.entries.map(([key, text]) => pair(key, text));
  return [pair(name, join(parts, ",", false))];
}

/**
 * Brackets at any depth. Of lists in them OpenAPI says nothing: a list of scalars in an object repeats its name, every other list counts its
 * items, and so does what is in a counted item, since who reads numbers between brackets reads a name alone as one text.
 */
function writeDeep(
  name: string,
  value: Json,
  encode: Encode,
  above: "nothing" | "object" | "list" = "nothing",
): string[] {
  const inside = (key: string, inner: Json, kind: "object" | "list") =>
    writeDeep(`${name}%5B${encode(key)}%5D`, inner, encode, above === "list" ? "list" : kind);
  if (Array.isArray(value)) {
    const isPlain = above === "object" && value.every((item) => typeof item !== "object" || item === null);
    const set = value.filter((item) => item !== null);
    if (isPlain) return set.map((item) => `${name}=${encode(scalarText(item))}`);
    return set.flatMap((item, index) => inside(String(index), item, "list"));
  }
  if (isJsonObject(value) && exactDigits(value) === undefined) {
    return Object.entries(value).flatMap(([key, inner]) => (inner === null ? [] : inside(key, inner, "object")));
  }
  return [`${name}=${encode(scalarText(value))}`];
}

/** `content` in place of `style`: the value is written in that media type and then sent as one text. */
function writeContent(parameter: ParameterPlan, value: Json, encode: Encode): string[] {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(parameter.mediaType ?? "");
  if (isForm) {
    const pairs = writePairs(value, encode);
    if (parameter.in === "querystring") return pairs;
    const text = parameter.in === "header" ? pairs.join("&") : encode(pairs.join("&"));
    return [parameter.in === "query" || parameter.in === "cookie" ? `${encode(parameter.name)}=${text}` : text];
  }
  const isJson = /[/+]json\b/i.test(parameter.mediaType ?? "");
  const text = isJson ? writeJson(value) : scalarText(value);
  if (parameter.in === "header") return [isJson ? escapeNonAscii(text) : text];
  if (parameter.in === "path" || parameter.in === "querystring") return [encode(text)];
  return [`${encode(parameter.name)}=${encode(text)}`];
}

/** The fields of a form, lists repeated, objects inside as JSON (OAS 3.2 4.12.4, `in: querystring`). */
function writePairs(value: Json, encode: Encode): string[] {
  if (!isJsonObject(value) || exactDigits(value) !== undefined) throw new Unsendable("a form is made of an object");
  return Object.entries(value).flatMap(([name, inner]) =>
    (Array.isArray(inner) ? (inner as readonly Json[]) : [inner])
      .filter((one) => one !== null)
      .map((one) => `${encode(name)}=${encode(scalarText(one))}`),
  );
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// OAS 3.2 4.12.3.1: the style `cookie` does not encode, so what a cookie cannot hold cannot be sent (RFC 6265 4.1.1).
function plainCookie(text: string): string {
  if (!/^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]*$/.test(text))
    throw new Unsendable("a cookie cannot hold one of its characters");
  return text;
}
