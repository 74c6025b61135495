import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openIssuer, type TestIssuer } from "../host/callers/open-issuer.ts";
import { hashOf, keyOf } from "../setup/keys.ts";
import { type RunningHost, startHost } from "./running-host.ts";

// Who is let in by what they show, over the whole of `vitrine host`, and what becomes of it.

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Desk", version: "1" },
  servers: [{ url: "/v1" }],
  paths: { "/items": { post: { operationId: "find", responses: { 200: { description: "Ok." } } } } },
};
const CURATION = {
  vitrine: 1,
  api: { spec: "./spec.json", baseUrl: "${env.API}" },
  server: { name: "desk" },
  tools: { find: { operation: "find", effect: "read", use: "Find what is there." } },
};

let issuer: TestIssuer;
let host: RunningHost;
/** All that the API was sent. */
let sent = "";
const upstream = createServer(async (request, response) => {
  sent += JSON.stringify([request.url, request.rawHeaders]);
  for await (const chunk of request) sent += String(chunk);
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});

beforeAll(async () => {
  issuer = await openIssuer();
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const desk = { curation: "./desk.yaml", root: ".", env: ["API"], allowPrivate: ["127.0.0.0/8"] };
  const file = {
    listen: "127.0.0.1:0",
    publicUrl: "http://127.0.0.1",
    proxies: 1,
    servers: { desk },
    keys: { ann: { hash: hashOf("ann"), server: "desk", claims: { who: "claim-of-ann" } } },
    oauth: { issuer: issuer.issuer, scopes: ["use"], writeScope: "change" },
  };
  const files = { "spec.json": SPEC, "desk.yaml": CURATION, "host.yaml": file };
  const env = { API: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1` };
  host = await startHost(
    Object.fromEntries(Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)])),
    env,
  );
});
afterAll(async () => {
  await host?.end();
  await issuer?.close();
  upstream.close();
  upstream.closeAllConnections();
});
beforeEach(() => {
  sent = "";
});

const FIND = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "find", arguments: {} } };
let others = 0;
/** An address that nobody has guessed from yet. */
function someone(): string {
  others += 1;
  return `198.51.100.${others}`;
}
const from = (address: string) => ({ "x-forwarded-for": address });

test("who shows nothing is told where a token is to be had, and that nothing is wrong yet", async () => {
  const { status, headers } = await host.post("desk", undefined, FIND);
  const metadata = "http://127.0.0.1/.well-known/oauth-protected-resource/mcp/desk";
  const challenge = `Bearer resource_metadata="${metadata}", scope="use change"`;
  expect([status, headers.get("www-authenticate")]).toEqual([401, challenge]);
  const described = await fetch(metadata.replace("http://127.0.0.1", host.url));
  expect([described.status, await described.json()]).toMatchObject([200, { resource: "http://127.0.0.1/mcp/desk" }]);
  for (const wrong of ["desk/", "Desk", "nope"])
    expect((await fetch(`${host.url}/.well-known/oauth-protected-resource/mcp/${wrong}`)).status, wrong).toBe(404);
});

describe("a key or a token", () => {
  const places: [where: string, path: (secret: string) => string, shown: (secret: string) => string | undefined][] = [
    ["in the query, as access_token", (secret) => `desk?access_token=${secret}`, () => undefined],
    ["in the query, as api_key", (secret) => `desk?api_key=${secret}`, () => undefined],
    ["in the path", (secret) => secret, () => undefined],
    ["in the path behind the server", (secret) => `desk/${secret}`, () => undefined],
    ["in Basic", () => "desk", (secret) => `Basic ${Buffer.from(`x:${secret}`).toString("base64")}`],
    ["without its scheme", () => "desk", (secret) => secret],
    ["of another scheme", () => "desk", (secret) => `DPoP ${secret}`],
    ["twice in one header", () => "desk", (secret) => `Bearer ${secret}, Bearer ${secret}`],
  ];
  test.each(places)("is good in its header alone: not %s; and it is not logged", async (_, path, shown) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { aud: "http://127.0.0.1/mcp/desk", iat: now, exp: now + 300, scope: "use" };
    for (const secret of [keyOf("ann"), await issuer.sign(claims)]) {
      const { status, text } = await host.post(path(secret), shown(secret), FIND, from(someone()));
      expect([401, 404]).toContain(status);
      for (const part of secret.split(".")) expect(host.text() + text).not.toContain(part);
    }
    expect(sent).toBe("");
  });

  test("that is good is never sent to the API, nor logged", async () => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { aud: "http://127.0.0.1/mcp/desk", iat: now, exp: now + 300, scope: "use" };
    const shown = [keyOf("ann"), await issuer.sign(claims)];
    for (const secret of shown) expect((await host.post("desk", `Bearer ${secret}`, FIND)).status).toBe(200);
    expect(sent.match(/\/v1\/items/g)).toHaveLength(2);
    for (const part of shown.flatMap((secret) => secret.split("."))) expect(sent + host.text()).not.toContain(part);
  });
});

test("what is counted says nothing of who called, with which claims, or what was asked for that is not there", async () => {
  const ask = (name: string) => ({ ...FIND, params: { name, arguments: { q: "canary-argument" } } });
  for (const name of ["find", "canary-tool"]) await host.post("desk", `Bearer ${keyOf("ann")}`, ask(name));
  const counted = await (await fetch(`${host.url}/metrics`)).text();
  expect(counted).toContain('vitrine_calls_total{server="desk",tool="find"');
  expect(counted).not.toMatch(/\bann\b|claim-of-ann|canary|vtr_|sub:/);
});

test("who guesses five hundred keys is shut out after twenty; who has a key is let in beside them, and others are by themselves", async () => {
  const statuses: number[] = [];
  const guesses = Array.from({ length: 500 }, (_, at) => at).values();
  const guess = async (): Promise<void> => {
    for (const at of guesses) {
      const { status, headers } = await host.post("desk", `Bearer vtr_guess_${at}`, FIND, from("203.0.113.7"));
      statuses.push(status);
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
  };
  await Promise.all(Array.from({ length: 4 }, guess));
  const count = (status: number) => statuses.filter((one) => one === status).length;
  // Those that were on their way with the twentieth are still told so; 503 is what a busy machine answers to anybody.
  expect(count(401)).toBeLessThan(24);
  expect(count(401) + count(429) + count(503)).toBe(500);
  expect(count(429)).toBeGreaterThan(200);
  await expect
    .poll(async () => (await host.post("desk", `Bearer ${keyOf("ann")}`, FIND, from("203.0.113.7"))).status, {
      timeout: 15_000,
    })
    .toBe(200);
  expect((await host.post("desk", "Bearer vtr_guess_x", FIND, from("203.0.113.8"))).status).toBe(401);
  const blocked = host.lines.filter(({ event }) => event === "address_blocked");
  expect(blocked).toMatchObject([{ level: "warn", network: "203.0.113.7" }]);
});

test.each(["https://evil.example", "null", "http://127.0.0.1.evil.example"])(
  "a page of %s is allowed nothing, before and after it asks",
  async (origin) => {
    const preflight = await fetch(`${host.url}/mcp/desk`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
    });
    const asked = await host.post("desk", `Bearer ${keyOf("ann")}`, FIND, { origin });
    expect(asked.status).toBe(403);
    for (const { headers } of [preflight, asked]) {
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(headers.get("access-control-allow-credentials")).toBeNull();
    }
    expect(sent).toBe("");
  },
);
