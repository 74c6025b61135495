import type { ReplyBody } from "../model/exchange.ts";
import { isJsonObject, type Json } from "../model/json.ts";
import type { SecretHider } from "./hide-secrets.ts";

/** A body without our secrets, also where the upstream echoes them; hidden before anything is cut, so that no part of one is left over. */
export function hideBody(body: ReplyBody, hider: SecretHider): ReplyBody {
  if (!("told" in body) || body.told === undefined) return hideInside(body, hider);
  return { ...hideInside(body, hider), told: hider.json({ ...body.told }) } as ReplyBody;
}

function hideInside(body: ReplyBody, hider: SecretHider): ReplyBody {
  switch (body.kind) {
    case "json":
      // Nearly every body holds none, and one look at its text is cheaper than to make it anew.
      return body.free !== true && holdsSecret(body.value, hider) ? { ...body, value: hider.json(body.value) } : body;
    case "text":
      return { ...body, text: hider.text(body.text), mediaType: hider.text(body.mediaType) };
    case "binary":
      return { ...body, data: hideBytes(body.data, hider), mediaType: hider.text(body.mediaType) };
    case "empty":
      return body;
    default:
      return body satisfies never;
  }
}

/** Rows whose text is made at once. */
const MANY = 1_000;

/** Of a long list some rows at a time: the text of all would take as much memory again. */
function holdsSecret(value: Json, hider: SecretHider): boolean {
  if (isLong(value)) return inPieces(value).some((piece) => holdsSecret(piece, hider));
  if (isJsonObject(value) && Object.values(value).some(isLong))
    return Object.entries(value).some(([name, inner]) => holdsSecret(name, hider) || holdsSecret(inner, hider));
  const text = JSON.stringify(value);
  return hider.text(text) !== text;
}

function isLong(value: Json): value is readonly Json[] {
  return Array.isArray(value) && value.length > MANY;
}

function inPieces(rows: readonly Json[]): readonly Json[][] {
  return Array.from({ length: Math.ceil(rows.length / MANY) }, (_, at) => rows.slice(at * MANY, (at + 1) * MANY));
}

/** Larger data is never shown. */
const MOST_SHOWN = 1_000_000;

/** Around a secret in ASCII everything stays byte for byte; around another what is no UTF-8 does not. */
function hideBytes(data: Uint8Array, hider: SecretHider): Uint8Array {
  if (data.byteLength > MOST_SHOWN) return data;
  return (["latin1", "utf8"] as const).reduce<Uint8Array>((bytes, encoding) => {
    const text = Buffer.from(bytes).toString(encoding);
    const hidden = hider.text(text);
    return hidden === text ? bytes : Buffer.from(hidden, encoding);
  }, data);
}
