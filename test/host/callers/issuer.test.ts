import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Egress } from "../../../src/egress/open-egress.ts";
import { fetchKeySet } from "../../../src/host/callers/issuer/fetch-key-set.ts";
import { serve, until } from "../../egress/serve.ts";
import { header, hostFile, oauthOf, openTestDoor, type TestDoor } from "./door.ts";
import { makeSigningKey, openIssuer, type SigningKey, sendJson, type TestIssuer } from "./open-issuer.ts";

const MINUTE = 60_000;
let issuer: TestIssuer;
let original: SigningKey;
let door: TestDoor;
let time: number;
const failures: string[] = [];

beforeAll(async () => {
  issuer = await openIssuer();
  original = issuer.keys[0]!;
});
afterAll(() => issuer?.close());
beforeEach(() => {
  time = 0;
  failures.length = 0;
  issuer.heard.length = 0;
  issuer.instead = undefined;
  issuer.keys = [original];
  door = openDoorOf(issuer.issuer);
});
afterEach(() => door.close());

const openDoorOf = (name: string): TestDoor =>
  openTestDoor(hostFile([], oauthOf(name)), {
    clock: () => time,
    issuerFailed: (error) => failures.push(error instanceof Error ? error.message : String(error)),
  });
const answer =
  (body: object, code = 200): NonNullable<TestIssuer["instead"]> =>
  (_, response) => {
    sendJson(response, body, code);
    return true;
  };
const fetches = (): number => issuer.heard.filter((path) => path === "/jwks").length;
const status = async (token: string): Promise<number> => {
  const said = await door.show(token);
  return said.kind === "refused" ? said.status : 200;
};
/** Lets whatever goes on behind calls come to its end. */
const settled = async (count: number): Promise<void> => until(() => fetches() === count);

describe("an issuer that gives no keys, before it ever did", () => {
  const faults: readonly (readonly [string, NonNullable<TestIssuer["instead"]>, RegExp])[] = [
    ["it fails", answer({}, 500), /answered 500/],
    ["it has no metadata", answer({}, 404), /has no metadata/],
    [
      "it closes the connection",
      (_, response) => {
        response.destroy();
        return true;
      },
      /127\.0\.0\.1/,
    ],
    [
      "its metadata are no JSON",
      (_, response) => {
        response.end("<html>");
        return true;
      },
      /has no metadata/,
    ],
    [
      "its metadata are another issuer's",
      (path, response) => {
        if (path === "/jwks") return false;
        sendJson(response, { issuer: "https://evil.example", jwks_uri: `${issuer.url}/jwks` });
        return true;
      },
      /of another issuer/,
    ],
    ["its metadata name no keys", (path, response) => answer({ issuer: issuer.issuer })(path, response), /no jwks_uri/],
    [
      "its keys are missing",
      (path, response) => {
        if (path !== "/jwks") return false;
        sendJson(response, {}, 404);
        return true;
      },
      /No set of keys/,
    ],
    [
      "its keys are no list",
      (path, response) => {
        if (path !== "/jwks") return false;
        sendJson(response, { keys: {} });
        return true;
      },
      /No set of keys/,
    ],
    [
      "its keys are too many bytes",
      (path, response) => {
        if (path !== "/jwks") return false;
        sendJson(response, { keys: [{ kty: "RSA", n: "x".repeat(10_000_000) }] });
        return true;
      },
      /larger than/,
    ],
    [
      "it sends its callers elsewhere",
      (path, response) => {
        response.writeHead(302, { location: `http://127.0.0.1:1${path}` }).end();
        return true;
      },
      /redirect|has no metadata|not a public/i,
    ],
  ];

  test.each(faults)("is no fault of the caller: %s", async (_, instead, why) => {
    issuer.instead = instead;
    const token = await issuer.sign();
    const said = await door.show(token);
    expect(said).toMatchObject({ kind: "refused", status: 503, code: 1503 });
    expect(header(said, "retry-after")).toBe("5");
    expect(header(said, "www-authenticate")).toBeUndefined();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(why);
    issuer.instead = undefined;
    expect(await status(token)).toBe(503);
    time += 5_000;
    expect(await status(token)).toBe(200);
  });

  test("costs a call a second at most when it hangs", async () => {
    const held: (() => void)[] = [];
    issuer.instead = (path, response) => {
      if (path === "/jwks") return false;
      held.push(() => sendJson(response, { issuer: issuer.issuer, jwks_uri: `${issuer.url}/jwks` }));
      return true;
    };
    const token = await issuer.sign();
    const started = performance.now();
    expect(await Promise.all(Array.from({ length: 20 }, () => status(token)))).toEqual(Array(20).fill(503));
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(issuer.heard).toHaveLength(1);
    // What came late is not lost.
    for (const release of held) release();
    await settled(1);
    await until(() => issuer.sockets.open > 0);
    expect(await status(token)).toBe(200);
  });

  test("is asked once, however many wait", async () => {
    const tokens = await Promise.all(Array.from({ length: 30 }, (_, n) => issuer.sign({ sub: `user-${n}` })));
    expect(new Set(await Promise.all(tokens.map(status)))).toEqual(new Set([200]));
    expect(fetches()).toBe(1);
  });

  test("may be asked before anybody comes, and hurts nobody who has no token", async () => {
    await door.prepare();
    expect(fetches()).toBe(1);
    expect(await status(await issuer.sign())).toBe(200);
    expect(fetches()).toBe(1);
    await openTestDoor(hostFile()).prepare();
    issuer.instead = answer({}, 500);
    const other = openDoorOf(issuer.issuer);
    await other.prepare();
    expect(failures).toHaveLength(1);
    await other.close();
  });

  test("does not keep API keys from being good", async () => {
    issuer.instead = answer({}, 500);
    expect(await status("vtr_nobody")).toBe(401);
    expect(issuer.heard).toEqual([]);
  });
});

describe("an issuer that gave its keys", () => {
  test("may be down for a day, and not longer", async () => {
    const known = await issuer.sign();
    expect(await status(known)).toBe(200);
    issuer.instead = answer({}, 500);
    for (const [tries, at] of [11 * MINUTE, 60 * MINUTE, 23 * 60 * MINUTE].entries()) {
      time = at;
      expect(await status(known)).toBe(200);
      expect(await status(await issuer.sign({ jti: String(at) }))).toBe(200);
      await until(() => failures.length === tries + 1);
    }
    time = 24 * 60 * MINUTE;
    expect(await status(known)).toBe(503);
  });

  test("is asked again after ten minutes, behind the calls", async () => {
    const token = await issuer.sign();
    await status(token);
    time = 10 * MINUTE - 1;
    await status(token);
    expect(fetches()).toBe(1);
    time = 10 * MINUTE;
    expect(await status(token)).toBe(200);
    await settled(2);
    expect(await status(token)).toBe(200);
    expect(fetches()).toBe(2);
  });

  test("keeps a caller the same over a fetch that brought the same keys", async () => {
    const token = await issuer.sign();
    const caller = await door.show(token);
    time = 10 * MINUTE;
    await door.show(token);
    await settled(2);
    expect(await door.show(token)).toBe(caller);
  });

  test("may sign with a new key at once, and its old tokens stay good while the old key stands", async () => {
    const old = await issuer.sign();
    await status(old);
    time = 30_000;
    issuer.keys = [await makeSigningKey("next"), original];
    expect(await status(await issuer.sign())).toBe(200);
    expect(await status(old)).toBe(200);
    expect(fetches()).toBe(2);
  });

  test("may take a key back, and with it every token that it signed, also one that was good", async () => {
    const stolen = await issuer.sign();
    expect(await status(stolen)).toBe(200);
    issuer.keys = [await makeSigningKey("next")];
    time = 30_000;
    expect(await status(await issuer.sign())).toBe(200);
    expect(await status(stolen)).toBe(401);
  });

  test("is asked once in 30 s about keys that it does not have", async () => {
    await status(await issuer.sign());
    const stranger = await makeSigningKey("unknown");
    const flood = async (): Promise<void> => {
      const forged = Array.from({ length: 50 }, (_, n) => issuer.sign({}, { kid: `unknown-${n}` }, stranger));
      expect(new Set(await Promise.all((await Promise.all(forged)).map(status)))).toEqual(new Set([401]));
    };
    await flood();
    expect(fetches()).toBe(1);
    time = 29_999;
    await flood();
    expect(fetches()).toBe(1);
    time = 30_000;
    await flood();
    await flood();
    expect(fetches()).toBe(2);
  });

  test("costs a call with an unknown key no more than a second when it hangs", async () => {
    await status(await issuer.sign());
    issuer.instead = () => true;
    time = 30_000;
    const started = performance.now();
    expect(await status(await issuer.sign({}, { kid: "unknown" }))).toBe(401);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await status(await issuer.sign())).toBe(200);
  });
});

describe("the metadata of an issuer", () => {
  test.each([
    ["RFC 8414", "", "/.well-known/oauth-authorization-server"],
    ["OpenID Connect", "", "/.well-known/openid-configuration"],
    ["RFC 8414, with a path", "/realms/a", "/.well-known/oauth-authorization-server/realms/a"],
    ["OpenID Connect, with a path", "/realms/a", "/realms/a/.well-known/openid-configuration"],
    ["RFC 8414 5, of OpenID Connect", "/realms/a", "/.well-known/openid-configuration/realms/a"],
    ["OpenID Connect, with a slash at the end", "/", "/.well-known/openid-configuration"],
  ])("are found where %s puts them", async (_, path, at) => {
    const other = await openIssuer();
    const name = `${other.url}${path}`;
    other.instead = (asked, response) => {
      if (asked === "/jwks") return false;
      if (asked === at) sendJson(response, { issuer: name, jwks_uri: `${other.url}/jwks` });
      else sendJson(response, {}, 404);
      return true;
    };
    const one = openDoorOf(name);
    expect(await one.show(await other.sign({ iss: name }))).toMatchObject({ kind: "token" });
    await one.close();
    await other.close();
  });

  test.each([
    ["http://id.example.com/jwks", /jwks_uri of https:\/\/id\.example\.com is not https/],
    ["file:///etc/passwd", /not https/],
    ["keys", /have no jwks_uri/],
  ])("of an issuer at https name no keys at %s", async (jwks_uri, why) => {
    const asked: string[] = [];
    const egress: Egress = {
      async request({ url }) {
        asked.push(url);
        const body = Readable.from([Buffer.from(JSON.stringify({ issuer: "https://id.example.com", jwks_uri }))]);
        return { status: 200, headers: new Map(), url, body };
      },
      close: async () => {},
    };
    const { signal } = new AbortController();
    await expect(fetchKeySet("https://id.example.com", egress, signal)).rejects.toThrow(why);
    expect(asked).toEqual(["https://id.example.com/.well-known/oauth-authorization-server"]);
  });

  test("lead to no other private address", async () => {
    const heard: string[] = [];
    const inside = await serve((request, response) => {
      heard.push(request.url ?? "");
      sendJson(response, { keys: [] });
    });
    issuer.instead = (path, response) => {
      if (!path.startsWith("/.well-known/oauth-")) return false;
      sendJson(response, { issuer: issuer.issuer, jwks_uri: `${inside.url}/jwks` });
      return true;
    };
    expect(await status(await issuer.sign())).toBe(503);
    expect(heard).toEqual([]);
    expect(failures[0]).toMatch(/only be reached by https|not a public address/);
    await inside.close();
  });

  test("of another issuer are asked for when the file names another", async () => {
    const next = await openIssuer();
    let file = hostFile([], oauthOf(issuer.issuer));
    const changing = openTestDoor(() => file);
    const [old, fresh] = [await issuer.sign(), await next.sign()];
    expect(await changing.show(old)).toMatchObject({ kind: "token" });
    expect(await changing.show(fresh)).toMatchObject({ status: 401 });
    file = hostFile([], oauthOf(next.issuer));
    expect(await changing.show(old)).toMatchObject({ status: 401 });
    expect(await changing.show(fresh)).toMatchObject({ kind: "token" });
    await changing.close();
    await next.close();
  });
});
