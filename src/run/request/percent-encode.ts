import { Unsendable } from "./unsendable.ts";

/**
 * Percent-encodes a text for a path segment: everything but unreserved characters and `! ' ( ) *` (RFC 3986 3.3). Throws `Unsendable` for half a
 * character (a lone surrogate), which UTF-8 cannot hold.
 */
export function encodeSegment(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new Unsendable("it holds half a character (a lone surrogate)");
  return encodeURIComponent(text);
}

/** For a query: `'` too, which the URL standard would encode in any case. */
export function encodeQuery(text: string): string {
  return encodeSegment(text).replaceAll("'", "%27");
}

/** For a query parameter with `allowReserved`: reserved characters that have no meaning in a query stay (OAS 3.1.1 4.8.12.2). */
export function encodeReserved(text: string): string {
  return encodeSegment(text)
    .replace(/%(3A|2F|3F|40|24|2C)/g, decodeURIComponent)
    .replaceAll("'", "%27");
}

/** The literal part of a path template: what the URL standard would encode is encoded, existing triples stay. */
export function encodeLiteral(text: string): string {
  return text.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]+/g, encodeSegment);
}
