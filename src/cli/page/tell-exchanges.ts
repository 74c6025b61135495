import type { RunEvent, UpstreamReply, UpstreamRequest } from "../../model/exchange.ts";
import type { SecretHider } from "../../run/hide-secrets.ts";
import type { Cost, TriedExchange, TriedUpstream } from "../../web/page-data.ts";
import { bodyText } from "../commands/show-body.ts";
import { showRequest } from "../commands/show-request.ts";
import { measureText } from "./measure-apart.ts";

const MOST_EXCHANGES = 100;
/** Of all answers together. */
const MOST_BYTES = 256_000;
/** Beyond this JSON is not laid out: it would take as long again, and its end is not shown. */
const MOST_LAID_OUT = 1_000_000;
/** A secret that stands across the cut is hidden with what follows it. */
const BEYOND_CUT = 8_192;

export interface ToldExchanges {
  readonly exchanges: readonly TriedExchange[];
  readonly furtherExchanges: number;
  readonly upstream: Cost;
}

/** What a call sent and got, secrets hidden. `isWithheld`: of answers only what they cost is told. */
export async function tellExchanges(
  events: readonly RunEvent[],
  hider: SecretHider,
  isWithheld: boolean,
): Promise<ToldExchanges> {
  const ended = events.filter((event) => event.type !== "request");
  const exchanges: TriedExchange[] = [];
  let [tokens, bytes, isEstimate, left] = [0, 0, false, MOST_BYTES];
  for (const event of ended) {
    const answer = event.type === "reply" ? await readAnswer(event.reply) : undefined;
    tokens += answer?.cost.tokens ?? 0;
    bytes += answer?.cost.bytes ?? 0;
    isEstimate ||= answer?.cost.isEstimate === true;
    if (exchanges.length >= MOST_EXCHANGES) continue;
    const told =
      answer === undefined ? tellFailure(event, hider, isWithheld) : tellAnswer(answer, hider, isWithheld, left);
    if (told.kind === "answered") left -= Buffer.byteLength(told.text);
    exchanges.push({ request: tellRequest(event.request, hider), answer: told, ms: Math.round(event.ms) });
  }
  return {
    exchanges,
    furtherExchanges: ended.length - exchanges.length,
    upstream: { tokens, bytes, ...(isEstimate && { isEstimate }) },
  };
}

/** The requests of a dry run. */
export function tellRequests(
  requests: readonly UpstreamRequest[],
  hider: SecretHider,
): Omit<ToldExchanges, "upstream"> {
  const exchanges = requests.slice(0, MOST_EXCHANGES).map((one) => ({ request: tellRequest(one, hider) }));
  return { exchanges, furtherExchanges: requests.length - exchanges.length };
}

function tellRequest(request: UpstreamRequest, hider: SecretHider): TriedExchange["request"] {
  return showRequest(request, hider) as unknown as TriedExchange["request"];
}

interface Answer {
  readonly status: number;
  readonly cost: Cost;
  readonly text: string;
  readonly isJson: boolean;
}

async function readAnswer({ status, bytes, body }: UpstreamReply) {
  const text = bodyText(body);
  const { tokens, isEstimate } = await measureText(text);
  const cost = { tokens, bytes, ...(isEstimate === true && { isEstimate }) };
  const laidOut = body.kind === "json" && bytes <= MOST_LAID_OUT ? JSON.stringify(body.value, null, 2) : text;
  return { status, cost, text: laidOut, isJson: body.kind === "json" } satisfies Answer;
}

function tellAnswer(
  { status, cost, text, isJson }: Answer,
  hider: SecretHider,
  isWithheld: boolean,
  most: number,
): TriedUpstream {
  const whole = Buffer.byteLength(text);
  const told = { kind: "answered" as const, status, cost, isJson };
  if (isWithheld) return { ...told, text: "", cutBytes: whole, isWithheld };
  const searched = text.slice(0, most + BEYOND_CUT);
  const hidden = hider.text(searched);
  const shown = cutBytes(hidden, most);
  const isWhole = searched.length === text.length && shown.length === hidden.length;
  return { ...told, text: shown, cutBytes: isWhole ? 0 : Math.max(1, whole - Buffer.byteLength(shown)) };
}

function tellFailure(event: RunEvent, hider: SecretHider, isWithheld: boolean): TriedUpstream {
  if (isWithheld) return { kind: "failed", message: "The request failed; the reply says how." };
  const error = event.type === "failure" ? event.error : undefined;
  return { kind: "failed", message: hider.text(error instanceof Error ? error.message : String(error)) };
}

/** The text's first so many bytes of UTF-8, whole characters. */
export function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, most));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}
