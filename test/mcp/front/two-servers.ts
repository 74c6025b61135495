import type { AddressInfo } from "node:net";
import { createBoundServer } from "../../../src/mcp/bound-server.ts";
import { openHttpFront } from "../../../src/mcp/front/open-http-front.ts";
import type { Generation } from "../../../src/mcp/make-generation.ts";
import { mountMcp } from "../../../src/mcp/mount-mcp.ts";
import type { CallBegun, CallRecord } from "../../../src/model/call-watch.ts";
import { type RawAnswer, rawExchange } from "./raw-exchange.ts";

/** One of the two, and what is known of it. */
export interface OneServer {
  readonly port: number;
  /** How many exchanges the front answered. */
  taken(): number;
  /** What was heard of calls since this was last asked, without times. */
  heard(): unknown[];
  close(graceMs: number): Promise<void>;
}

export interface TwoServers {
  readonly fronted: OneServer;
  readonly plain: OneServer;
  close(): Promise<void>;
}

/** The same generation behind a front, and behind the SDK alone. */
export async function openTwoServers(make: () => Generation, listTtlMs = 1_000): Promise<TwoServers> {
  const [fronted, plain] = [await open(make(), true, listTtlMs), await open(make(), false, listTtlMs)];
  return { fronted, plain, close: async () => void (await Promise.all([fronted.close(0), plain.close(0)])) };
}

async function open(generation: Generation, isFronted: boolean, listTtlMs: number): Promise<OneServer> {
  let taken = 0;
  let heard: unknown[] = [];
  const front = openHttpFront();
  const counting: typeof front = {
    async answer(exchange) {
      const isTaken = isFronted && (await front.answer(exchange));
      if (isTaken) taken += 1;
      return isTaken;
    },
    close: () => front.close(),
  };
  const watcher = {
    begin: ({ toolsSha: _, ...begun }: CallBegun) => ({
      end: ({ ms: _, upstream: __, ...record }: CallRecord) => void heard.push([begun, record]),
    }),
  };
  const report = (error: unknown) => void heard.push(String(error));
  const view = { current: () => generation, options: { key: {}, listTtlMs, report, watcher } };
  const mount = mountMcp(report, counting);
  const server = createBoundServer((request, response) => void mount.serve(request, response, view));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    taken: () => taken,
    heard() {
      const before = heard;
      heard = [];
      return before;
    },
    async close(graceMs) {
      await mount.close(graceMs);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What both say to the same bytes. */
export async function askBoth({ fronted, plain }: TwoServers, request: string): Promise<[RawAnswer, RawAnswer]> {
  return [await rawExchange(fronted.port, request), await rawExchange(plain.port, request)];
}
