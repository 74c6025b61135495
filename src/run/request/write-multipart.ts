import { randomBytes } from "node:crypto";
import type { Json, JsonObject } from "../../model/json.ts";
import type { BodyPlan } from "../../model/tool.ts";
import { exactDigits } from "./exact-number.ts";
import { readFile } from "./read-file.ts";
import { scalarText } from "./serialize-parameter.ts";
import { Unsendable } from "./unsendable.ts";
import { writeJson } from "./write-json.ts";

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly content: string | Uint8Array;
}

/** A multipart body: a part a property, a list as parts of one name, objects as JSON (OAS 3.1.1 4.8.15.1.1). */
export function writeMultipart(plan: BodyPlan, fields: JsonObject): { contentType: string; body: Uint8Array } {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const contentType = plan.encoding.find(({ property }) => property === name)?.contentType;
    const values: readonly Json[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => one !== null).map((one) => makePart(name, one, contentType));
  });
  // 144 random bits: no content can hold the boundary but by guessing it.
  const boundary = `vitrine-${randomBytes(18).toString("hex")}`;
  const chunks = parts.flatMap((part) => [head(part, boundary), Buffer.from(part.content), Buffer.from("\r\n")]);
  const [type] = plan.mediaType.split(";");
  return {
    contentType: `${type}; boundary=${boundary}`,
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function makePart(name: string, value: Json, encoded: string | undefined): Part {
  const file = readFile(value);
  if (file !== undefined) {
    const contentType = first(encoded) ?? file.contentType ?? "application/octet-stream";
    return { name, filename: file.filename ?? name, contentType, content: file.bytes };
  }
  if (typeof value === "object" && value !== null && exactDigits(value) === undefined) {
    return { name, contentType: first(encoded) ?? "application/json", content: writeJson(value) };
  }
  const contentType = first(encoded);
  return { name, content: scalarText(value), ...(contentType !== undefined && { contentType }) };
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
  const disposition = `Content-Disposition: form-data; name="${quote(name)}"${filename === undefined ? "" : `; filename="${quote(filename)}"`}`;
  const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
  return Buffer.from(`--${boundary}\r\n${disposition}${type}\r\n\r\n`);
}

/** As browsers do (WHATWG HTML, multipart/form-data encoding algorithm). */
function quote(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
