import type { UpstreamReply } from "../../model/exchange.ts";

/** A longer wait is told as this one: nobody waits in a call for a day. */
const LONGEST_MS = 86_400_000;

/** Says how many requests are left, and when there are some again: in seconds (draft-ietf-httpapi-ratelimit-headers-06) or as Unix time. */
const RESET = [
  ["ratelimit-remaining", "ratelimit-reset"],
  ["x-ratelimit-remaining", "x-ratelimit-reset"],
  ["x-rate-limit-remaining", "x-rate-limit-reset"],
] as const;
/** Finer than `Retry-After`, of Azure and what has learnt from it. */
const MILLISECONDS = ["retry-after-ms", "x-ms-retry-after-ms"];
/** No wait is as long as the time since 1970 was in 2001. */
const LEAST_UNIX_TIME = 1_000_000_000;

type Head = Pick<UpstreamReply, "status" | "headers">;

/**
 * `Retry-After` in milliseconds from `now`, given in seconds or as a date (RFC 9110 10.2.3), or else when there are requests left again; undefined
 * where there is neither.
 */
export function readRetryAfter(head: Head, now: Date): number | undefined {
  const { headers } = head;
  const text = headers.get("retry-after")?.trim() ?? "";
  // A date begins with the name of its day; Node would read some numbers as dates too.
  const date = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  const waited = isNumber(text) ? Number(text) * 1000 : date - now.getTime();
  const finer = MILLISECONDS.map((name) => headers.get(name)?.trim() ?? "").find(isNumber);
  const said = finer === undefined ? waited : Number(finer);
  const known = Number.isNaN(said) ? (readReset(head, now) ?? readRateLimit(head)) : said;
  return known === undefined ? undefined : Math.min(LONGEST_MS, Math.max(0, Math.ceil(known)));
}

/** Whether the upstream says that no requests are left. */
export function isSpent({ headers }: Pick<Head, "headers">): boolean {
  return (
    RESET.some(([remaining]) => isZero(headers.get(remaining))) || policiesOf(headers).some(({ left }) => left === 0)
  );
}

function readReset({ status, headers }: Head, now: Date): number | undefined {
  // A 429 says by itself that none are left, unless the count says otherwise: then it was another limit.
  const isOver = (left: string | undefined) => isZero(left) || (status === 429 && left === undefined);
  const spent = RESET.find(([remaining, reset]) => headers.has(reset) && isOver(headers.get(remaining)));
  const text = spent && headers.get(spent[1])?.trim();
  if (text === undefined || !/^\d{1,10}(\.\d+)?$/.test(text)) return undefined;
  const seconds = Number(text);
  return seconds < LEAST_UNIX_TIME ? seconds * 1000 : seconds * 1000 - now.getTime();
}

/** Of all policies that are spent the longest. */
function readRateLimit({ status, headers }: Head): number | undefined {
  const policies = policiesOf(headers);
  const isOver = (left: number | undefined) =>
    left === 0 || (status === 429 && left === undefined && policies.length === 1);
  const waits = policies.flatMap(({ left, seconds }) => (isOver(left) && seconds !== undefined ? [seconds] : []));
  return waits.length === 0 ? undefined : Math.max(...waits) * 1000;
}

interface Policy {
  readonly left: number | undefined;
  readonly seconds: number | undefined;
}

/** `RateLimit: "minute";r=0;t=12` (draft-ietf-httpapi-ratelimit-headers-10), one item a policy, or `limit=9, remaining=0, reset=12` (07). */
function policiesOf(headers: Head["headers"]): readonly Policy[] {
  const text = headers.get("ratelimit")?.replace(/"(?:[^"\\]|\\.)*"/g, '""') ?? "";
  const items = text.includes("reset=") ? [text] : text.split(",").filter((item) => item.trim() !== "");
  return items.map((item) => ({
    left: numberAt(/(?:^|[\s,;])(?:r|remaining)=(\d{1,10})/, item),
    seconds: numberAt(/(?:^|[\s,;])(?:t|reset)=(\d{1,10})/, item),
  }));
}

function numberAt(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

function isZero(text: string | undefined): boolean {
  return text?.trim() === "0";
}
