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
      return { ...body, text: hider.text(body.text) };
    case "binary":
    case "empty":
      return body;
    default:
      return body satisfies never;
  }
}
