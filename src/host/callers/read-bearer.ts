export type Bearer =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly token: string };

const MOST_CHARACTERS = 8_192;

/** The token of an Authorization header (RFC 6750 2.1); of another scheme it has none. */
export function readBearer(authorization: string | undefined): Bearer {
  if (authorization === undefined) return { kind: "none" };
  const [, rest] = /^bearer(?= |$) *(.*)$/is.exec(authorization) ?? [];
  if (rest === undefined) return { kind: "none" };
  if (rest.length > MOST_CHARACTERS || !/^[\w.~+/-]+=*$/.test(rest)) return { kind: "malformed" };
  return { kind: "token", token: rest };
}
