import { isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import type { ReplyBody } from "../../model/exchange.ts";
import { parseIfJson } from "./parse-if-json.ts";

/** RFC 9110 8.3.1. */
export function essence(contentType: string): string {
  return (contentType.split(";")[0] ?? "").trim().toLowerCase();
}

/**
 * The body that these bytes are. Its kind is what they are, its Content-Type a hint: what parses as a JSON object or list is JSON under any textual
 * type; a JSON type over what does not parse gives a text. `isFree` tells of a JSON text whether it is known to hold no secret. Throws ToolError `upstream_bad_response` for JSON that is nested too deep.
 */
export function readBody(bytes: Uint8Array, contentType: string, isFree: IsFree = () => false): ReplyBody {
  if (bytes.byteLength === 0) return { kind: "empty" };
  const mediaType = essence(contentType);
  const type = judgeType(mediaType);
  const text = type === "binary" ? undefined : decode(bytes, contentType, type === "unknown");
  if (text === undefined) return { kind: "binary", data: bytes, mediaType: mediaType || "application/octet-stream" };
  if (text.trim() === "") return { kind: "empty" };
  const value = parseIfJson(text, type === "json");
  const replaced = holdsReplaced(text, bytes) ? ({ replaced: true } as const) : {};
  if (value === undefined) return { kind: "text", text, mediaType: mediaType || "text/plain", ...replaced };
  return isFree(text) ? { kind: "json", value, free: true, ...replaced } : { kind: "json", value, ...replaced };
}

/** Whether bytes were replaced in what they were decoded to: a U+FFFD may be the upstream's own where they are UTF-8. */
export function holdsReplaced(text: string, bytes: Uint8Array): boolean {
  return text.includes("\ufffd") && !isUtf8(bytes);
}

export type IsFree = (text: string) => boolean;

type TypeHint = "json" | "text" | "binary" | "unknown";

const HINTS: readonly (readonly [mediaType: RegExp, hint: TypeHint])[] = [
  [/^(application|text)\/json$|\+json$/, "json"],
  [/^text\/|[/+](xml|yaml|x-yaml|javascript|csv|x-ndjson|jsonl|x-www-form-urlencoded|graphql|sql|toml)$/, "text"],
  [/^(image|audio|video|font|model)\//, "binary"],
  [/^application\/(pdf|zip|gzip|x-tar|wasm|msword|vnd\.(ms-|openxmlformats))/, "binary"],
];

function judgeType(mediaType: string): TypeHint {
  return HINTS.find(([fits]) => fits.test(mediaType))?.[1] ?? "unknown";
}

/** The text of the bytes in their stated charset, or as their byte order mark says, else UTF-8; undefined where an unknown type holds no text. */
function decode(bytes: Uint8Array, contentType: string, isUnknown: boolean): string | undefined {
  const marked = markedCharset(bytes);
  const charset = marked ?? statedCharset(contentType) ?? declaredCharset(bytes, contentType) ?? "utf-8";
  try {
    // Nearly every body is so, and making a decoder costs more than what it then decodes.
    const isPlain = marked === undefined && UTF_8.test(charset) && isUtf8(bytes);
    const text = isPlain ? toText(bytes) : createDecoder(charset, isUnknown).decode(bytes);
    return isUnknown && /[\u0000-\u0008\u000e-\u001a]/.test(text.slice(0, 10_000)) ? undefined : text;
  } catch {
    return undefined;
  }
}

function toText({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}

const UTF_8 = /^utf-?8$/i;

export function statedCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^"';\s]+)/i.exec(contentType)?.[1];
}

/** How documents say it themselves (XML 1.0 4.3.3, WHATWG HTML 4.2.5.4), where they are no UTF-8. */
const DECLARED = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)|<meta[^>]*\scharset\s*=\s*["']?([\w.:-]+)/i;
const LONGEST_PROLOGUE = 1024;

function declaredCharset(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/\b(xml|x?html)\b/i.test(essence(contentType)) || isUtf8(bytes)) return undefined;
  const { buffer, byteOffset, byteLength } = bytes;
  const begin = Buffer.from(buffer, byteOffset, Math.min(byteLength, LONGEST_PROLOGUE)).toString("latin1");
  const found = DECLARED.exec(begin);
  return found?.[1] ?? found?.[2];
}

/** Whether the type says that the body is JSON in UTF-8 (RFC 8259 8.1). */
export function isPlainJson(contentType: string): boolean {
  return judgeType(essence(contentType)) === "json" && UTF_8.test(statedCharset(contentType) ?? "utf-8");
}

function markedCharset(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && bytes[2] === 0xbf ? "utf-8" : undefined;
}

/** UTF-8 where nobody knows the charset. */
export function createDecoder(charset: string, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return new TextDecoder("utf-8", { fatal });
  }
}
