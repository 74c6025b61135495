import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What happens on the wire between two sides, from now on. */
export type Fault =
  | { readonly kind: "none" }
  /** Nobody is taken. */
  | { readonly kind: "shut" }
  /** After so many bytes of one direction, counted on each connection from now on, which are passed on, the asking side is cut off. */
  | { readonly kind: "cut"; readonly of: "request" | "answer"; readonly after: number; readonly how: Cut }
  /** As a server that has just given up an idle connection: what is sent over one that was used before is never seen. */
  | { readonly kind: "stale" }
  /** Nothing comes back. */
  | { readonly kind: "silent" }
  /** An answer comes in pieces of so many bytes, one a turn of so many milliseconds. */
  | { readonly kind: "sliced"; readonly bytes: number; readonly everyMs: number };

export type Cut = "reset" | "close";

export interface ChaosProxy {
  readonly url: string;
  fault: Fault;
  /** Connections that the asking side has open, and all that were ever made. */
  open(): number;
  made(): number;
  /** Closes these. */
  drop(): Promise<void>;
  close(): Promise<void>;
}

/** A TCP proxy on loopback that does to whoever asks what networks do. */
export async function startChaosProxy(port: number): Promise<ChaosProxy> {
  const sockets = new Set<Socket>();
  let made = 0;
  const server = createServer((asking) => {
    made += 1;
    sockets.add(asking);
    asking.on("error", () => {}).once("close", () => sockets.delete(asking));
    if (proxy.fault.kind === "shut") asking.resetAndDestroy();
    else relay(asking, connect(port, "127.0.0.1"), () => proxy.fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const drop = async (): Promise<void> => {
    const closed = [...sockets].map((socket) => once(socket, "close"));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
  const proxy: ChaosProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: { kind: "none" },
    open: () => sockets.size,
    made: () => made,
    drop,
    close: async () => {
      server.close();
      await drop();
    },
  };
  return proxy;
}

function relay(asking: Socket, answering: Socket, faultNow: () => Fault): void {
  let isUsed = false;
  let [fault, passed] = [faultNow(), 0];
  const cut = (how: Cut): void => {
    answering.destroy();
    if (how === "reset") asking.resetAndDestroy();
    else asking.destroySoon();
  };
  const pass = (of: "request" | "answer", chunk: Buffer, to: Socket): void => {
    if (fault !== faultNow()) [fault, passed] = [faultNow(), 0];
    const wasUsed = isUsed;
    isUsed ||= of === "answer";
    if (fault.kind === "silent" && of === "answer") return;
    if (fault.kind === "stale" && of === "request" && wasUsed) cut("close");
    else if (fault.kind === "sliced" && of === "answer") slice(chunk, to, fault);
    else if (fault.kind === "cut" && fault.of === of) passUntil(fault, chunk, to);
    else to.write(chunk);
  };
  const passUntil = ({ after, how }: Extract<Fault, { kind: "cut" }>, chunk: Buffer, to: Socket): void => {
    const part = chunk.subarray(0, after - passed);
    passed += part.length;
    if (part.length === chunk.length) to.write(part);
    else if (part.length === 0) cut(how);
    // What came before the cut has to be seen.
    else to.write(part, () => setTimeout(() => cut(how), 5));
  };
  asking.on("data", (chunk) => pass("request", chunk, answering)).once("close", () => answering.destroy());
  answering.on("data", (chunk) => pass("answer", chunk, asking)).on("error", () => {});
  answering.once("close", () => asking.destroySoon());
}

function slice(chunk: Buffer, to: Socket, { bytes, everyMs }: Extract<Fault, { kind: "sliced" }>): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at >= chunk.length || to.destroyed) return clearInterval(timer);
    to.write(chunk.subarray(at, at + bytes));
    at += bytes;
  }, everyMs);
}
