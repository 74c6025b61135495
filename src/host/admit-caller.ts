import type { IncomingMessage } from "node:http";
import { clientAddress } from "./client-address.ts";
import type { AppOptions } from "./create-app.ts";
import type { HeldServers } from "./hold-servers.ts";
import type { Refusal, VerifiedCaller } from "./hosting.ts";

export interface Admitting extends Pick<AppOptions, "door" | "limiter" | "overload"> {
  readonly held: HeldServers;
  now(): Date;
  /** Nobody is served any more. */
  isLeft(): boolean;
}

/** The same wall for every method of MCP, and for the page. */
export async function admitCaller(
  name: string,
  request: IncomingMessage,
  { door, limiter, held, now, isLeft, overload }: Admitting,
): Promise<Refusal | { readonly kind: "caller"; readonly caller: VerifiedCaller }> {
  const closed = isLeft() ? LEFT : overload?.();
  if (closed !== undefined) return closed;
  const { proxies, addressRate } = held.served().host;
  const refused = addressRate && (await limiter.arrive(clientAddress(request, proxies), addressRate));
  if (refused !== undefined) return refused;
  // `headers` keeps only the first.
  if ((request.headersDistinct["authorization"]?.length ?? 0) > 1) return TWICE;
  const { authorization } = request.headers;
  const answer = await door.verify({ server: name, authorization, now: now() });
  // Who shows nothing, as every client does at first, has guessed nothing; and a key that is good is so also beside somebody who guesses.
  if (answer.kind === "caller" || answer.status !== 401 || authorization === undefined) return answer;
  const address = clientAddress(request, proxies);
  const blocked = await limiter.address(address);
  // It is shut out until its count begins anew.
  if (blocked === undefined) limiter.failed(address);
  return blocked ?? answer;
}

const LEFT: Refusal = {
  kind: "refused",
  status: 503,
  headers: [["retry-after", "1"]],
  code: 1503,
  message: "This server is about to end. Try again.",
};

const TWICE: Refusal = {
  kind: "refused",
  status: 400,
  headers: [],
  code: -32000,
  message: "There must be one Authorization header.",
};
