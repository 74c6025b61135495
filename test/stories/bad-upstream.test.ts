import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSession, type Session } from "../setup/clients.ts";
import { freePort } from "../setup/processes.ts";

const KEY = "canary-things-key";
const head = (status: string, type: string, more = "") => `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\n${more}`;
const whole = (status: string, type: string, body: string) =>
  `${head(status, type)}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20), { level: 9 });

/** What the upstream does on its socket, by the `mode` that the call asks for. */
const FAULTS: Record<string, (socket: Socket) => void> = {
  fine: (socket) => socket.end(whole("200 OK", "application/json", '{"things":[{"id":1,"name":"one"}]}')),
  "reset before a byte": (socket) => socket.resetAndDestroy(),
  "reset in the body": (socket) => {
    socket.write(`${head("200 OK", "application/json", "content-length: 1000\r\n")}\r\n{"things":[`, () =>
      socket.resetAndDestroy(),
    );
  },
  "a slow drip": (socket) => {
    socket.write(`${head("200 OK", "application/json", "content-length: 100000\r\n")}\r\n`);
    const drip = setInterval(() => socket.write(" "), 100);
    socket.on("close", () => clearInterval(drip));
  },
  silence: () => {},
  "a 500 page": (socket) =>
    socket.end(whole("500 Oops", "text/html", `<html><title>Oh no</title><body>the key was ${KEY}</body></html>`)),
  "204": (socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"),
  "invalid JSON": (socket) => socket.end(whole("200 OK", "application/json", '{"things": [oops')),
  "a login page": (socket) => socket.end(whole("200 OK", "text/html", "<html><title>Sign in</title></html>")),
  "50 MB": (socket) => {
    socket.on("error", () => {});
    socket.write(`${head("200 OK", "application/json")}connection: close\r\n\r\n{"notes":[`);
    // Of rows, as many as the reply shows would be enough.
    const row = Buffer.from(`{"id":1,"name":"${"x".repeat(1000)}"},`.repeat(100));
    let sent = 0;
    const push = (): void => {
      while (!socket.destroyed && sent < 50_000_000) {
        sent += row.length;
        if (!socket.write(row)) return void socket.once("drain", push);
      }
      socket.end();
    };
    push();
  },
  "a gzip bomb": (socket) => {
    socket.on("error", () => {});
    socket.write(
      `${head("200 OK", "application/json", "content-encoding: gzip\r\n")}content-length: ${bomb.length}\r\n\r\n`,
    );
    socket.end(bomb);
  },
  "not HTTP": (socket) => socket.end("hello, I am not a web server\n"),
};

const cases: readonly [mode: string, error: string][] = [
  ["reset before a byte", "upstream_unavailable"],
  ["reset in the body", "upstream_unavailable"],
  ["a slow drip", "upstream_timeout"],
  ["silence", "upstream_timeout"],
  ["a 500 page", "upstream_unavailable"],
  ["invalid JSON", "upstream_bad_response"],
  ["a login page", "upstream_bad_response"],
  ["50 MB", "response_too_large"],
  ["a gzip bomb", "response_too_large"],
  ["not HTTP", "upstream_bad_response"],
];

let upstream: Server;
let session: Session;

beforeAll(async () => {
  upstream = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (request) => {
      const mode = /mode=([^& ]*)/.exec(request.toString("latin1"))?.[1] ?? "fine";
      FAULTS[decodeURIComponent(mode)]?.(socket);
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => upstream.listen(port, "127.0.0.1", resolve));
  const env = { THINGS_URL: `http://127.0.0.1:${port}`, THINGS_KEY: KEY };
  session = await openSession(["test/fixtures/stories/things.curation.yaml"], env);
});

afterAll(async () => {
  await session?.close();
  upstream?.close();
});

describe("an upstream that fails gives the right error, in time and without the key", () => {
  test.each(cases)("%s → %s", async (mode, error) => {
    const start = performance.now();
    const answer = await session.call("list_things", { mode });
    expect(answer.isError).toBe(true);
    expect(answer.json).toMatchObject({
      error,
      message: expect.any(String),
      recover: expect.any(String),
      retryable: expect.any(Boolean),
    });
    expect(answer.text).not.toContain(KEY);
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(2000);
    expect(answer.result.structuredContent).toBeUndefined();
    // The tool's deadline is 3 s; the rest is the machine's.
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test("204 where rows were promised → done", async () => {
    const answer = await session.call("list_things", { mode: "204" });
    expect(answer.isError).toBe(false);
    expect(answer.json).toMatchObject({ done: true });
  });

  test("an address where nothing listens → upstream_unavailable", async () => {
    const env = { THINGS_URL: `http://127.0.0.1:${await freePort()}`, THINGS_KEY: KEY };
    const other = await openSession(["test/fixtures/stories/things.curation.yaml"], env);
    try {
      expect((await other.call("list_things")).json).toMatchObject({ error: "upstream_unavailable", retryable: true });
    } finally {
      await other.close();
    }
  });
});

test("a write whose answer is lost is outcome_unknown", async () => {
  const lost = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      arrived++;
      socket.resetAndDestroy();
    });
  });
  let arrived = 0;
  const port = await freePort();
  await new Promise<void>((resolve) => lost.listen(port, "127.0.0.1", resolve));
  const other = await openSession(["test/fixtures/stories/things.curation.yaml"], {
    THINGS_URL: `http://127.0.0.1:${port}`,
    THINGS_KEY: KEY,
  });
  try {
    expect((await other.call("add_note", { text: "hi" })).json).toMatchObject({
      error: "outcome_unknown",
      retryable: false,
    });
    expect(arrived).toBe(1);
  } finally {
    await other.close();
    lost.close();
  }
});

// Measured outside of the process, by the kernel.
const megabytes = (field: string, pid: number): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000;

test.runIf(process.platform === "linux")(
  "memory stays flat over many big bodies and bombs",
  { timeout: 120_000 },
  async () => {
    const pid = (session.client.transport as unknown as { pid: number }).pid;
    const round = async (): Promise<number> => {
      for (const mode of ["50 MB", "a gzip bomb", "invalid JSON", "fine"]) await session.call("list_things", { mode });
      return megabytes("VmRSS", pid);
    };
    for (let warm = 0; warm < 5; warm++) await round();
    // Between two collections of garbage it goes up and down by as much as that: what would stay is what the lowest of some rounds has.
    const lowest = async (): Promise<number> => {
      const found: number[] = [];
      for (let one = 0; one < 6; one++) found.push(await round());
      return Math.min(...found);
    };
    const before = await lowest();
    for (let more = 0; more < 10; more++) await round();
    expect((await lowest()) - before).toBeLessThan(40);
    expect(megabytes("VmHWM", pid)).toBeLessThan(300);
  },
);
