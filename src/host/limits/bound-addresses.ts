import type { Server } from "node:http";
import type { Socket } from "node:net";
import { atMostEvery } from "../at-most-every.ts";
import type { HostFile } from "../hosting.ts";
import { isPrivateAddress } from "../is-near.ts";
import { networkOf } from "./network-of.ts";

/** Unless said otherwise: so many of them would have to come together before nobody else is let in. */
const SHARE = 0.1;
const TELL_MS = 60_000;

/**
 * Closes what one address (of IPv6 one /64) opens beyond the connections that it may hold, before anything of it is read. `host` gives the host file as it is
 * now; `refused` hears of it at most once a minute. Gives what ends that.
 */
export function boundAddresses(server: Server, host: () => AddressBound, refused: (why: string) => void): () => void {
  const held = new Map<string, number>();
  const count = (network: string, change: 1 | -1): number => {
    const now = (held.get(network) ?? 0) + change;
    if (now === 0) held.delete(network);
    else held.set(network, now);
    return now;
  };
  let why = "";
  const telling = atMostEvery(TELL_MS, () => refused(why));
  const connected = (socket: Socket): void => {
    const address = socket.remoteAddress;
    // It is gone already.
    if (address === undefined) return;
    const network = networkOf(address);
    const most = mostOf(address, host(), server.maxConnections);
    socket.once("close", () => count(network, -1));
    if (count(network, 1) <= most) return;
    socket.destroy();
    why = `${network} has ${most} connections.`;
    telling.ask();
  };
  server.on("connection", connected);
  return () => {
    server.off("connection", connected);
    telling.stop();
  };
}

export type AddressBound = Pick<HostFile, "proxies" | "addressConnections">;

/** Proxies, and the balancers of a network of one's own, connect for many. */
function mostOf(address: string, { proxies, addressConnections }: AddressBound, all: number): number {
  if (addressConnections !== undefined) return addressConnections;
  if (proxies > 0 || isPrivateAddress(address)) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.floor(all * SHARE));
}
