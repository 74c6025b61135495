import { randomBytes } from "node:crypto";
import type { BodyPlan } from "../../model/call.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { exactDigits } from "./exact-number.ts";
import { inCharset } from "./in-charset.ts";
import { readFile } from "./read-file.ts";
import { scalarText, serializeField } from "./serialize-parameter.ts";
import { Unsendable, writeInside } from "./unsendable.ts";
import { writeJson } from "./write-json.ts";

interface Part {
  /** None of an item of a list. */
  readonly name?: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly content: string | Uint8Array;
}

type Encoding = BodyPlan["encoding"][number];

/**
 * A multipart body: of an object a part a property, a list in it as parts of one name, objects as JSON (OAS 3.1.1 4.8.15.1.1); of a list a part an
 * item, without a name (OAS 3.2 4.15.2).
 */
export function writeMultipart(
  plan: BodyPlan,
  content: JsonObject | readonly Json[],
): { contentType: string; body: Uint8Array } {
  const [type = ""] = plan.mediaType.split(";");
  const isForm = type.trim().toLowerCase() === "multipart/form-data";
  const parts = Array.isArray(content)
    ? itemParts(content, plan, isForm)
    : fieldParts(content as JsonObject, plan, isForm);
  // 144 random bits: no content can hold the boundary but by guessing it.
  const boundary = `vitrine-${randomBytes(18).toString("hex")}`;
  const chunks = parts.flatMap((part) => [head(part, boundary), Buffer.from(part.content), Buffer.from("\r\n")]);
  return {
    contentType: `${type.trim()}; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function fieldParts(fields: JsonObject, plan: BodyPlan, isForm: boolean): Part[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const encoding = plan.encoding.find(({ property }) => property === name);
    return writeInside(name, () =>
      isForm && isStyled(encoding) ? styledParts(name, value, encoding) : plainParts(name, value, encoding),
    );
  });
}

function itemParts(items: readonly Json[], plan: BodyPlan, isForm: boolean): Part[] {
  // RFC 7578 4.2: each part has a name.
  if (isForm) throw new Unsendable("a form is made of an object");
  const ofRest = plan.encoding.find(({ property }) => property === "*");
  return items.map((item, at) => {
    const encoding = plan.encoding.find(({ property }) => property === String(at)) ?? ofRest;
    const { name: _, ...part } = writeInside(`${at}`, () => makePart(`${at}`, item, encoding));
    return part;
  });
}

function plainParts(name: string, value: Json, encoding: Encoding | undefined): Part[] {
  if (!Array.isArray(value)) return value === null ? [] : [makePart(name, value, encoding)];
  return (value as readonly Json[]).flatMap((one, at) =>
    one === null ? [] : [writeInside(`${at}`, () => makePart(name, one, encoding))],
  );
}

function isStyled(encoding: Encoding | undefined): encoding is Encoding {
  return encoding?.file !== true && (encoding?.style !== undefined || encoding?.explode !== undefined);
}

/** With a style the field is spelt as in a query, but that nothing is encoded (OAS 3.1.1 4.8.15.1, multipart/form-data). */
function styledParts(name: string, value: Json, { style = "form", explode = style === "form" }: Encoding): Part[] {
  if (value === null) return [];
  const field = { name, in: "query", required: false, style, explode, allowReserved: false } as const;
  // The separators of pairs are found again by a sign that no text of a part holds unescaped.
  const pairs = serializeField(field, value, (text) => encodeURIComponent(text));
  const isJoined = !explode && typeof value === "object" && exactDigits(value) === undefined;
  return pairs.map((pair) => {
    const at = pair.indexOf("=");
    if (isJoined && pair.includes("%2C", at))
      throw new Unsendable('"," separates the items here and cannot stand inside one');
    return { name: decodeURIComponent(pair.slice(0, at)), content: decodeURIComponent(pair.slice(at + 1)) };
  });
}

function makePart(name: string, value: Json, encoding: Encoding | undefined): Part {
  const stated = first(encoding?.contentType);
  const file = encoding?.file === true ? readFile(value) : undefined;
  if (file !== undefined) {
    const contentType = stated ?? file.contentType ?? "application/octet-stream";
    return { name, filename: file.filename ?? name, contentType, content: file.bytes };
  }
  if (isJsonObject(value) && exactDigits(value) === undefined) return jsonPart(name, value, stated);
  if (Array.isArray(value)) return jsonPart(name, value, stated);
  if (encoding?.file === true && typeof value === "string")
    return { name, filename: name, contentType: stated ?? "application/octet-stream", content: value };
  if (stated === undefined) return { name, content: scalarText(value) };
  const { contentType, body } = inCharset(stated, scalarText(value), "text");
  return { name, contentType, content: body };
}

function jsonPart(name: string, value: Json, stated: string | undefined): Part {
  if (stated !== undefined && /[/+]xml\b/i.test(stated)) {
    throw new Unsendable(`\`${name}\` goes out as ${stated}, which is a text or a file`);
  }
  return { name, contentType: stated ?? "application/json", content: writeJson(value) };
}

/** `image/png, image/jpeg` allows either. */
function first(contentType: string | undefined): string | undefined {
  const type = contentType?.split(",")[0]?.trim();
  return type === undefined || type.includes("*") ? undefined : type;
}

function head({ name, filename, contentType }: Part, boundary: string): Uint8Array {
  if (
    contentType !== undefined &&
    !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w-]+=("[^"\r\n]*"|[\w.+-]+))*$/.test(contentType)
  ) {
    throw new Unsendable("its content type is none");
  }
  const file = filename === undefined ? "" : `; filename="${quote(filename)}"`;
  const lines = [
    ...(name === undefined ? [] : [`Content-Disposition: form-data; name="${quote(name)}"${file}`]),
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
  ];
  return Buffer.from(`--${boundary}\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`);
}

/** As browsers do (WHATWG HTML, multipart/form-data encoding algorithm). */
function quote(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
