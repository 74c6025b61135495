import { createServer, type Server } from "node:net";
import { describe, expect, test } from "vitest";
import { type Egress, type EgressRequest, openEgress } from "../../../src/egress/open-egress.ts";
import { breakUpstreams } from "../../../src/host/limits/break-upstream.ts";
import { DestinationBlocked, UpstreamMalformed, UpstreamUnreachable } from "../../../src/model/errors.ts";
import { freePort } from "../../setup/processes.ts";

const LIMITS = { failures: 3, restMs: 1000, longestRestMs: 4000, slowMs: 500 };
const REFUSED = new UpstreamUnreachable("refused", "refused");
const RESET = new UpstreamUnreachable("reset", "reset");
const TIME_IS_UP = Object.assign(new Error("The time is up."), { code: "TIME_IS_UP" });

/** An upstream that does what it is told next, and a breaker before it. */
function openScript() {
  let time = 0;
  let [next, takesMs]: [Error | number, number] = [200, 0];
  const sent: string[] = [];
  const told: [origin: string, restMs: number][] = [];
  const egress: Egress = {
    async request({ url }) {
      sent.push(url);
      time += takesMs;
      if (typeof next !== "number") throw next;
      return { status: next, headers: new Map(), url, body: (async function* () {})() };
    },
    close: async () => undefined,
  };
  const breaker = breakUpstreams(egress, {
    limits: LIMITS,
    now: () => time,
    tell: (origin, restMs) => void told.push([origin, restMs]),
  });
  return {
    sent,
    told,
    pass(ms: number) {
      time += ms;
    },
    answer(what: Error | number, ms = 0) {
      [next, takesMs] = [what, ms];
    },
    ask: (url = "https://api.example.com/v1") =>
      breaker.request(makeRequest(url)).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof UpstreamUnreachable ? error.reason : error),
      ),
  };
}

/** An upstream at which each request ends so: before it went out, or after. */
function openFaulty() {
  let fault: { readonly error: Error; readonly isSent: boolean } | undefined;
  let time = 0;
  const told: number[] = [];
  const egress: Egress = {
    async request({ url, onSent }) {
      if (fault === undefined || fault.isSent) onSent?.();
      if (fault === undefined) return { status: 200, headers: new Map(), url, body: (async function* () {})() };
      time += LIMITS.slowMs;
      throw fault.error;
    },
    close: async () => undefined,
  };
  const breaker = breakUpstreams(egress, {
    limits: LIMITS,
    now: () => time,
    tell: (_, restMs) => void told.push(restMs),
  });
  return {
    told,
    pass(ms: number) {
      time += ms;
    },
    fail(error: Error | undefined, isSent: boolean) {
      fault = error && { error, isSent };
    },
    ask: (caller: string) =>
      breaker.request({ ...makeRequest("https://api.example.com/v1"), caller }).then(
        ({ status }) => status,
        (error: unknown) => (error instanceof UpstreamUnreachable ? error.reason : error),
      ),
  };
}

/** An upstream that has not answered yet. */
function openPending() {
  const pending: { resolve(status: number): void; reject(error: Error): void }[] = [];
  const egress: Egress = {
    request: ({ url }) =>
      new Promise((resolve, reject) => {
        const answer = (status: number) =>
          resolve({ status, headers: new Map(), url, body: (async function* () {})() });
        pending.push({ resolve: answer, reject });
      }),
    close: async () => undefined,
  };
  return { egress, pending };
}

function makeRequest(url: string): EgressRequest {
  return { method: "GET", url, headers: [], signal: new AbortController().signal, maxBytes: 1000, redirects: [] };
}

describe("an upstream that does not answer", () => {
  test("is left alone after some failures in a row, then asked once, and asked by all when it has answered", async () => {
    const { ask, answer, pass, sent, told } = openScript();
    answer(REFUSED);
    expect([await ask(), await ask(), await ask(), await ask()]).toStrictEqual([
      "refused",
      "refused",
      "refused",
      "resting",
    ]);
    expect(sent).toHaveLength(3);
    pass(999);
    expect(await ask()).toBe("resting");
    pass(1);
    expect([await ask(), await ask()]).toStrictEqual(["refused", "resting"]);
    pass(1999);
    expect(await ask()).toBe("resting");
    answer(200);
    pass(1);
    expect([await ask(), await ask(), await ask()]).toStrictEqual([200, 200, 200]);
    const origin = "https://api.example.com";
    expect(told).toStrictEqual([
      [origin, 1000],
      [origin, 2000],
      [origin, 0],
    ]);
  });

  test("is never left alone for longer than the longest rest", async () => {
    const { ask, answer, pass, told } = openScript();
    answer(REFUSED);
    for (let at = 0; at < 20; at += 1) {
      await ask();
      pass(4000);
    }
    expect(Math.max(...told.map(([, ms]) => ms))).toBe(4000);
  });

  test("costs others nothing: each origin is by itself", async () => {
    const { ask, answer } = openScript();
    answer(REFUSED);
    for (let at = 0; at < 4; at += 1) await ask("https://dead.example.com/");
    answer(200);
    expect(await ask("https://dead.example.com/other")).toBe("resting");
    expect(await ask("https://dead.example.com:8443/")).toBe(200);
    expect(await ask("https://api.example.com/")).toBe(200);
  });

  test("rests no longer for requests that were on their way when it came to rest", async () => {
    const { egress, pending } = openPending();
    const told: number[] = [];
    const breaker = breakUpstreams(egress, {
      limits: LIMITS,
      now: () => 0,
      tell: (_, restMs) => void told.push(restMs),
    });
    const asked = Array.from({ length: 10 }, () => breaker.request(makeRequest("https://api.example.com/")));
    for (const { reject } of pending.splice(0, 9)) reject(REFUSED);
    await Promise.allSettled(asked.slice(0, 9));
    expect(told).toStrictEqual([1000]);
    await expect(breaker.request(makeRequest("https://api.example.com/"))).rejects.toMatchObject({ reason: "resting" });
    pending.shift()!.resolve(200);
    await asked[9];
    expect(told).toStrictEqual([1000, 0]);
    breaker.request(makeRequest("https://api.example.com/"));
    expect(pending).toHaveLength(1);
  });

  test("is asked by one alone when it has rested, and by the next when that one gave up", async () => {
    let time = 0;
    const { egress, pending } = openPending();
    const breaker = breakUpstreams(egress, { limits: { ...LIMITS, failures: 1 }, now: () => time });
    const ask = () => breaker.request(makeRequest("https://api.example.com/"));
    const first = ask();
    pending.shift()!.reject(REFUSED);
    await expect(first).rejects.toBe(REFUSED);
    time = 1000;
    const probe = ask();
    await expect(ask()).rejects.toMatchObject({ reason: "resting" });
    const cancelled = new Error("cancelled");
    pending.shift()!.reject(cancelled);
    await expect(probe).rejects.toBe(cancelled);
    const second = ask();
    pending.shift()!.resolve(500);
    await expect(second).resolves.toMatchObject({ status: 500 });
    ask();
    ask();
    expect(pending).toHaveLength(2);
  });

  test.each<[string, Error | number, number, boolean]>([
    ["a time limit that came late", TIME_IS_UP, 500, true],
    ["a time limit that came early: the rest of the call took the time", TIME_IS_UP, 499, false],
    ["a caller that gave up", new DOMException("gone", "AbortError"), 900, false],
    ["an address that may not be reached", new DestinationBlocked("blocked"), 0, false],
    ["what is not HTTP", new UpstreamMalformed("malformed"), 0, false],
    ["a server error", 500, 0, false],
    ["a gateway's error", 503, 0, false],
    ["no such name", new UpstreamUnreachable("dns", "no name"), 0, true],
    ["a broken connection", new UpstreamUnreachable("reset", "reset"), 0, true],
  ])("%s", async (_, what, ms, isCounted) => {
    const { ask, answer, sent } = openScript();
    answer(what, ms);
    for (let at = 0; at < 10; at += 1) await ask();
    expect(sent).toHaveLength(isCounted ? 3 : 10);
  });

  test("is not left alone while others get answers: no caller can shut out the rest with requests that take too long", async () => {
    const { ask, answer, sent } = openScript();
    for (let at = 0; at < 10; at += 1) {
      answer(TIME_IS_UP, 900);
      await ask();
      await ask();
      answer(404);
      expect(await ask()).toBe(404);
    }
    expect(sent).toHaveLength(30);
  });

  test("that says nothing to one caller is soon asked by another, however often the one tries", async () => {
    let time = 0;
    const { egress, pending } = openPending();
    const told: number[] = [];
    const tell = (_: string, restMs: number) => void told.push(restMs);
    const breaker = breakUpstreams(egress, { limits: LIMITS, now: () => time, tell });
    const ask = () => breaker.request(makeRequest("https://api.example.com/"));
    for (let at = 0; at < 6; at += 1) {
      const slow = ask();
      time += 600;
      pending.shift()!.reject(TIME_IS_UP);
      await expect(slow).rejects.toBe(TIME_IS_UP);
      time += 1000;
    }
    expect(told).toStrictEqual([1000, 1000, 1000, 1000]);
    const slow = ask();
    time += 499;
    await expect(ask()).rejects.toMatchObject({ reason: "resting" });
    time += 1;
    const other = ask();
    pending[1]!.resolve(200);
    await expect(other).resolves.toMatchObject({ status: 200 });
    time += 9_000;
    pending[0]!.reject(TIME_IS_UP);
    await expect(slow).rejects.toBe(TIME_IS_UP);
    expect(told.slice(4)).toStrictEqual([0]);
  });

  test.each([
    ["breaks the connection over its requests", RESET],
    ["answers none of its requests in time", TIME_IS_UP],
  ])("that %s is there for others: one caller cannot shut them out", async (_, error) => {
    const { ask, fail, told } = openFaulty();
    for (let at = 0; at < 10; at += 1) {
      fail(error, true);
      for (let time = 0; time < 10; time += 1) await ask("hostile");
      fail(undefined, true);
      expect(await ask("other")).toBe(200);
    }
    expect(told).toStrictEqual([]);
  });

  test.each([
    ["breaks the connection over the requests of several", RESET, true],
    ["answers none of several in time", TIME_IS_UP, true],
    ["breaks the connection before anything went out", RESET, false],
  ])("that %s is left alone", async (_, error, isSent) => {
    const { ask, fail, told } = openFaulty();
    fail(error, isSent);
    for (const caller of ["one", "other", "one", "other"]) await ask(caller);
    expect(told).toStrictEqual([1000]);
    expect(await ask("third")).toBe("resting");
  });

  test("that was left alone is asked by others as soon as one caller alone gets no answer", async () => {
    const { ask, fail, pass, told } = openFaulty();
    fail(RESET, true);
    for (const caller of ["one", "other", "one"]) await ask(caller);
    pass(1000);
    for (let time = 0; time < 5; time += 1) expect(await ask("hostile")).toBe("reset");
    fail(undefined, true);
    expect(await ask("other")).toBe(200);
    expect(told).toStrictEqual([1000, 0]);
  });

  test("is not left alone for what this machine lacks", async () => {
    const { ask, fail, told } = openFaulty();
    fail(new UpstreamUnreachable("exhausted", "EMFILE"), false);
    for (let time = 0; time < 10; time += 1) expect(await ask(String(time))).toBe("exhausted");
    expect(told).toStrictEqual([]);
  });

  test("is not even connected to: a real one that died and came back", async () => {
    const port = await freePort();
    let time = 0;
    const real = openEgress({ trustedHosts: [`127.0.0.1:${port}`], allowPrivate: [] });
    const breaker = breakUpstreams(real, { limits: LIMITS, now: () => time });
    const ask = () =>
      breaker.request(makeRequest(`http://127.0.0.1:${port}/`)).then(
        ({ status }) => status,
        (error: UpstreamUnreachable) => error.reason,
      );
    expect([await ask(), await ask(), await ask(), await ask()]).toStrictEqual([
      "refused",
      "refused",
      "refused",
      "resting",
    ]);
    const { server, connections } = await listen(port);
    expect(await ask()).toBe("resting");
    expect(connections()).toBe(0);
    time += 1000;
    expect(await ask()).toBe(204);
    await breaker.close();
    server.close();
  });
});

async function listen(port: number): Promise<{ server: Server; connections(): number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on("data", () => socket.write("HTTP/1.1 204 No Content\r\n\r\n"));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, connections: () => connections };
}
