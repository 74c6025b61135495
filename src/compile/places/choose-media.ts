import type { MediaType, Operation } from "../../model/api.ts";

/** What we write best comes first; the rest in the spec's order. */
const WRITABLE: readonly RegExp[] = [
  /^application\/json$/,
  /[/+]json$/,
  /^application\/x-www-form-urlencoded$/,
  /^multipart\/form-data$/,
  /^multipart\//,
  /^\*\/\*$|^application\/\*$/,
  /^text\/|[/+]xml$/,
];
const READABLE: readonly RegExp[] = [/^application\/json$/, /[/+]json$/, /^text\/plain$/, /^text\//];

/** The media type in which a body is sent: the curation's, else the one of the spec's that we write best. */
export function chooseBody(operation: Operation, contentType?: string): MediaType | undefined {
  const content = operation.body?.content ?? [];
  if (contentType === undefined) return byPreference(content, WRITABLE)[0];
  const named = content.find((one) => essence(one.mediaType) === essence(contentType));
  // A range such as `text/*` in the spec covers the type that was asked for.
  const covering = named ?? content.find((one) => covers(one.mediaType, contentType));
  return covering === undefined ? undefined : { ...covering, mediaType: contentType };
}

/** The Accept header: the curation's word, else what the spec says of success, JSON first. */
export function chooseAccept(operation: Operation, accept?: string): string {
  if (accept !== undefined) return accept;
  const distinct = successTypes(operation);
  const json = distinct.filter((type) => READABLE[0]!.test(type) || READABLE[1]!.test(type));
  if (json.length > 0) return json[0]!;
  return distinct.length > 0 ? distinct.join(", ") : "application/json, */*;q=0.5";
}

/** The media types of a success, those that we read best first. */
export function successTypes(operation: Operation): string[] {
  const successes = operation.responses.filter(({ status }) => /^2(\d\d|XX)$/i.test(status));
  const read = successes.length > 0 ? successes : operation.responses.filter(({ status }) => status === "default");
  const declared = byPreference(
    read.flatMap(({ content }) => content),
    READABLE,
  ).map(({ mediaType }) => essence(mediaType));
  return [...new Set(declared)].filter((type) => type !== "");
}

/** Whether the spec says of some type in an Accept header that it can come; of an operation without any it says nothing. */
export function answers(operation: Operation, accept: string): boolean {
  const known = successTypes(operation);
  const isJson = (type: string) => READABLE.slice(0, 2).some((pattern) => pattern.test(essence(type)));
  return known.length === 0 || known.some((type) => accepts(accept, type) || (isJson(accept) && isJson(type)));
}

/** Whether an Accept header takes a media type of the spec's, which may be a range too. */
export function accepts(accept: string, mediaType: string): boolean {
  return accept.split(",").some((one) => covers(one, mediaType) || covers(mediaType, one));
}

function byPreference(content: readonly MediaType[], order: readonly RegExp[]): MediaType[] {
  const rank = ({ mediaType }: MediaType) => {
    const at = order.findIndex((pattern) => pattern.test(essence(mediaType)));
    return at < 0 ? order.length : at;
  };
  return content.toSorted((a, b) => rank(a) - rank(b));
}

/** A media type without parameters, in lower case (RFC 9110 8.3.1). */
export function essence(mediaType: string): string {
  return mediaType.split(";", 1)[0]!.trim().toLowerCase();
}

/** Whether a media type, or a range of them such as `text/*`, takes in another. */
function covers(range: string, mediaType: string): boolean {
  const [type, subtype] = essence(range).split("/");
  if (essence(range) === essence(mediaType)) return true;
  return subtype === "*" && (type === "*" || essence(mediaType).startsWith(`${type}/`));
}
