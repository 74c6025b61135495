/** A text with the media type that it goes out by. */
export interface Encoded {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

const CHARSET = /;\s*charset\s*=\s*"?([\w.:+-]+)"?/i;
const UTF_8 = /^utf-?8$/;
/** In these an ASCII text is other bytes too. */
const WIDE = /^(utf-?(16|32)|ucs)/;
const LATIN_1 = /^(iso-?8859-1|latin-?1)$/;

/**
 * A text in the charset that its media type names, where that is Latin-1 and holds it; else in UTF-8, and then the media type says so, so that who
 * believes it reads what was meant. JSON and the triples of a form are UTF-8 always (RFC 8259 8.1; WHATWG URL, application/x-www-form-urlencoded).
 */
export function inCharset(contentType: string, text: string, kind: "text" | "json" | "form"): Encoded {
  const charset = CHARSET.exec(contentType)?.[1]?.toLowerCase();
  if (charset === undefined || UTF_8.test(charset)) return { contentType, body: text };
  const isPlain = kind === "form" ? !/%[89A-F]/i.test(text) : /^[\0-\x7f]*$/.test(text);
  if (isPlain && !WIDE.test(charset)) return { contentType, body: text };
  if (kind === "text" && LATIN_1.test(charset) && /^[\0-\xff]*$/.test(text))
    return { contentType, body: Buffer.from(text, "latin1") };
  return { contentType: contentType.replace(CHARSET, "; charset=utf-8"), body: text };
}
