import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createBoundServer, mostConnections, type ServerBounds } from "../../src/mcp/bound-server.ts";

const SHORT = { headersMs: 300, requestMs: 600, idleMs: 300, takeMs: 300, checkMs: 50 };

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(
  bounds: Partial<ServerBounds>,
  listener: RequestListener = (_, answer) => answer.end("here"),
  refused?: (why: string) => void,
) {
  const server = createBoundServer(listener, bounds, refused);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  };
  return { server, port, open, ask: async () => (await fetch(`http://127.0.0.1:${port}/`)).text() };
}

/** What comes until the other side closes. */
async function heard(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    text += chunk;
  });
  if (!socket.closed) await once(socket, "close");
  return text;
}

/** Sends the next byte of a text every 20 ms, the last one again and again. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[Math.min(at++, text.length - 1)] ?? ""), 20);
  socket.once("close", () => clearInterval(timer));
}

describe("a client that is slow is waited for a while, and others are answered meanwhile", () => {
  const cases: [title: string, begin: (socket: Socket) => void, answer: RegExp][] = [
    ["in sending anything at all", () => {}, /^$|^HTTP\/1\.1 408 /],
    ["in sending the head of its request", (socket) => drip(socket, "GET / HTTP/1.1\r\nx: y"), /^HTTP\/1\.1 408 /],
    [
      "in sending the body of its request",
      (socket) => drip(socket, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n{ "),
      /^HTTP\/1\.1 408 /,
    ],
    ["in asking again", (socket) => void socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n"), /^HTTP\/1\.1 200 .*here/s],
  ];
  test.each(cases)("%s", async (_, begin, answer) => {
    const { open, ask } = await listen({ ...SHORT, headersMs: 900, requestMs: 900 }, async (request, response) => {
      for await (const _chunk of request);
      response.end("here");
    });
    const socket = await open();
    const start = performance.now();
    begin(socket);
    const hearing = heard(socket);
    expect(await ask()).toBe("here");
    expect(await hearing).toMatch(answer);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe("an answer", () => {
  const whole = "x".repeat(20_000_000);

  test("that is not taken is given up", async () => {
    let closed: Promise<unknown> | undefined;
    const { open } = await listen(SHORT, (_, response) => {
      closed ??= once(response, "close");
      response.end(whole);
    });
    const socket = await open();
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await expect.poll(() => closed, { timeout: 5_000 }).toBeDefined();
    await closed;
  });

  /** Sends two requests at once. `waits` serves the second; the first is not answered. */
  const openTwo = async (waits: RequestListener) => {
    const { open } = await listen(SHORT, (request, response) => {
      request.resume();
      if (request.url === "/waits") waits(request, response);
    });
    const socket = await open();
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /waits HTTP/1.1\r\nhost: a\r\n\r\n");
    return socket;
  };

  test.each([
    ["nothing", () => {}],
    ["a part", (response: ServerResponse) => void response.write("part")],
    ["all", (response: ServerResponse) => void response.end("all")],
  ])("that waits behind another hears once that its connection closes, with %s written", async (_, write) => {
    let closes = 0;
    let waiting: ServerResponse | undefined;
    const socket = await openTwo((_, response) => {
      waiting = response.on("close", () => {
        closes += 1;
      });
      write(response);
    });
    await expect.poll(() => waiting).toBeDefined();
    socket.destroy();
    await expect.poll(() => closes).toBe(1);
    expect(waiting?.destroyed).toBe(true);
  });

  test("that waits behind one that does not end is given up with it, where more than a little waits", async () => {
    let closed: Promise<unknown> | undefined;
    const socket = await openTwo((_, response) => {
      closed = once(response, "close");
      response.write("x".repeat(100_000));
    });
    await expect.poll(() => closed).toBeDefined();
    await closed;
    expect(await heard(socket)).toBe("");
  });

  test("that waits behind another is sent after it, and hears of its end", async () => {
    const told: string[] = [];
    let answerFirst = (): void => {};
    const { open } = await listen({ ...SHORT, takeMs: 60_000 }, ({ url }, response) => {
      if (url === "/") {
        answerFirst = () => response.end("first");
        return;
      }
      for (const event of ["drain", "finish", "close"]) response.on(event, () => told.push(event));
      response.once("drain", () => response.end("last"));
      response.write("x".repeat(100_000));
      answerFirst();
    });
    const socket = await open();
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\nGET /b HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(await heard(socket)).toMatch(/first.*x{10,}.*last/s);
    expect(told).toEqual(["drain", "finish", "close"]);
  });

  test("that is taken, and a stream that is, may last longer", async () => {
    const { open } = await listen(SHORT, (_, response) => {
      response.write("first");
      setTimeout(() => response.end("last"), 1_000);
    });
    const socket = await open();
    socket.write("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    expect(await heard(socket)).toMatch(/first.*last/s);
  });
});

describe("connections", () => {
  test("beyond the bound are closed at once, and there is room again when others have gone", async () => {
    const told: string[] = [];
    const bounds = { ...SHORT, headersMs: 10_000, requestMs: 10_000, connections: 4 };
    const { open, ask } = await listen(bounds, undefined, (why) => told.push(why));
    const first = await Promise.all(Array.from({ length: 4 }, open));
    expect(await heard(await open())).toBe("");
    await expect(ask()).rejects.toThrow();
    expect(first.map(({ closed }) => closed)).toEqual([false, false, false, false]);
    expect(told).toEqual(["There are 4 connections."]);
    first[0]?.destroy();
    await expect.poll(() => ask().catch(() => "refused")).toBe("here");
  });

  test("that ask nothing make room, and those that wait for an answer are kept", async () => {
    let answer = (): void => {};
    const { open, ask } = await listen({ ...SHORT, idleMs: 60_000, connections: 10 }, ({ url }, response) => {
      if (url !== "/wait") return void response.end("here");
      answer = () => response.end("waited");
    });
    const waiting = await open();
    waiting.write("GET /wait HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
    for (let other = 0; other < 40; other += 1) {
      const socket = await open();
      socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
      const [chunk] = await once(socket, "data");
      expect(String(chunk)).toContain("200 OK");
    }
    expect(await ask()).toBe("here");
    const hearing = heard(waiting);
    answer();
    expect(await hearing).toContain("waited");
  });

  test("that the system has no file for are told of, and are not the end", async () => {
    const told: string[] = [];
    const { server, ask } = await listen(SHORT, undefined, (why) => told.push(why));
    for (const why of ["accept EMFILE", "accept ENFILE"]) server.emit("error", new Error(why));
    expect(told).toEqual(["accept EMFILE"]);
    expect(await ask()).toBe("here");
  });

  test.each([
    [20_000, 10_000],
    [1_024, 512],
    [64, 32],
    [1, 1],
    [Number.POSITIVE_INFINITY, 10_000],
  ])("of a process that may open %d files are %d", (files, most) => {
    expect(mostConnections(files)).toBe(most);
  });
});
