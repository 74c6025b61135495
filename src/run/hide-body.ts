import type { ReplyBody } from "../model/exchange.ts";
import type { SecretHider } from "./hide-secrets.ts";

/** A body without our secrets, also where the upstream echoes them; hidden before anything is cut, so that no part of one is left over. */
export function hideBody(body: ReplyBody, hider: SecretHider): ReplyBody {
  switch (body.kind) {
    case "json": {
      // Nearly every body holds none, and one look at its text is cheaper than to make it anew.
      const text = JSON.stringify(body.value);
      return hider.text(text) === text ? body : { ...body, value: hider.json(body.value) };
    }
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
