import type { RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { openEgress } from "../../src/egress/open-egress.ts";
import { ToolError, UpstreamUnreachable } from "../../src/model/errors.ts";
import type { RunEvent, UpstreamRequest } from "../../src/model/exchange.ts";
import { createSlots } from "../../src/run/exchange/limit-concurrency.ts";
import { type Sending, sendRequest } from "../../src/run/exchange/send-request.ts";
import { drip, freePort, type Served, serve, serveBytes, until } from "../egress/serve.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
const kept = async <T extends { close(): Promise<void> }>(opening: Promise<T> | T): Promise<T> => {
  const one = await opening;
  open.push(one);
  return one;
};
const http = (listener: RequestListener): Promise<Served> => kept(serve(listener));
const bytes = (...script: Parameters<typeof serveBytes>): Promise<Served> => kept(serveBytes(...script));

interface Sent {
  readonly url: string;
  readonly safe?: boolean;
  readonly deadlineMs?: number;
  readonly cancel?: AbortSignal;
  readonly limits?: Partial<Sending["limits"]>;
  readonly more?: Partial<Sending>;
}

const events: RunEvent[] = [];
async function send({ url, safe = true, deadlineMs = 5000, cancel, limits, more }: Sent) {
  events.length = 0;
  const egress = await kept(openEgress({ trustedHosts: ["127.0.0.1"], allowPrivate: [] }));
  const request: UpstreamRequest = {
    operation: safe ? "GET /a/{b}" : "POST /a/{b}",
    method: safe ? "GET" : "POST",
    url: `${url}/a/b?secret=x`,
    headers: [],
    safe,
    ...(!safe && { body: "{}" }),
  };
  return sendRequest(request, {
    tool: "t",
    egress,
    authorize: async (one) => ({
      request: { ...one, headers: [...one.headers, ["x-api-key", "S3CR3T"]], url: `${one.url}&key=S3CR3T` },
      secrets: [],
    }),
    observe: (event) => events.push(event),
    now: () => new Date(),
    slots: createSlots(4),
    cancel: cancel ?? new AbortController().signal,
    deadlineAt: performance.now() + deadlineMs,
    limits: { retries: 2, timeoutMs: 5000, maxResponseBytes: 1_000_000, redirects: [], ...limits },
    ...more,
  });
}

async function failure(sent: Sent): Promise<ToolError> {
  const error = await send(sent).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ToolError);
  const { message, detail } = error as ToolError;
  expect(JSON.stringify([message, detail])).not.toMatch(/S3CR3T|secret|127\.0\.0\.1/);
  return error as ToolError;
}

const ok: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end('{"a":1}');
};

describe("an answer", () => {
  test("is read, with credentials laid on and kept out of the events", async () => {
    const heard: string[] = [];
    const { url } = await http((request, response) => {
      heard.push(request.url ?? "", String(request.headers["x-api-key"]));
      ok(request, response);
    });
    expect((await send({ url })).body).toEqual({ kind: "json", value: { a: 1 } });
    expect(heard).toEqual(["/a/b?secret=x&key=S3CR3T", "S3CR3T"]);
    expect(events.map(({ type }) => type)).toEqual(["request", "reply"]);
    expect(JSON.stringify(events)).not.toContain("S3CR3T");
  });
  test.each([204, 404, 500, 400])("of status %i comes back as it is", async (status) => {
    const { url } = await http((_request, response) => {
      response.writeHead(status);
      response.end();
    });
    expect((await send({ url })).status).toBe(status);
  });
});

describe("a bad upstream has a code of its own each time, within the deadline", () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
  const places: [string, () => Promise<string>, boolean, string][] = [
    ["refused, reading", async () => `http://127.0.0.1:${await freePort()}`, true, "upstream_unavailable"],
    [
      "refused, writing: nothing was sent",
      async () => `http://127.0.0.1:${await freePort()}`,
      false,
      "upstream_unavailable",
    ],
    [
      "reset before the answer, reading",
      async () => (await bytes((socket) => socket.resetAndDestroy())).url,
      true,
      "upstream_unavailable",
    ],
    [
      "reset before the answer, writing",
      async () => (await bytes((socket) => socket.resetAndDestroy())).url,
      false,
      "outcome_unknown",
    ],
    [
      "cut inside the body, reading",
      async () => (await bytes((socket) => socket.end(`${head}content-length: 9\r\n\r\n{`))).url,
      true,
      "upstream_unavailable",
    ],
    [
      "cut inside the body, writing",
      async () => (await bytes((socket) => socket.end(`${head}content-length: 9\r\n\r\n{`))).url,
      false,
      "outcome_unknown",
    ],
    ["never answering, reading", async () => (await bytes(() => {})).url, true, "upstream_timeout"],
    ["never answering, writing", async () => (await bytes(() => {})).url, false, "outcome_unknown"],
    [
      "dripping for ever, reading",
      async () => (await bytes((socket) => drip(socket, `${head}\r\n{`, " "))).url,
      true,
      "upstream_timeout",
    ],
    [
      "dripping for ever, writing",
      async () => (await bytes((socket) => drip(socket, `${head}\r\n{`, " "))).url,
      false,
      "outcome_unknown",
    ],
    [
      "no HTTP, reading",
      async () => (await bytes((socket) => socket.end("hello\r\n\r\n"))).url,
      true,
      "upstream_bad_response",
    ],
    [
      "no HTTP, writing",
      async () => (await bytes((socket) => socket.end("hello\r\n\r\n"))).url,
      false,
      "outcome_unknown",
    ],
    [
      "two encodings",
      async () =>
        (await http((_request, response) => response.writeHead(200, { "content-encoding": "gzip, br" }).end("x"))).url,
      true,
      "upstream_bad_response",
    ],
    [
      "50 MB",
      async () => (await http((_request, response) => response.end(Buffer.alloc(50_000_000)))).url,
      true,
      "response_too_large",
    ],
    [
      "redirecting away, reading",
      async () =>
        (await http((_request, response) => response.writeHead(302, { location: "https://evil.example/" }).end())).url,
      true,
      "destination_blocked",
    ],
    [
      "redirecting away, writing",
      async () => (await http((_request, response) => response.writeHead(302, { location: "/elsewhere" }).end())).url,
      false,
      "destination_blocked",
    ],
    ["link-local", async () => "http://169.254.169.254", true, "destination_blocked"],
  ];
  test.each(places)("%s", async (_title, place, safe, code) => {
    const url = await place();
    const start = performance.now();
    const error = await failure({ url, safe, deadlineMs: 400 });
    expect(error.code).toBe(code);
    expect(performance.now() - start).toBeLessThan(1500);
    expect(error.cause).toBeInstanceOf(Error);
    expect(events.at(-1)?.type).toBe("failure");
  });

  test.each([
    ["a body whose length was wrong", true, "upstream_unavailable"],
    ["a body whose length was wrong, writing", false, "outcome_unknown"],
  ])("%s, from a server that said it would close", async (_title, safe, code) => {
    const script = `${head}connection: close\r\ncontent-length: 9\r\n\r\n{`;
    const { url } = await bytes((socket) => socket.end(script));
    expect(await failure({ url, safe, deadlineMs: 400 })).toMatchObject({ code, detail: { retryable: safe } });
  });

  test("a write that was answered 204 with a length has its answer", async () => {
    const { url } = await bytes((socket) => socket.end("HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n"));
    expect(await send({ url, safe: false })).toMatchObject({ status: 204, body: { kind: "empty" } });
  });

  test.each([
    ["to another host", "https://evil.example/landed?k=S3CR3T", true, "(302) to https://evil.example/landed, a host"],
    ["with a name and a password", "https://u:S3CR3T@evil.example/", true, "(302) to https://evil.example/, a host"],
    ["in a circle", "/a/b", true, "(302) to /a/b, which is not followed after 5 others"],
    ["to no URL", "https://", true, "(302) to an address, which is no URL"],
    [
      "with a POST",
      "/p/?k=S3CR3T",
      false,
      "(302) to /p/, which is not followed with a POST, in answer to a request that may",
    ],
  ])("a redirect %s is told with its status and target", async (_title, location, safe, words) => {
    const { url } = await http((_request, response) => response.writeHead(302, { location }).end());
    const error = await failure({ url, safe, limits: { redirects: ["u"] } });
    expect(error.code).toBe("destination_blocked");
    expect(error.detail.message).toContain(words);
    expect(error.detail.message).not.toMatch(/S3CR3T|may not reach/);
  });

  test.each(["zstd", "gzip, br"])("a body in %s is refused by that name", async (encoding) => {
    const { url } = await http((_request, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end("x"),
    );
    const error = await failure({ url });
    expect(error.code).toBe("upstream_bad_response");
    expect(error.detail.message).toContain(`its Content-Encoding is ${encoding}, which was not asked for`);
  });

  test("what is sent once stays sent once", async () => {
    let heard = 0;
    const { url } = await bytes((socket) => {
      heard += 1;
      socket.resetAndDestroy();
    });
    const error = await failure({ url, safe: false });
    expect([heard, error.detail.retryable]).toEqual([1, false]);
  });

  test("one upstream request has its own time, inside the call's", async () => {
    const { url } = await bytes(() => {});
    const start = performance.now();
    expect((await failure({ url, limits: { timeoutMs: 100 } })).code).toBe("upstream_timeout");
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe("a read is sent again after a failure that may pass", () => {
  const failing = (times: number, fail: RequestListener) => {
    const heard: number[] = [];
    const listener: RequestListener = (request, response) => {
      heard.push(performance.now());
      if (heard.length <= times) fail(request, response);
      else ok(request, response);
    };
    return { heard, listener };
  };
  const status =
    (code: number, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) =>
      void response.writeHead(code, headers).end("busy");

  test.each([408, 425, 429, 502, 503, 504])("of status %i", async (code) => {
    const { heard, listener } = failing(2, status(code));
    expect((await send({ url: (await http(listener)).url })).status).toBe(200);
    expect(heard.length).toBe(3);
    expect(events.map(({ type }) => type)).toEqual(["request", "reply", "request", "reply", "request", "reply"]);
  });
  test("of a broken connection", async () => {
    const { heard, listener } = failing(1, (request) => request.socket.resetAndDestroy());
    expect((await send({ url: (await http(listener)).url })).status).toBe(200);
    expect(heard.length).toBe(2);
  });
  test.each(["content-length: 50\r\n", "transfer-encoding: chunked\r\n"])(
    "of a body that was cut (%s)",
    async (length) => {
      const { heard, listener } = failing(1, ({ socket }) =>
        socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n${length}\r\n9\r\n{"a":1`),
      );
      expect((await send({ url: (await http(listener)).url })).status).toBe(200);
      expect(heard.length).toBe(2);
    },
  );
  test("of status 403 that says when to come again, and no other", async () => {
    const limited = failing(1, status(403, { "retry-after": "0" }));
    expect((await send({ url: (await http(limited.listener)).url })).status).toBe(200);
    const refused = failing(1, status(403));
    expect((await send({ url: (await http(refused.listener)).url })).status).toBe(403);
    expect([limited.heard.length, refused.heard.length]).toEqual([2, 1]);
  });
  test("but not more often than it may be", async () => {
    const { heard, listener } = failing(9, status(503));
    expect((await send({ url: (await http(listener)).url, limits: { retries: 1 } })).status).toBe(503);
    expect(heard.length).toBe(2);
  });
  test.each([400, 401, 404, 500, 501])("but not of status %i", async (code) => {
    const { heard, listener } = failing(1, status(code));
    expect((await send({ url: (await http(listener)).url })).status).toBe(code);
    expect(heard.length).toBe(1);
  });
  test("but a write never is", async () => {
    const { heard, listener } = failing(1, status(503, { "retry-after": "0" }));
    expect((await send({ url: (await http(listener)).url, safe: false })).status).toBe(503);
    expect(heard.length).toBe(1);
  });
  test("as late as the server asks", async () => {
    const { heard, listener } = failing(1, status(429, { "retry-after": "1" }));
    expect((await send({ url: (await http(listener)).url })).status).toBe(200);
    expect(heard[1]! - heard[0]!).toBeGreaterThanOrEqual(990);
  });
  test.each(["3600", new Date(Date.now() + 3_600_000).toUTCString()])(
    "unless that is too late (%s): then the answer comes at once",
    async (after) => {
      const { heard, listener } = failing(1, status(429, { "retry-after": after }));
      const start = performance.now();
      expect((await send({ url: (await http(listener)).url })).status).toBe(429);
      expect([heard.length, performance.now() - start < 1000]).toEqual([1, true]);
    },
  );
});

describe("the caller's cancel", () => {
  test("reaches the upstream within 100 ms", async () => {
    const served = await bytes(() => {});
    const stop = new AbortController();
    const failing = failure({ url: served.url, cancel: stop.signal });
    await until(() => served.sockets.open === 1);
    const start = performance.now();
    stop.abort();
    await until(() => served.sockets.open === 0, 1000);
    expect(performance.now() - start).toBeLessThan(200);
    expect((await failing).code).toBe("cancelled");
  });
  test("ends the wait between attempts", async () => {
    const { url } = await http((_request, response) => void response.writeHead(429, { "retry-after": "3" }).end());
    const stop = new AbortController();
    const failing = failure({ url, cancel: stop.signal });
    await until(() => events.some(({ type }) => type === "reply"));
    stop.abort();
    expect((await failing).code).toBe("cancelled");
  });
  test("says of a write that it may have taken effect", async () => {
    const served = await bytes((socket) => socket.write("HTTP/1.1 200 OK\r\n"));
    const stop = new AbortController();
    const failing = failure({ url: served.url, safe: false, cancel: stop.signal });
    await until(() => served.sockets.open === 1);
    setTimeout(() => stop.abort(), 50);
    const error = await failing;
    expect([error.code, error.detail.retryable]).toEqual(["cancelled", false]);
    expect(error.message).toMatch(/may have taken effect/);
  });
  test("that came before anything sends nothing", async () => {
    const served = await http(ok);
    expect((await failure({ url: served.url, cancel: AbortSignal.abort() })).code).toBe("cancelled");
    expect(served.sockets.accepted).toBe(0);
  });
});

describe("slots", () => {
  test("bound how many requests are under way", async () => {
    let now = 0;
    let most = 0;
    const { url } = await http((request, response) => {
      now += 1;
      most = Math.max(most, now);
      setTimeout(() => {
        now -= 1;
        ok(request, response);
      }, 20);
    });
    const slots = createSlots(3);
    await Promise.all(Array.from({ length: 12 }, () => send({ url, more: { slots } })));
    expect(most).toBe(3);
  });
  test("are given in turn, and passed over by who has left", async () => {
    const slots = createSlots(1);
    const signal = new AbortController().signal;
    const free = await slots.take(signal);
    const left = new AbortController();
    const order: string[] = [];
    const leaving = slots.take(left.signal).catch((error) => order.push(String(error)));
    const next = slots.take(signal).then((release) => {
      order.push("next");
      return release;
    });
    left.abort("left");
    await leaving;
    free();
    free();
    (await next)();
    await slots.take(signal);
    expect(order).toEqual(["left", "next"]);
    await expect(slots.take(AbortSignal.abort("late"))).rejects.toBe("late");
  });
  test("go round among callers, however many each asks for", async () => {
    const slots = createSlots(1);
    const signal = new AbortController().signal;
    const held = await slots.take(signal, "busy");
    const order: string[] = [];
    const ask = async (caller: string) => {
      const free = await slots.take(signal, caller);
      order.push(caller);
      free();
    };
    const asked = [..."aaaabbcaa"].map(ask);
    held();
    await Promise.all(asked);
    expect(order.join("")).toBe("abcabaaaa");
  });
  test("are never all of one caller's, as long as it may be told from others", async () => {
    const slots = createSlots(4);
    const signal = new AbortController().signal;
    const order: string[] = [];
    const ask = (caller: string) =>
      slots.take(signal, caller).then((free) => {
        order.push(caller);
        return free;
      });
    // Nobody else is there, and who comes then finds a place.
    const many = [ask("many"), ask("many"), ask("many"), ask("many")];
    const [few] = [ask("few"), ask("few")];
    await few;
    expect(order.join(" ")).toBe("many many many few");
    const third = ask("third");
    // Two of them are left to the one who has many, which is half.
    (await many[0]!)();
    await expect.poll(() => order.slice(4).join(" ")).toBe("few");
    (await few)();
    // The one of whoever has less, though others have waited for longer.
    await third;
    (await many[1]!)();
    await expect.poll(() => order.slice(4).join(" ")).toBe("few third many");
  });
  test("are nearly all of one caller's who was the only one for a minute, and half of them once there was another", async () => {
    let time = 0;
    const slots = createSlots(16, () => time);
    const { signal } = new AbortController();
    const held = new Map<string, (() => void)[]>();
    const ask = (caller: string, most: number) => {
      for (let at = 0; at < most; at += 1)
        void slots.take(signal, caller).then((free) => held.set(caller, [...(held.get(caller) ?? []), free]));
      return new Promise((resolve) => setImmediate(resolve));
    };
    const free = (caller: string, most: number) => {
      for (const one of held.get(caller)!.splice(0, most)) one();
      return new Promise((resolve) => setImmediate(resolve));
    };
    const holds = () => ["one", "other"].map((caller) => held.get(caller)?.length ?? 0);
    await ask("one", 30);
    expect(holds()).toStrictEqual([14, 0]);
    await ask("other", 1);
    expect(holds()).toStrictEqual([14, 1]);
    await free("one", 10);
    expect(holds()).toStrictEqual([8, 1]);
    await free("other", 1);
    expect(holds()).toStrictEqual([8, 0]);
    time = 59_999;
    await free("one", 1);
    expect(holds()).toStrictEqual([8, 0]);
    time = 60_000;
    // All that may come in do, in their turn.
    await free("one", 1);
    expect(holds()).toStrictEqual([14, 0]);
    await free("one", 14);
    await free("one", 14);
    expect(holds()).toStrictEqual([0, 0]);
  });
  test("are one caller's own in the order of asking, also once nobody else is there any more", async () => {
    let time = 0;
    const slots = createSlots(4, () => time);
    const { signal } = new AbortController();
    (await slots.take(signal, "other"))();
    const order: number[] = [];
    const ask = (at: number) => void slots.take(signal, "one").then(() => order.push(at));
    for (const at of [1, 2, 3]) ask(at);
    await expect.poll(() => order).toStrictEqual([1, 2]);
    time = 60_000;
    ask(4);
    await expect.poll(() => order).toStrictEqual([1, 2, 3]);
  });
  test("are all for whoever asks where nobody is known", async () => {
    const slots = createSlots(3);
    const { signal } = new AbortController();
    const taken = await Promise.all([slots.take(signal), slots.take(signal), slots.take(signal)]);
    expect(taken).toHaveLength(3);
  });
  test("of one alone are for everybody in turn", async () => {
    const slots = createSlots(1);
    const { signal } = new AbortController();
    (await slots.take(signal, "one"))();
    await expect(slots.take(signal, "one")).resolves.toBeTypeOf("function");
  });
  test("that do not come free in time are a timeout, and nothing was sent", async () => {
    const slots = createSlots(1);
    await slots.take(new AbortController().signal);
    const served = await http(ok);
    expect((await failure({ url: served.url, safe: false, deadlineMs: 100, more: { slots } })).code).toBe(
      "upstream_timeout",
    );
    expect(served.sockets.accepted).toBe(0);
  });
});

describe("after a 401", () => {
  const renewing = (mayDo: boolean): Pick<Sending, "authorize"> => {
    let count = 0;
    return {
      authorize: async (one) => {
        count += 1;
        return { request: { ...one, headers: [["x-try", String(count)]] }, secrets: [], refused: () => mayDo };
      },
    };
  };
  const until401Ends = async (good: number) => {
    const heard: string[] = [];
    const { url } = await http((request, response) => {
      const tried = String(request.headers["x-try"]);
      heard.push(tried);
      if (Number(tried) >= good) ok(request, response);
      else response.writeHead(401).end();
    });
    return { url, heard };
  };

  test.each([true, false])("the request goes out once more with a fresh credential (safe: %s)", async (safe) => {
    const { url, heard } = await until401Ends(2);
    expect((await send({ url, safe, more: renewing(true) })).status).toBe(200);
    expect(heard).toEqual(["1", "2"]);
  });
  test("a second one is the answer", async () => {
    const { url, heard } = await until401Ends(9);
    expect((await send({ url, more: renewing(true) })).status).toBe(401);
    expect(heard).toEqual(["1", "2"]);
  });
  test("it is the answer where no fresh credential can be had", async () => {
    const { url, heard } = await until401Ends(9);
    expect((await send({ url, more: renewing(false) })).status).toBe(401);
    expect((await send({ url })).status).toBe(401);
    expect(heard).toHaveLength(2);
  });
  test("a write whose second try never left is no outcome_unknown", async () => {
    let tries = 0;
    const { url } = await http((_request, response) => response.writeHead(401).end());
    const authorize: Sending["authorize"] = async (one) => {
      tries += 1;
      const request = tries === 1 ? one : { ...one, url: `http://127.0.0.1:${closed}/` };
      return { request, secrets: [], refused: () => true };
    };
    const closed = await freePort();
    expect((await failure({ url, safe: false, more: { authorize } })).code).toBe("upstream_unavailable");
  });
  test("no longer than the call may take is waited for a credential", async () => {
    const authorize: Sending["authorize"] = (_request, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const { url } = await http(ok);
    expect((await failure({ url, deadlineMs: 100, more: { authorize } })).code).toBe("upstream_timeout");
  });
});

test("an upstream that is left alone is asked once, and a write that was not sent is no outcome_unknown", async () => {
  for (const safe of [true, false]) {
    let asked = 0;
    const egress: Sending["egress"] = {
      request: async () => {
        asked += 1;
        throw new UpstreamUnreachable("resting", "it rests");
      },
      close: async () => undefined,
    };
    const error = await failure({ url: "https://api.example.com", safe, more: { egress } });
    expect([error.code, error.detail.retryable, asked]).toEqual(["upstream_unavailable", true, 1]);
    expect(error.message).toContain("left alone for a moment");
  }
});

describe("events say what came over the wire, also of what failed", () => {
  const lastEvent = async (listener: RequestListener, limits?: Partial<Sending["limits"]>): Promise<RunEvent> => {
    const { url } = await http(listener);
    await send({ url, limits: { retries: 0, ...limits } }).catch(() => {});
    return events.at(-1) as RunEvent;
  };

  test("the requests that followed redirects", async () => {
    const event = await lastEvent((request, response) => {
      const hop = Number(/hop=(\d)/.exec(request.url ?? "")?.[1] ?? 0);
      if (hop === 2) return ok(request, response);
      response.writeHead(302, { location: `/?hop=${hop + 1}` }).end();
    });
    expect(event).toMatchObject({ type: "reply", redirects: 2 });
  });

  test("the bytes of a body that was too large", async () => {
    const event = await lastEvent(
      (_, response) => {
        response.write("x".repeat(1_000));
        setTimeout(() => response.end("y".repeat(1_000)), 50);
      },
      { maxResponseBytes: 1_500 },
    );
    expect(event).toMatchObject({ type: "failure", bytes: 1_000 });
  });

  test("the bytes of a body that broke off", async () => {
    const event = await lastEvent((request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("x".repeat(100));
      setTimeout(() => request.socket.destroy(), 50);
    });
    expect(event).toMatchObject({ type: "failure", bytes: 100 });
  });

  test("the bytes of a list of lines that broke off", async () => {
    const event = await lastEvent((request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write("{}\n".repeat(10));
      setTimeout(() => request.socket.destroy(), 50);
    });
    expect(event).toMatchObject({ type: "failure", bytes: 30 });
  });
});
