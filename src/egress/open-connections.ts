import type { LookupFunction } from "node:net";
import { Client, type Dispatcher } from "undici";
import { type Destinations, lookupAllowed } from "./check-destination.ts";
import type { EgressPolicy, EgressRequest, RawAnswer } from "./egress.ts";
import { nameFailure } from "./name-failure.ts";
import { connectPassingContinue } from "./pass-continue.ts";
import { type HeadRead, sendOver } from "./send-over.ts";

export interface Connections {
  /** Throws `DestinationBlocked`, `UpstreamUnreachable`, `UpstreamMalformed`, or the signal's reason. */
  send(url: URL, request: EgressRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MOST_IDLE_PER_PLACE = 64;
/** Over all places: with many callers there are many. */
const MOST_IDLE = 256;
const ACCEPT_ENCODING = "gzip, br";

/**
 * Kept connections, each used by one request at a time. Whatever did not end well is closed and never used again: undici's own pool would open a
 * fresh connection after every abort, and leave one that still connects to its timeout.
 */
export function openConnections(destinations: Destinations, tls: NonNullable<EgressPolicy["tls"]>): Connections {
  const idle = keepIdle();
  const all = new Set<Client>();
  const drop = (client: Client): Promise<void> => {
    all.delete(client);
    return client.destroy().catch(() => {});
  };
  const { cert: _cert, key: _key, ...anonymousTls } = tls;
  const take = (url: URL, request: EgressRequest): Client => {
    const kept = idle.take(placeOf(url, request));
    if (kept !== undefined) return kept;
    const shown = request.anonymous ? anonymousTls : tls;
    const options = { ...shown, timeout: CONNECT_TIMEOUT_MS, lookup: lookupFor(url, destinations) };
    const connect = connectPassingContinue(options);
    // One deadline rules the whole request: a slow drip would pass undici's two timeouts for ever.
    const client = new Client(url.origin, { connect, headersTimeout: 0, bodyTimeout: 0 });
    all.add(client);
    return client;
  };
  const giveBack = (place: string, client: Client): void => {
    // One that was dropped meanwhile is closed already.
    if (!all.has(client)) return;
    const left = idle.give(place, client);
    if (left !== undefined) drop(left);
  };
  return {
    async send(url, request) {
      if (request.signal.aborted) throw request.signal.reason;
      const client = take(url, request);
      const stop = () => drop(client);
      request.signal.addEventListener("abort", stop, { once: true });
      const done = (whole: boolean): void => {
        request.signal.removeEventListener("abort", stop);
        if (whole) giveBack(placeOf(url, request), client);
        else drop(client);
      };
      try {
        const { status, headers, body } = await sendOver(client, requestOptions(url, request), () =>
          request.onSent?.(),
        );
        return { status, headers: readHeaders(headers), body, done };
      } catch (error) {
        done(false);
        throw request.signal.aborted ? request.signal.reason : nameFailure(error, url.host);
      }
    },
    async close() {
      idle.clear();
      await Promise.all([...all].map(drop));
    },
  };
}

/** Connections of one place are interchangeable. */
function placeOf({ origin }: URL, { anonymous = false, pool = "" }: EgressRequest): string {
  return `${origin} ${anonymous ? "anonymous" : ""} ${pool}`;
}

/** Clients without a request, by place; the place that was used longest ago is first. */
function keepIdle() {
  const places = new Map<string, Client[]>();
  let kept = 0;
  const pick = (place: string, from: "newest" | "oldest"): Client | undefined => {
    const clients = places.get(place);
    const client = from === "newest" ? clients?.pop() : clients?.shift();
    if (client !== undefined) kept -= 1;
    if (clients?.length === 0) places.delete(place);
    return client;
  };
  return {
    take: (place: string): Client | undefined => pick(place, "newest"),
    /** Keeps it, and gives one that has to go for it. */
    give(place: string, client: Client): Client | undefined {
      const clients = places.get(place) ?? [];
      places.delete(place);
      places.set(place, clients);
      clients.push(client);
      kept += 1;
      if (clients.length > MOST_IDLE_PER_PLACE) return pick(place, "oldest");
      const [oldest = place] = places.keys();
      return kept > MOST_IDLE ? pick(oldest, "oldest") : undefined;
    },
    clear(): void {
      places.clear();
      kept = 0;
    },
  };
}

function requestOptions(url: URL, request: EgressRequest): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method as Dispatcher.HttpMethod,
    headers: writeHeaders(request.headers),
    body: request.body ?? null,
  };
}

/** Names and values in turn, as undici takes them: `flat` would take as long as all else here. */
function writeHeaders(headers: EgressRequest["headers"]): string[] {
  const written: string[] = [];
  for (const [name, value] of headers) written.push(name, value);
  written.push("accept-encoding", ACCEPT_ENCODING);
  return written;
}

function readHeaders(raw: HeadRead["headers"]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    if (value !== undefined) headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(", ") : value);
  }
  return headers;
}

/** Node connects to what this answers and to nothing else: the addresses that were judged are the ones that are dialled. */
function lookupFor(url: URL, destinations: Destinations): LookupFunction {
  return (_hostname, options, callback) => {
    lookupAllowed(url, destinations).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        const [first] = found;
        if (first === undefined) callback(Object.assign(new Error("No address."), { code: "ENOTFOUND" }), "", 4);
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 4),
    );
  };
}
