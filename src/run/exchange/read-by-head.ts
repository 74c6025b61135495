import type { ReplyBody, ToldByHead, UpstreamReply } from "../../model/exchange.ts";
import { readRetryAfter } from "./read-retry-after.ts";

type Headers = UpstreamReply["headers"];

/** RFC 9110 15.3.2 and 8.7; OData 4.01 Protocol 8.3.3: of a 204. */
const LOCATIONS = ["location", "content-location", "odata-entityid"];
/** What Azure's APIs tell of long-running operations with. */
const STATUS_LOCATIONS = ["operation-location", "azure-asyncoperation"];

type Answered = Pick<UpstreamReply, "status" | "headers" | "body">;

/**
 * The body of a success with what its head says of what became of the request, where no body says it: of one that has none, and of what was accepted
 * only. `url` is what was asked. `isKept`: what holds nothing stays as it is.
 */
export function readByHead(answer: Answered, url: string, now: Date, isKept: boolean): ReplyBody {
  const { status, body } = answer;
  const mayBeNothing = status === 201 || status === 202;
  if (body.kind !== "empty" && !mayBeNothing) return body;
  const told = toldBy(answer, url, now);
  if (told === undefined) return body;
  if (body.kind === "empty" || (!isKept && holdsNothing(body))) return { kind: "empty", told };
  return status === 202 && body.kind !== "binary" ? { ...body, told } : body;
}

function toldBy({ status, headers }: Answered, url: string, now: Date): ToldByHead | undefined {
  const accepted = status === 202;
  const location = findAddress(headers, LOCATIONS, url);
  const statusLocation = findAddress(headers, STATUS_LOCATIONS, url);
  const retryAfterMs = accepted ? readRetryAfter({ status, headers }, now) : undefined;
  const told: ToldByHead = {
    ...(accepted && { accepted }),
    ...(location !== undefined && { location }),
    ...(statusLocation !== undefined && { statusLocation }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  return Object.keys(told).length === 0 ? undefined : told;
}

/** What is made, or accepted only, is often answered by an object without members. */
function holdsNothing(body: ReplyBody): boolean {
  if (body.kind !== "json") return body.kind === "empty";
  return body.value === null || (typeof body.value === "object" && Object.keys(body.value).length === 0);
}

function findAddress(headers: Headers, names: readonly string[], asked: string): string | undefined {
  const found = names.map((name) => headers.get(name)?.trim()).find(Boolean);
  if (found === undefined || !URL.canParse(found, asked)) return found;
  const [to, from] = [new URL(found, asked), new URL(asked)];
  if (to.origin !== from.origin) return found;
  // Names what was asked itself: a Content-Location often does.
  if (to.href === from.href) return undefined;
  return `${to.pathname}${to.search}${to.hash}`;
}
