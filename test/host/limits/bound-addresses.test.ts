import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type AddressBound, boundAddresses } from "../../../src/host/limits/bound-addresses.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0).toReversed()) one.close();
});

async function serve(host: () => AddressBound) {
  const server = createServer((_, answer) => answer.end("here"));
  server.maxConnections = 20;
  const refused: string[] = [];
  const stop = boundAddresses(server, host, (why) => refused.push(why));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({
    close: () => {
      stop();
      server.close().closeAllConnections();
    },
  });
  const { port } = server.address() as AddressInfo;
  return { server, refused, from: (address: string) => connectFrom(address, port) };
}

/** Whether it may stay: it is answered, or closed. */
async function connectFrom(localAddress: string, port: number): Promise<{ socket: Socket; stays: boolean }> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  open.push({ close: () => socket.destroy() });
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const stays = await Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
  return { socket, stays };
}

/** As a connection from an address that nobody here has. */
function pretend(server: Server, remoteAddress: string) {
  const listeners = new Map<string, () => void>();
  const socket = {
    remoteAddress,
    isDestroyed: false,
    once: (event: string, listener: () => void) => listeners.set(event, listener),
    destroy: () => {
      socket.isDestroyed = true;
      listeners.get("close")?.();
    },
  };
  for (const listener of server.listeners("connection").slice(-1)) listener(socket);
  return socket;
}

describe("connections of one address", () => {
  test("beyond those that it may hold are closed, and others' are not", async () => {
    const { from, refused } = await serve(() => ({ proxies: 0, addressConnections: 2 }));
    const own = [await from("127.0.0.1"), await from("127.0.0.1"), await from("127.0.0.1")];
    expect(own.map(({ stays }) => stays)).toStrictEqual([true, true, false]);
    expect((await from("127.0.0.2")).stays).toBe(true);
    own[0]!.socket.destroy();
    await expect.poll(async () => (await from("127.0.0.1")).stays).toBe(true);
    expect(refused).toStrictEqual(["127.0.0.1 has 2 connections."]);
  });

  test("are counted by what the host file says now", async () => {
    let addressConnections = 1;
    const { from } = await serve(() => ({ proxies: 0, addressConnections }));
    expect((await from("127.0.0.1")).stays).toBe(true);
    expect((await from("127.0.0.1")).stays).toBe(false);
    addressConnections = 2;
    expect((await from("127.0.0.1")).stays).toBe(true);
  });

  test.each<[title: string, address: (at: number) => string, host: AddressBound, stay: number]>([
    ["of a public address are a tenth of all", () => "203.0.113.9", { proxies: 0 }, 2],
    ["of an IPv6 subscriber count together", (at) => `2001:db8:1:2::${at}`, { proxies: 0 }, 2],
    ["of several addresses count apart", (at) => `203.0.113.${at}`, { proxies: 0 }, 10],
    ["of a network of one's own are as many as there are", () => "10.1.2.3", { proxies: 0 }, 10],
    [
      "of a network of one's own count where it is said",
      () => "::ffff:10.1.2.3",
      { proxies: 0, addressConnections: 3 },
      3,
    ],
    ["of proxies are as many as there are", () => "203.0.113.9", { proxies: 1 }, 10],
  ])("that %s", async (_, address, host, stay) => {
    const { server } = await serve(() => host);
    const sockets = Array.from({ length: 10 }, (_, at) => pretend(server, address(at)));
    expect(sockets.filter(({ isDestroyed }) => !isDestroyed)).toHaveLength(stay);
  });
});
