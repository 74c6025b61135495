import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Egress, type EgressReply, type EgressRequest, openEgress } from "../../src/egress/open-egress.ts";
import { drip, freePort, listen, type Served, serve, serveBytes, until } from "./serve.ts";

let egress: Egress;
const open: { close(): Promise<void> }[] = [];
beforeEach(() => {
  egress = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [] });
});
afterEach(async () => {
  await egress.close();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const kept = async (served: Promise<Served>): Promise<Served> => {
  const one = await served;
  open.push(one);
  return one;
};
const http = (listener: RequestListener) => kept(serve(listener));
const bytes = (...script: Parameters<typeof serveBytes>) => kept(serveBytes(...script));

const ask = (url: string, more: Partial<EgressRequest> = {}): Promise<EgressReply> =>
  egress.request({
    method: "GET",
    url,
    headers: [],
    signal: AbortSignal.timeout(5000),
    maxBytes: 1_000_000,
    redirects: [],
    ...more,
  });

async function read(reply: EgressReply): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("a plain exchange", () => {
  test("sends method, headers and body, and gives status, headers and body", async () => {
    const { url } = await http((request, response) => {
      response.writeHead(201, { "X-One": "1", "set-cookie": ["a=1", "b=2"] });
      request.pipe(response);
    });
    const reply = await ask(`${url}/x?y=1`, { method: "POST", headers: [["x-a", "b"]], body: "möp" });
    expect([reply.status, reply.headers.get("x-one"), reply.headers.get("set-cookie"), reply.url]).toEqual([
      201,
      "1",
      "a=1, b=2",
      `${url}/x?y=1`,
    ]);
    expect(await read(reply)).toBe("möp");
  });

  test("keeps the connection for the next request to the same origin", async () => {
    const { url, sockets } = await http((_request, response) => response.end("ok"));
    for (let i = 0; i < 5; i += 1) await read(await ask(url));
    expect(sockets.accepted).toBe(1);
  });

  test("keeps it for those of the same pool alone", async () => {
    const callers = new Map<number | undefined, Set<string>>();
    const { url, sockets } = await http(({ socket, headers }, response) => {
      const seen = callers.get(socket.remotePort) ?? new Set();
      callers.set(socket.remotePort, seen.add(String(headers["x-key"])));
      response.end("ok");
    });
    for (const pool of ["a", "b", "a", "b", undefined, "a", undefined, "b"])
      await read(await ask(url, { headers: [["x-key", String(pool)]], ...(pool !== undefined && { pool }) }));
    expect([...callers.values()].map((one) => [...one])).toEqual([["a"], ["b"], ["undefined"]]);
    expect(sockets.accepted).toBe(3);
  });

  test("lets go of the connections that were used longest ago where there are very many pools", async () => {
    const { url, sockets } = await http((_request, response) => response.end("ok"));
    for (let at = 0; at < 300; at += 1) await read(await ask(url, { pool: `p${at}` }));
    await until(() => sockets.open <= 256);
    await read(await ask(url, { pool: "p299" }));
    expect(sockets.accepted).toBe(300);
    await read(await ask(url, { pool: "p0" }));
    expect(sockets.accepted).toBe(301);
  });

  test("passes over informational answers before the final one", async () => {
    const hints = "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(3);
    const { url } = await bytes((socket) => socket.end(`${hints}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`));
    const reply = await ask(url);
    expect([reply.status, await read(reply)]).toEqual([200, "ok"]);
  });

  const asked = "HTTP/1.1 100 Continue\r\n\r\n";
  const last = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
  test.each([
    ["a 100 that nobody asked for", [asked + last]],
    ["several, one with headers", [`${asked}HTTP/1.0 100 \r\nx: y\r\n\r\n${asked}${last}`]],
    ["one before other informational answers", [`${asked}HTTP/1.1 103 Early Hints\r\n\r\n`, last]],
    ["one in pieces", [...asked, ...last]],
    ["one apart from the answer", [asked, last.slice(0, 30), last.slice(30)]],
  ])("passes over %s, on every request of a connection", async (_title, pieces) => {
    const { url, sockets } = await bytes((socket) => {
      const answer = async () => {
        for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
      };
      void answer();
      socket.on("data", () => void answer());
    });
    for (const method of ["DELETE", "POST", "GET"]) {
      const reply = await ask(url, { method, ...(method === "POST" && { body: "{}" }) });
      expect([reply.status, await read(reply)]).toEqual([200, "ok"]);
    }
    expect(sockets.accepted).toBe(1);
  });

  test("a body that looks like a 100 is a body", async () => {
    const { url } = await bytes((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${asked.length}\r\n\r\n`);
      setImmediate(() => socket.end(asked));
    });
    expect(await read(await ask(url))).toBe(asked);
  });

  test("a 100 without an end is no answer", async () => {
    const { url } = await bytes((socket) => socket.end(`HTTP/1.1 100 Continue\r\nx: ${"y".repeat(50_000)}`));
    await expect(ask(url)).rejects.toMatchObject({ code: expect.stringMatching(/^UPSTREAM_/) });
    const short = await bytes((socket) => socket.end("HTTP/1.1 100"));
    await expect(ask(short.url)).rejects.toMatchObject({ code: "UPSTREAM_UNREACHABLE", reason: "reset" });
  });

  test("says when the request has gone out", async () => {
    const { url } = await http((_request, response) => response.end("ok"));
    let sent = 0;
    await read(await ask(url, { onSent: () => (sent += 1) }));
    expect(sent).toBe(1);
    const nobody = `http://127.0.0.1:${await freePort()}`;
    await expect(ask(nobody, { onSent: () => (sent += 1) })).rejects.toThrow();
    expect(sent).toBe(1);
  });
});

describe("a failure has one class a cause", () => {
  const head = "HTTP/1.1 200 OK\r\n";
  const cases: [string, () => Promise<string>, object][] = [
    [
      "nobody listens",
      async () => `http://127.0.0.1:${await freePort()}`,
      { code: "UPSTREAM_UNREACHABLE", reason: "refused" },
    ],
    [
      "reset before the answer",
      async () => (await bytes((socket) => socket.resetAndDestroy())).url,
      { code: "UPSTREAM_UNREACHABLE", reason: "reset" },
    ],
    [
      "closed before the answer",
      async () => (await bytes((socket) => socket.end())).url,
      { code: "UPSTREAM_UNREACHABLE", reason: "reset" },
    ],
    [
      "reset inside the body",
      async () =>
        (
          await bytes((socket) =>
            socket.write(`${head}content-length: 100\r\n\r\nabc`, () => setImmediate(() => socket.resetAndDestroy())),
          )
        ).url,
      { code: "UPSTREAM_UNREACHABLE", reason: "reset" },
    ],
    [
      "closed inside the body",
      async () => (await bytes((socket) => socket.end(`${head}content-length: 100\r\n\r\nabc`))).url,
      { code: "UPSTREAM_UNREACHABLE", reason: "reset" },
    ],
    [
      "closed inside a chunked body",
      async () => (await bytes((socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n5\r\nabcde\r\n`))).url,
      { code: "UPSTREAM_UNREACHABLE", reason: "reset" },
    ],
    ...(
      [
        ["less than its Content-Length", "content-length: 100\r\n", "abc"],
        ["chunks without an end", "transfer-encoding: chunked\r\n", "5\r\nabcde\r\n"],
        ["half a chunk", "transfer-encoding: chunked\r\n", "5\r\nab"],
        ["half a gzip", "content-encoding: gzip\r\n", gzipSync("x").toString("latin1").slice(0, -9)],
      ] as const
    ).map(([title, header, body]): [string, () => Promise<string>, object] => [
      `${title}, from a server that said it would close`,
      async () =>
        (await bytes((socket) => socket.end(`${head}connection: close\r\n${header}\r\n${body}`, "latin1"))).url,
      { code: "UPSTREAM_UNREACHABLE", reason: "reset" },
    ]),
    [
      "a chunk without a size",
      async () => (await bytes((socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\nzz\r\nab`))).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "a bad status line",
      async () => (await bytes((socket) => socket.end("HTTP/9 hello\r\n\r\n"))).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "a status that cannot be",
      async () => (await bytes((socket) => socket.end("HTTP/1.1 000 X\r\ncontent-length: 2\r\n\r\n{}"))).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "no HTTP at all",
      async () => (await bytes((socket) => socket.end("220 mail.example.com ESMTP\r\n"))).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "a header without a colon",
      async () => (await bytes((socket) => socket.end(`${head}nonsense\r\n\r\n`))).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "100 kB of headers",
      async () => (await bytes((socket) => socket.end(`${head}x: ${"a".repeat(100_000)}\r\n\r\n`))).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "Content-Length and chunked",
      async () =>
        (
          await bytes((socket) =>
            socket.end(`${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`),
          )
        ).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "two Content-Lengths",
      async () => (await bytes((socket) => socket.end(`${head}content-length: 3\r\ncontent-length: 5\r\n\r\nabc`))).url,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "TLS where there is none",
      async () => (await http((_request, response) => response.end())).url.replace("http", "https"),
      { code: "UPSTREAM_UNREACHABLE", reason: "tls" },
    ],
  ];
  test.each(cases)("%s", async (_title, place, want) => {
    const url = await place();
    await expect(ask(url).then(read)).rejects.toMatchObject(want);
  });

  test("the message names no path and no query", async () => {
    const port = await freePort();
    const error = await ask(`http://127.0.0.1:${port}/secret?key=abcdef`).catch((thrown: Error) => thrown);
    expect(String(error)).not.toMatch(/secret|abcdef/);
  });
});

describe("TLS", () => {
  test("a certificate that nobody vouches for is refused, and accepted with its authority", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tls-"));
    const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-keyout",
        keyFile,
        "-out",
        certFile,
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
      ],
      { stdio: "ignore" },
    );
    const [key, cert] = [readFileSync(keyFile, "utf8"), readFileSync(certFile, "utf8")];
    const { port } = await kept(listen(createTlsServer({ key, cert }, (_request, response) => response.end("safe"))));
    const url = `https://127.0.0.1:${port}/`;
    await expect(ask(url)).rejects.toMatchObject({ code: "UPSTREAM_UNREACHABLE", reason: "tls" });
    const knowing = openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [], tls: { ca: cert } });
    open.push(knowing);
    const reply = await knowing.request({
      method: "GET",
      url,
      headers: [],
      signal: AbortSignal.timeout(5000),
      maxBytes: 100,
      redirects: [],
    });
    expect(await read(reply)).toBe("safe");
  });
});

describe("the signal ends a request in any phase, and frees the socket", () => {
  const reason = new Error("enough");
  const phases: [string, () => Promise<Served>][] = [
    ["while the answer does not come", () => bytes(() => {})],
    ["while the headers drip", () => bytes((socket) => drip(socket, "HTTP/1.1 200 OK\r\nx: ", "y"))],
    ["while the body drips", () => bytes((socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", "y"))],
    [
      "while a gzip body drips",
      () =>
        bytes((socket) =>
          drip(socket, "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03", ""),
        ),
    ],
  ];
  test.each(phases)("%s", async (_title, place) => {
    const served = await place();
    const stop = new AbortController();
    const asking = ask(served.url, { signal: stop.signal }).then(read);
    await until(() => served.sockets.open === 1);
    const start = performance.now();
    setTimeout(() => stop.abort(reason), 50);
    await expect(asking).rejects.toBe(reason);
    expect(performance.now() - start).toBeLessThan(1000);
    await until(() => served.sockets.open === 0);
  });

  test("while the name is looked up", async () => {
    const stuck = openEgress({ trustedHosts: [], allowPrivate: [], lookup: () => new Promise(() => {}) });
    open.push(stuck);
    const asking = stuck.request({
      method: "GET",
      url: "http://slow.example.com/",
      headers: [],
      signal: AbortSignal.abort(reason),
      maxBytes: 1,
      redirects: [],
    });
    await expect(asking).rejects.toBe(reason);
    const stop = new AbortController();
    const later = stuck.request({
      method: "GET",
      url: "http://slow.example.com/",
      headers: [],
      signal: stop.signal,
      maxBytes: 1,
      redirects: [],
    });
    stop.abort(reason);
    await expect(later).rejects.toBe(reason);
  });

  test("leaving the body early frees the socket too", async () => {
    const served = await bytes((socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n", "y".repeat(1000)));
    for await (const chunk of (await ask(served.url)).body) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      break;
    }
    await until(() => served.sockets.open === 0);
  });
});

describe("the bound counts decoded bytes", () => {
  const answer =
    (body: Buffer, headers: Record<string, string>): RequestListener =>
    (_request, response) => {
      response.writeHead(200, headers);
      response.end(body);
    };
  const text = "x".repeat(10_000);
  const cases: [string, RequestListener, number, object | string][] = [
    ["a body of just the bound", answer(Buffer.from(text), {}), 10_000, text],
    ["one byte more", answer(Buffer.from(text), {}), 9_999, { code: "BODY_TOO_LARGE", limitBytes: 9_999 }],
    ["more, and said so", answer(Buffer.from(text), { "content-length": "10000" }), 9_999, { code: "BODY_TOO_LARGE" }],
    ["gzip", answer(gzipSync(text), { "content-encoding": "gzip" }), 10_000, text],
    ["gzip in other letters", answer(gzipSync(text), { "content-encoding": " GZIP" }), 10_000, text],
    ["gzip over the bound", answer(gzipSync(text), { "content-encoding": "gzip" }), 9_999, { code: "BODY_TOO_LARGE" }],
    ["brotli", answer(brotliCompressSync(text), { "content-encoding": "br" }), 10_000, text],
    ["identity", answer(Buffer.from(text), { "content-encoding": "identity" }), 10_000, text],
    [
      "an encoding that nothing here undoes",
      answer(deflateSync(text), { "content-encoding": "zstd" }),
      10_000,
      { code: "UPSTREAM_MALFORMED" },
    ],
    ["deflate, unasked", answer(deflateSync(text), { "content-encoding": "deflate" }), 10_000, text],
    ["none", answer(Buffer.from(text), { "content-encoding": "none" }), 10_000, text],
    ["a charset for an encoding", answer(Buffer.from(text), { "content-encoding": "UTF-8" }), 10_000, text],
    ["a word that is no encoding", answer(Buffer.from(text), { "content-encoding": "amz-1.0" }), 10_000, text],
    ["gzip and a charset", answer(gzipSync(text), { "content-encoding": "utf-8, gzip" }), 10_000, text],
    ["gzip over nothing", answer(Buffer.alloc(0), { "content-encoding": "gzip", "content-length": "0" }), 10, ""],
    ["brotli over nothing", answer(Buffer.alloc(0), { "content-encoding": "br", "content-length": "0" }), 10, ""],
    ["deflate over nothing", answer(Buffer.alloc(0), { "content-encoding": "deflate" }), 10, ""],
    [
      "two encodings",
      answer(gzipSync(gzipSync(text)), { "content-encoding": "gzip, gzip" }),
      10_000,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "5,000 encodings",
      answer(gzipSync(text), { "content-encoding": Array(2000).fill("gzip").join() }),
      10_000,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "gzip that is cut, in a body that is whole",
      answer(gzipSync(text).subarray(0, 30), { "content-encoding": "gzip" }),
      10_000,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "gzip that is none",
      answer(Buffer.from("plain"), { "content-encoding": "gzip" }),
      10_000,
      { code: "UPSTREAM_MALFORMED" },
    ],
    [
      "brotli that is none",
      answer(Buffer.from("plain plain plain"), { "content-encoding": "br" }),
      10_000,
      { code: "UPSTREAM_MALFORMED" },
    ],
  ];
  test.each(cases)("%s", async (_title, listener, maxBytes, want) => {
    const { url } = await http(listener);
    const reading = ask(url, { maxBytes }).then(read);
    if (typeof want === "string") expect(await reading).toBe(want);
    else await expect(reading).rejects.toMatchObject(want);
  });

  test.each([
    ["a HEAD of a gzip resource", "HEAD", 200],
    ["a 204 that names an encoding", "GET", 204],
  ])("%s has no body", async (_title, method, status) => {
    const { url } = await http((_request, response) => {
      response.writeHead(status, {
        "content-encoding": "gzip",
        ...(method === "HEAD" && { "content-length": "99999999" }),
      });
      response.end();
    });
    expect(await read(await ask(url, { method }))).toBe("");
  });

  test.each([
    ["and no body", "HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n"],
    ["and a body", "HTTP/1.1 204 No Content\r\ncontent-length: 4\r\n\r\nnull"],
    ["and a chunked one", "HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
    ["of a 304, which it may have", "HTTP/1.1 304 Not Modified\r\ncontent-length: 4\r\n\r\n"],
  ])("an answer that has no body has none whatever its head says: a length %s", async (_title, whole) => {
    const { url, sockets } = await bytes((socket) => socket.write(whole));
    for (const method of ["DELETE", "GET"]) {
      const reply = await ask(url, { method });
      expect([reply.status, await read(reply)]).toEqual([Number(whole.slice(9, 12)), ""]);
    }
    await until(() => sockets.open <= 1);
  });

  test("a gzip bomb of 500 MB costs no more memory than its bound", async () => {
    const { url, sockets } = await http((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(response);
      const zeros = Buffer.alloc(1_000_000);
      let left = 500;
      const feed = () => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!gzip.write(zeros)) return void gzip.once("drain", feed);
        }
        gzip.end();
      };
      response.on("close", () => gzip.destroy());
      feed();
    });
    const before = process.memoryUsage().rss;
    let highest = 0;
    let seen = 0;
    const counting = async () => {
      for await (const chunk of (await ask(url, { maxBytes: 50_000_000, signal: AbortSignal.timeout(20_000) })).body) {
        seen += chunk.byteLength;
        highest = Math.max(highest, process.memoryUsage().rss);
      }
    };
    await expect(counting()).rejects.toMatchObject({ code: "BODY_TOO_LARGE" });
    expect(seen).toBeLessThanOrEqual(50_000_000);
    expect(highest - before).toBeLessThan(150_000_000);
    await until(() => sockets.open === 0);
  });
});

describe("redirects", () => {
  const secret: [string, string][] = [
    ["authorization", "Bearer s"],
    ["x-api-key", "s"],
    ["cookie", "s=s"],
    ["accept", "text/x"],
    ["user-agent", "u"],
    ["x-other", "o"],
  ];
  const to =
    (location: string, status = 302): RequestListener =>
    (request, response) => {
      if (request.url === "/end") return void response.end(JSON.stringify(request.headers));
      response.writeHead(status, { location });
      response.end("moved");
    };

  test.each([301, 302, 303, 307, 308])("a GET follows a %i to the same origin with all its headers", async (status) => {
    const { url } = await http(to("/end", status));
    const reply = await ask(`${url}/start`, { headers: secret });
    const heard = JSON.parse(await read(reply)) as IncomingHttpHeaders;
    expect([heard["x-api-key"], heard.authorization, reply.url]).toEqual(["s", "Bearer s", `${url}/end`]);
  });

  test.each(["POST", "PUT", "DELETE"])("a %s is never sent again", async (method) => {
    let heard = 0;
    const { url } = await http((request, response) => {
      heard += 1;
      to("/end")(request, response);
    });
    await expect(ask(url, { method, body: "x" })).rejects.toMatchObject({ code: "DESTINATION_BLOCKED" });
    expect(heard).toBe(1);
  });

  test("another origin hears not one byte", async () => {
    const other = await http((_request, response) => response.end());
    for (const location of [
      other.url,
      `//127.0.0.1:${other.port}/`,
      `http:\\\\127.0.0.1:${other.port}`,
      "https://evil.example/",
      "file:///etc/passwd",
      "http://[::",
    ]) {
      const { url } = await http(to(location));
      await expect(ask(url, { headers: secret })).rejects.toMatchObject({ code: "DESTINATION_BLOCKED" });
    }
    expect(other.sockets.accepted).toBe(0);
  });

  test("a listed host is followed to, without credentials", async () => {
    const other = await http((request, response) => response.end(JSON.stringify(request.headers)));
    const { url } = await http(to(`${other.url}/file`));
    const heard = JSON.parse(
      await read(await ask(url, { headers: secret, redirects: [`127.0.0.1:${other.port}`] })),
    ) as IncomingHttpHeaders;
    expect(Object.keys(heard).sort()).toEqual(["accept", "accept-encoding", "connection", "host", "user-agent"]);
  });

  const keys: (readonly [string, string])[] = [["api_key", "S3CR3T/+x"]];
  const locations: [string, location: string, want: string][] = [
    ["without a query", "/end", "/end?api_key=S3CR3T%2F%2Bx"],
    ["with a query of its own, byte by byte", "/end?a=b%20c,d", "/end?a=b%20c,d&api_key=S3CR3T%2F%2Bx"],
    ["with the key", "/end?api_key=S3CR3T/%2Bx&a", "/end?api_key=S3CR3T/%2Bx&a"],
  ];
  test.each(locations)("a key in the query stays with the origin: to a place %s", async (_title, location, want) => {
    const { url } = await http((request, response) => {
      if (request.url?.startsWith("/end")) return void response.end(request.url);
      response.writeHead(302, { location });
      response.end();
    });
    const reply = await ask(`${url}/start?api_key=S3CR3T%2F%2Bx`, { queryKeys: keys });
    expect(await read(reply)).toBe(want);
  });

  test("a key in the query does not leave the origin, not even when the server sends it along", async () => {
    const heard: unknown[] = [];
    const other = await http((request, response) => {
      heard.push(request.url);
      if (request.url === "/end") return void response.end();
      response.writeHead(302, { location: "/end" });
      response.end();
    });
    const { url } = await http(to(`${other.url}/file?a=1&key=S3CR3T%2f%2bx&api_key=S3CR3T/%2Bx&b`));
    const reply = await ask(`${url}/start?api_key=S3CR3T%2F%2Bx`, {
      queryKeys: keys,
      redirects: [`127.0.0.1:${other.port}`],
    });
    await read(reply);
    expect(heard).toEqual(["/file?a=1&b", "/end"]);
  });

  test("a listed host that is not public is blocked all the same", async () => {
    const { url } = await http(to("http://169.254.169.254/latest"));
    await expect(ask(url, { redirects: ["169.254.169.254"] })).rejects.toMatchObject({ code: "DESTINATION_BLOCKED" });
  });

  test("a loop ends after five hops", async () => {
    let heard = 0;
    const { url } = await http((_request, response) => {
      heard += 1;
      response.writeHead(302, { location: "/again" });
      response.end();
    });
    await expect(ask(url)).rejects.toMatchObject({ code: "DESTINATION_BLOCKED" });
    expect(heard).toBe(6);
  });

  test.each([
    [304, "/x"],
    [300, "/x"],
    [302, undefined],
  ])("a %i with Location %s is an answer", async (status, location) => {
    const { url } = await http((_request, response) => {
      response.writeHead(status, location === undefined ? {} : { location });
      response.end();
    });
    expect((await ask(url)).status).toBe(status);
  });
});
