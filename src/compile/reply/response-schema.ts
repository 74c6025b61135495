import type { MediaType, Operation, Response } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import { accepts, answers, chooseAccept, essence } from "../places/choose-media.ts";

/** What an operation answers when it succeeds, as far as its spec says. */
export interface SuccessBody {
  /** Of the JSON body; `{}` where none is described. */
  readonly schema: Schema;
  /** Kinds of body that the declared successes can have. */
  readonly kinds: ReadonlySet<Kind>;
}

/** The success response that counts: 200, else another exact 2xx (lowest first), else 2XX, else `default` where no 2xx is declared. */
export function readSuccessBody(operation: Operation | undefined, accept?: string): SuccessBody {
  const responses = successResponses(operation?.responses ?? []);
  const asked = operation === undefined ? "*/*" : chooseAccept(operation, accept);
  // What the spec does not know of has no schema.
  if (operation !== undefined && accept !== undefined && !answers(operation, accept))
    return { schema: {}, kinds: new Set(["text", "binary"]) };
  const kinds = new Set(responses.flatMap((one) => kindsOf(one, asked)));
  for (const { content } of responses) {
    const json = pickJson(content, accept);
    if (json !== undefined) return { schema: bodySchema(json), kinds };
  }
  return { schema: {}, kinds };
}

function successResponses(responses: readonly Response[]): Response[] {
  const range = responses.filter((one) => /^2(\d\d|XX)$/i.test(one.status));
  const found = range.length > 0 ? range : responses.filter((one) => one.status === "default");
  return found.toSorted((a, b) => rankOf(a.status) - rankOf(b.status));
}

function rankOf(status: string): number {
  if (status === "200") return 0;
  return /^\d+$/.test(status) ? Number(status) : 1000;
}

/** `accepted`: without a body, of what is not completed yet (RFC 9110 15.3.3). */
type Kind = "json" | "text" | "binary" | "empty" | "accepted";

/** Of several media types only what is asked for comes. */
function kindsOf(response: Response, asked: string): Kind[] {
  if (response.content.length === 0) return response.status === "202" ? ["accepted"] : ["empty"];
  const wanted = response.content.filter(({ mediaType }) => accepts(asked, mediaType));
  return (wanted.length > 0 ? wanted : response.content).map(({ mediaType }) => kindOf(mediaType));
}

function kindOf(mediaType: string): Kind {
  if (jsonRank(mediaType) !== undefined) return "json";
  return isText(mediaType) ? "text" : "binary";
}

/** The media type that was asked for, else JSON itself before its dialects and before any type. */
function pickJson(content: readonly MediaType[], accept: string | undefined): MediaType | undefined {
  const asked = accept === undefined ? undefined : content.find((one) => essence(one.mediaType) === essence(accept));
  if (asked !== undefined) return jsonRank(asked.mediaType) === undefined ? undefined : asked;
  return content
    .flatMap((media) => ({ media, rank: jsonRank(media.mediaType) ?? Number.NaN }))
    .filter((one) => !Number.isNaN(one.rank))
    .toSorted((a, b) => a.rank - b.rank)[0]?.media;
}

/** A sequence is read as a list; its schema describes the items, but where it says that it is a list itself (OAS 3.2 `itemSchema` does). */
function bodySchema({ mediaType, schema = {} }: MediaType): Schema {
  if (!isSequence(mediaType) || schema.type === "array") return schema;
  return { type: "array", items: schema.type === "object" || schema.$ref !== undefined ? schema : {} };
}

function isSequence(mediaType: string): boolean {
  return /^(text\/event-stream|application\/(x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|(geo\+)?json-seq))$/.test(
    essence(mediaType),
  );
}

function jsonRank(mediaType: string): number | undefined {
  const type = essence(mediaType);
  if (type === "application/json") return 0;
  if (type.endsWith("+json") || type === "text/json") return 1;
  if (isSequence(type)) return 3;
  return type === "*/*" || type === "application/*" ? 2 : undefined;
}

function isText(mediaType: string): boolean {
  const type = essence(mediaType);
  return (
    type.startsWith("text/") ||
    /[/+](xml|yaml|x-yaml|csv|x-ndjson|ndjson|jsonl|javascript|x-www-form-urlencoded)$/.test(type)
  );
}
