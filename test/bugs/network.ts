import { FAILED_AT } from "./console.ts";
import { pick, roll } from "./dice.ts";
import type { Span } from "./report.ts";

interface Header {
  readonly name: string;
  readonly value: string;
}

export interface NetworkEntry {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly url: string;
  /** 0: no answer. */
  readonly status: number;
  readonly statusText: string;
  readonly durationMs: number;
  readonly responseBytes: number;
  readonly initiator: string;
  readonly requestHeaders: readonly Header[];
  readonly responseHeaders: readonly Header[];
  readonly timings: Readonly<Record<string, number>>;
}

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

const PATHS = ["api/products", "api/basket", "api/prices?currency=CHF", "assets/chunk.js", "images/item.webp"];
const BEACON = { method: "POST", url: "https://metrics.example.net/collect?v=2", status: 0 };
const MISSING = { method: "GET", url: "https://shop.example.com/images/banner-autumn.webp", status: 404 };
export const FAILING = { method: "POST", url: "https://shop.example.com/api/checkout/payments", status: 500 };

export function makeNetwork({
  id,
  start,
  durationMs,
  isStory,
  count,
}: Span & { readonly count: number }): NetworkEntry[] {
  const failing = Math.floor(count * FAILED_AT);
  return Array.from({ length: count }, (_, index) => {
    const sent = isStory && index === failing ? FAILING : send(id, index);
    const wait = 5 + Math.floor(roll(id, index, "wait") * 400);
    return {
      id: `n-${index + 1}`,
      at: new Date(start + Math.floor((durationMs * index) / count)).toISOString(),
      ...sent,
      statusText: { 0: "", 200: "OK", 404: "Not Found", 500: "Internal Server Error" }[sent.status] ?? "",
      durationMs: wait + 20,
      responseBytes: sent.status === 0 ? 0 : 200 + Math.floor(roll(id, index, "bytes") * 40_000),
      initiator: "https://shop.example.com/assets/app-9f3c2a71.js:1:20391",
      requestHeaders: requestHeaders(sent),
      responseHeaders: sent.status === 0 ? [] : responseHeaders(`${id}/${index}`),
      timings: { dns: 0, connect: 0, tls: 0, send: 1, wait, receive: 19 },
    };
  });
}

function send(id: string, index: number): Sent {
  const share = roll(id, index, "fails");
  if (share < 0.006) return BEACON;
  if (share < 0.009) return MISSING;
  return { method: "GET", url: `https://shop.example.com/${pick(PATHS, id, index, "path")}`, status: 200 };
}

function requestHeaders({ method }: Sent): Header[] {
  return headersOf({
    accept: "application/json, text/plain, */*",
    "accept-language": "de-CH,de;q=0.8,en;q=0.5",
    "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0",
    referer: "https://shop.example.com/checkout",
    "sec-fetch-mode": "cors",
    "x-app-version": "2026.41.3",
    ...(method === "POST" && { "content-type": "application/json" }),
  });
}

function responseHeaders(trace: string): Header[] {
  return headersOf({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
    "content-security-policy":
      "default-src 'self'; img-src 'self' data: https://images.example.net; frame-ancestors 'none'",
    "x-request-id": trace,
    vary: "Accept-Encoding, Origin",
  });
}

function headersOf(headers: Readonly<Record<string, string>>): Header[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** An entry as it is shown alone. */
export function showEntry(entry: NetworkEntry) {
  return { ...entry, ...bodiesOf(entry) };
}

function bodiesOf({ url, status, method }: NetworkEntry): { requestBody: string | null; responseBody: string | null } {
  if (url === FAILING.url)
    return {
      requestBody: JSON.stringify({ basketId: "b-77812", amount: "184.50", currency: "CHF", method: "saved-card" }),
      responseBody: JSON.stringify({
        error: "currency_mismatch",
        message: "The terminal of merchant m-204 takes EUR, the basket is in CHF.",
        trace: Array.from({ length: 60 }, (_, line) => `at Terminal.charge (payments/terminal.ts:${line * 7 + 12})`),
      }),
    };
  const responseBody = status === 200 ? JSON.stringify({ ok: true, items: [] }) : null;
  return { requestBody: method === "POST" ? "{}" : null, responseBody };
}
