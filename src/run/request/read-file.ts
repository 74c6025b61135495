import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { Unsendable } from "./unsendable.ts";

export interface SentFile {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w.+-]+=[^;,]*)*)(;base64)?,/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const KEYS: ReadonlySet<string> = new Set(["base64", "text", "filename", "contentType"]);

/**
 * The file that a value stands for: a data URI (RFC 2397, its `name` or `filename` parameter being the file's name), or an object of `base64` or `text`
 * with `filename` and `contentType`. Undefined for any other value. Throws `Unsendable` where the base64 is none.
 */
export function readFile(value: Json): SentFile | undefined {
  if (typeof value === "string") return readDataUri(value);
  if (!isJsonObject(value) || !Object.keys(value).every((key) => KEYS.has(key))) return undefined;
  const [base64, text] = [ownValue(value, "base64"), ownValue(value, "text")];
  const bytes =
    typeof base64 === "string" ? decodeBase64(base64) : typeof text === "string" ? Buffer.from(text) : undefined;
  if (bytes === undefined || (base64 !== undefined && text !== undefined)) return undefined;
  const [filename, contentType] = [ownValue(value, "filename"), ownValue(value, "contentType")];
  return {
    bytes,
    ...(typeof filename === "string" && { filename }),
    ...(typeof contentType === "string" && { contentType }),
  };
}

function readDataUri(value: string): SentFile | undefined {
  const [head, contentType, parameters = "", isBase64] = DATA_URI.exec(value) ?? [];
  if (head === undefined) return undefined;
  const data = value.slice(head.length);
  const name = /;(?:file)?name=([^;]*)/i.exec(parameters)?.[1];
  return {
    bytes: isBase64 === undefined ? Buffer.from(decodePercent(data)) : decodeBase64(decodePercent(data)),
    ...(name !== undefined && { filename: decodePercent(name) }),
    ...(contentType !== undefined && { contentType }),
  };
}

function decodeBase64(text: string): Uint8Array {
  const plain = text.replace(/\s/g, "");
  if (!BASE64.test(plain)) throw new Unsendable("its base64 is not valid");
  return Buffer.from(plain, "base64");
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
