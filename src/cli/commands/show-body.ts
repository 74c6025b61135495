import type { ReplyBody } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";

/** The body of an upstream's answer for a person's eyes; of one that is no text, what it is. */
export function showBody(body: ReplyBody): Json {
  switch (body.kind) {
    case "json":
      return body.value;
    case "text":
      return body.text;
    case "binary":
      return `${body.data.byteLength} bytes of ${body.mediaType}`;
    case "empty":
      return null;
    default:
      return body satisfies never;
  }
}

/** The same as the text that it costs an agent. */
export function bodyText(body: ReplyBody): string {
  return body.kind === "json" ? JSON.stringify(body.value) : String(showBody(body) ?? "");
}
