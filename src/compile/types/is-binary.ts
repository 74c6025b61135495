import type { Schema } from "../../model/schema.ts";

/** Whether a text stands for bytes as they are (OAS 3.1.1 4.7.14.3): with `contentEncoding` it is text that holds them. */
export function isBinary(own: Schema): boolean {
  if (own.format === "binary") return true;
  if (own.contentEncoding !== undefined || own.contentMediaType === undefined) return false;
  return isBytes(own.contentMediaType);
}

/** Whether a media type is none of the textual ones. */
export function isBytes(mediaType: string): boolean {
  return !/^text\/|[/+](json|xml|yaml|x-yaml|csv|javascript|x-www-form-urlencoded)\b/i.test(mediaType.trim());
}
