import { isJsonObject, type Json, ownValue } from "../../model/json.ts";

export interface SentFile {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
}

const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?(;[\w.+-]+=[\w.+-]+)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** The file that a value stands for: a data URI in base64, or an object of `base64` and no other keys but `filename` and `contentType`. */
export function readFile(value: Json): SentFile | undefined {
  if (typeof value === "string") {
    const head = DATA_URI.exec(value);
    const data = head === null ? "" : value.slice(head[0].length);
    if (head === null || !BASE64.test(data)) return undefined;
    return { bytes: Buffer.from(data, "base64"), ...(head[1] !== undefined && { contentType: head[1] }) };
  }
  if (!isJsonObject(value)) return undefined;
  const data = ownValue(value, "base64");
  const isFile = Object.keys(value).every((key) => key === "base64" || key === "filename" || key === "contentType");
  if (!isFile || typeof data !== "string" || !BASE64.test(data)) return undefined;
  const [filename, contentType] = [ownValue(value, "filename"), ownValue(value, "contentType")];
  return {
    bytes: Buffer.from(data, "base64"),
    ...(typeof filename === "string" && { filename }),
    ...(typeof contentType === "string" && { contentType }),
  };
}
