import type { AddressInfo } from "node:net";
import { createBoundServer } from "../mcp/bound-server.ts";
import type { App } from "./create-app.ts";
import type { HostFile } from "./hosting.ts";
import { type AddressBound, boundAddresses } from "./limits/bound-addresses.ts";

export interface Listening {
  readonly port: number;
  /**
   * Ends without an error for anybody: ready no more at once, so that a load balancer sends nobody here; after `leaveMs` no connection is taken any
   * more, and calls that run have `graceMs` to finish.
   */
  drain(leaveMs: number, graceMs: number): Promise<void>;
}

/** Longer than load balancers keep a connection that is idle (a minute): whoever closes it must not be the one that is about to be asked. */
const IDLE_MS = 75_000;

const LEFT_MS = 300;

export interface Bounded {
  /** The host file as it is now. */
  host(): AddressBound;
  /** See `createBoundServer`. */
  refused(why: string): void;
}

/** Serves the app at an address. Rejects with the system's error where it cannot be bound. */
export async function listen(
  app: App,
  { hostname, port }: HostFile["listen"],
  { host, refused }: Bounded,
): Promise<Listening> {
  const server = createBoundServer(app.handle, { idleMs: IDLE_MS }, refused);
  const unbound = boundAddresses(server, host, refused);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async drain(leaveMs, graceMs) {
      app.drain("leaving");
      await new Promise((resolve) => setTimeout(resolve, leaveMs));
      app.drain("left");
      // Closing resets what was sent and not looked at yet; until then it is told to come again.
      await new Promise((resolve) => setTimeout(resolve, LEFT_MS));
      const ended = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await app.close(graceMs);
      server.closeAllConnections();
      await ended;
      unbound();
    },
  };
}
