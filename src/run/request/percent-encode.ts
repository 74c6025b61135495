import { Unsendable } from "./unsendable.ts";

/**
 * Percent-encodes a text for a path segment: everything but unreserved characters and `! ' ( ) *` (RFC 3986 3.3). Throws `Unsendable` for half a
 * character (a lone surrogate), which UTF-8 cannot hold.
 */
export function encodeSegment(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new Unsendable("it holds half a character (a lone surrogate)");
  return encodeURIComponent(text);
}

/** For a query: everything but unreserved characters (OAS 3.1.1 4.8.12.2, `allowReserved`; RFC 6570 3.2.1). */
export function encodeQuery(text: string): string {
  return encodeSegment(text).replace(/[!'()*]/g, toTriple);
}

/** For a query parameter with `allowReserved`: reserved characters that have no meaning in a query stay (OAS 3.1.1 4.8.12.2). */
export function encodeReserved(text: string): string {
  return encodeSegment(text)
    .replace(/%(3A|2F|3F|40|24|2C)/g, decodeURIComponent)
    .replaceAll("'", "%27");
}

/** A pair of a query that the spec writes itself: what has no place in a URL is encoded, all else stays. */
export function encodeFixed(text: string): string {
  return text.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%/?[\]]+/g, encodeSegment).replaceAll("'", "%27");
}

/** For a form: a space is `+`, and only `*-._` stay beside letters and digits (WHATWG URL, application/x-www-form-urlencoded). */
export function encodeForm(text: string): string {
  return encodeSegment(text)
    .replace(/[!'()~]/g, toTriple)
    .replaceAll("%20", "+");
}

/** The literal part of a path template: what the URL standard would encode is encoded, existing triples stay. */
export function encodeLiteral(text: string): string {
  return text.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]+/g, encodeSegment);
}

function toTriple(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
