import { createServer, type RequestListener, type Server } from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";

export interface Served {
  readonly url: string;
  readonly port: number;
  /** Connections that were ever accepted, and those open now. */
  readonly sockets: { accepted: number; open: number };
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port. */
export const serve = (listener: RequestListener): Promise<Served> => listen(createServer(listener));

/** A TCP server that answers every connection as scripted, byte by byte where it likes. */
export const serveBytes = (script: (socket: Socket, heard: Buffer) => void): Promise<Served> =>
  listen(
    net.createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (heard) => script(socket, heard));
    }),
  );

export async function listen(server: Server | net.Server): Promise<Served> {
  const sockets = { accepted: 0, open: 0 };
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.accepted += 1;
    sockets.open += 1;
    open.add(socket);
    socket.on("close", () => {
      sockets.open -= 1;
      open.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A loopback port on which nothing listens. */
export async function freePort(): Promise<number> {
  const { port, close } = await serveBytes(() => {});
  await close();
  return port;
}

/** Waits until something holds, for effects that happen on the other side of a socket. */
export async function until(holds: () => boolean, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error("It did not come to hold in time.");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Sends `head` at once and then `drop` every 20 ms for as long as the other side stays. */
export function drip(socket: Socket, head: string, drop: string): void {
  socket.write(head, "latin1");
  const timer = setInterval(() => socket.write(drop, "latin1"), 20);
  socket.on("close", () => clearInterval(timer));
}
