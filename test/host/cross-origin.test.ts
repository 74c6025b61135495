import { once } from "node:events";
import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { OauthEntry } from "../../src/host/hosting.ts";
import type { Served } from "../../src/host/opened-server.ts";
import { sampleCaller, sampleToolset } from "../fixtures/mcp/sample-server.ts";
import { fakeServer, type Hosted, hostFile, keyEntry, keyOf, openHosted, serverEntry } from "./hosted.ts";

const PAGE = "https://app.example.com";
const OAUTH: OauthEntry = {
  issuer: "https://id.example.com",
  claims: new Map(),
  scopes: [],
  severalAudiences: false,
  plainJwt: false,
};
const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list", params: {} };

const open: Hosted[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.end()));
});

async function start(origins?: readonly string[]): Promise<string> {
  const more = { oauth: OAUTH, ...(origins !== undefined && { origins: new Set(origins) }) };
  const host = hostFile([keyEntry("ann")], [serverEntry("one")], more);
  const served: Served = { host, servers: new Map([["one", fakeServer(sampleToolset, sampleCaller())]]) };
  const hosted = await openHosted(served);
  open.push(hosted);
  return hosted.url;
}

function post(url: string, origin: string, key = keyOf("ann")): Promise<Response> {
  return fetch(`${url}/mcp/one`, {
    method: "POST",
    body: JSON.stringify(LIST),
    headers: {
      origin,
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
}

function preflight(url: string, origin: string, headers: string, path = "/mcp/one"): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": headers },
  });
}

const seenIn = (answer: Response): string[] =>
  [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));

describe("a page of an origin that the host file names", () => {
  test("is told before it asks that it may, and which headers it may send", async () => {
    const url = await start([PAGE]);
    const asked = "authorization,content-type,mcp-method,mcp-param-region,mcp-protocol-version,cookie,x-evil";
    const answer = await preflight(url, PAGE, asked);
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "authorization, content-type, mcp-method, mcp-param-region, mcp-protocol-version",
      vary: "Origin, Access-Control-Request-Headers",
    });
    expect((await preflight(url, PAGE, "", "/.well-known/oauth-protected-resource/mcp/one")).status).toBe(204);
  });

  test.each([
    ["an answer", keyOf("ann"), 200],
    ["a refusal, with how to log in", keyOf("nobody"), 401],
  ])("may read %s", async (_, key, status) => {
    const answer = await post(await start([PAGE]), PAGE, key);
    await answer.text();
    expect(answer.status).toBe(status);
    expect(answer.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(answer.headers.get("vary")).toMatch(/\bOrigin\b/);
    const exposed = answer.headers.get("access-control-expose-headers")?.toLowerCase().split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["www-authenticate", "retry-after", "mcp-protocol-version"]));
    if (status === 401) expect(answer.headers.get("www-authenticate")).toContain("resource_metadata");
  });

  test("finds where to log in", async () => {
    const url = await start([PAGE]);
    const answer = await fetch(`${url}/.well-known/oauth-protected-resource/mcp/one`, { headers: { origin: PAGE } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toStrictEqual([200, "*"]);
  });

  test("is never allowed to send cookies", async () => {
    const url = await start([PAGE]);
    for (const answer of [await preflight(url, PAGE, "authorization"), await post(url, PAGE)])
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  });
});

describe("a page of any other origin", () => {
  test.each([
    "https://evil.example",
    "http://app.example.com",
    "https://app.example.com:8443",
    "https://app.example.com.evil.example",
    "https://APP.example.com/",
    "null",
    "*",
  ])("is refused and reads nothing: %s", async (origin) => {
    const url = await start([PAGE]);
    for (const answer of [await preflight(url, origin, "authorization"), await post(url, origin)]) {
      expect([answer.status, seenIn(answer)]).toStrictEqual([403, []]);
      await answer.text();
    }
  });

  test("is refused by every host that names none", async () => {
    const url = await start();
    for (const answer of [await preflight(url, PAGE, "authorization"), await post(url, PAGE)])
      expect([answer.status, seenIn(answer)]).toStrictEqual([403, []]);
  });

  test("finds nothing allowed where it says two origins at once", async () => {
    const url = await start([PAGE, "https://two.example.com"]);
    const answer = await post(url, `${PAGE}, https://two.example.com`);
    expect([answer.status, seenIn(answer)]).toStrictEqual([403, []]);
    // In lines of their own, the good one first.
    const lines = request(`${url}/mcp/one`, { method: "POST", headers: { Origin: [PAGE, "https://evil.example"] } });
    const [twice] = await once(lines.end(), "response");
    twice.resume();
    expect([twice.statusCode, twice.headers["access-control-allow-origin"]]).toStrictEqual([403, undefined]);
  });
});
