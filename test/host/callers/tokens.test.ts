import { constants, createHmac, KeyObject, sign } from "node:crypto";
import { exportSPKI, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { VerifiedCaller } from "../../../src/host/hosting.ts";
import { header, hostFile, oauthOf, openTestDoor, type TestDoor } from "./door.ts";
import { goodClaims, makeSigningKey, NOW, openIssuer, PUBLIC_URL, seconds, type TestIssuer } from "./open-issuer.ts";

const TWO = { aud: ["https://other.example.com", `${PUBLIC_URL}/mcp/ledger`] };
const OTHERS = { aud: [PUBLIC_URL, `${PUBLIC_URL}/mcp/people`] };
let issuer: TestIssuer;
let door: TestDoor;
const later = (s: number): Date => new Date(NOW.getTime() + s * 1000);

beforeAll(async () => {
  issuer = await openIssuer();
  issuer.keys.push(await makeSigningKey("rsa", "RS256"));
  door = openTestDoor(hostFile([], oauthOf(issuer.issuer)));
});
afterAll(async () => {
  await door?.close();
  await issuer?.close();
});

describe("an access token", () => {
  test("is whom its claims say, as the file maps them, and the same one each time", async () => {
    const token = await issuer.sign();
    const caller = await door.show(token);
    expect(caller).toStrictEqual({
      kind: "token",
      id: expect.stringMatching(/^sub:[\w-]{22}$/),
      server: "ledger",
      claims: { tenantID: "t-1" },
      writes: true,
      tags: {},
      credentials: [],
      subjectToken: token,
      expires: later(330),
    });
    const again = await Promise.all(Array.from({ length: 20 }, () => door.show(token)));
    expect(new Set([caller, ...again]).size).toBe(1);
  });

  test("that is shown twenty times at once is one caller", async () => {
    const token = await issuer.sign({ jti: "at once" });
    const callers = await Promise.all(Array.from({ length: 20 }, () => door.show(token)));
    expect(new Set(callers).size).toBe(1);
    expect(callers[0]).toMatchObject({ kind: "token" });
  });

  test("gives one ID to all tokens of a subject, and another to each subject", async () => {
    const idOf = async (claims: object): Promise<string> =>
      ((await door.show(await issuer.sign({ ...claims }))) as VerifiedCaller).id;
    expect(await idOf({ jti: "2" })).toBe(await idOf({ jti: "3", exp: seconds(90) }));
    expect(await idOf({ sub: "bob" })).not.toBe(await idOf({}));
  });

  test.each([
    ["a claim that is no text", { tenant_id: ["a", 1] }, { tenantID: ["a", 1] }],
    ["no such claim", { tenant_id: undefined }, {}],
    ["a claim of another name", { tenantID: "t-9", tenant_id: undefined }, {}],
  ])("with %s", async (_, claims, want) => {
    expect(await door.show(await issuer.sign(claims))).toMatchObject({ kind: "token", claims: want });
  });

  test("never takes a claim from what all objects have", async () => {
    const claims = new Map([
      ["tenantID", "constructor"],
      ["name", "__proto__"],
    ]);
    const odd = openTestDoor(hostFile([], oauthOf(issuer.issuer, { claims })));
    expect(((await odd.show(await issuer.sign())) as VerifiedCaller).claims).toStrictEqual({});
    await odd.close();
  });

  test.each([
    ["exactly 30 s after its end", { exp: seconds(0) }, 29],
    ["30 s before its beginning", { nbf: seconds(30) }, 0],
    ["issued 30 s ahead of our clock", { iat: seconds(30) }, 0],
    ["with its audience as a list of one", { aud: [`${PUBLIC_URL}/mcp/ledger`] }, 0],
    ["without the time of its issue", { iat: undefined }, 0],
  ])("is good %s", async (_, claims, at) => {
    expect(await door.show(await issuer.sign(claims), "ledger", later(at))).toMatchObject({ kind: "token" });
  });

  test.each([
    ["expired by more than the skew", { exp: seconds(-31) }, "token: expired"],
    ["not valid yet", { nbf: seconds(31) }, "token: claim nbf"],
    ["issued in the future", { iat: seconds(31) }, "token: issued in the future"],
    ["without an end", { exp: undefined }, "token: claim exp"],
    ["with an end that is no number", { exp: "tomorrow" }, "token: claim exp"],
    ["without a subject", { sub: undefined }, "token: claim sub"],
    ["with an empty subject", { sub: "" }, "token: subject"],
    ["of another issuer", { iss: "https://evil.example" }, "token: claim iss"],
    ["of no issuer", { iss: undefined }, "token: claim iss"],
    ["without an audience", { aud: undefined }, "token: claim aud"],
    ["for another server", { aud: `${PUBLIC_URL}/mcp/people` }, "token: claim aud"],
    ["for the whole origin", { aud: PUBLIC_URL }, "token: claim aud"],
    ["for the URL with a slash behind", { aud: `${PUBLIC_URL}/mcp/ledger/` }, "token: claim aud"],
    ["for the URL in other letters", { aud: `${PUBLIC_URL}/mcp/Ledger` }, "token: claim aud"],
    ["for several resources", { aud: [`${PUBLIC_URL}/mcp/ledger`, `${PUBLIC_URL}/mcp/people`] }, "token: audience"],
    ["for a client", { aud: "chat" }, "token: claim aud"],
  ])("is refused when it is %s", async (_, claims, why) => {
    const { ask, reasons, close } = openTestDoor(hostFile([], oauthOf(issuer.issuer)));
    const answer = await ask(`Bearer ${await issuer.sign(claims)}`);
    expect(reasons).toEqual([why]);
    expect(answer).toStrictEqual(await ask("Bearer nobody"));
    await close();
  });

  const SETTINGS: [title: string, claims: object, typ: string, several: boolean, plain: boolean, why?: string][] = [
    ["is good for several resources where the file allows it", TWO, "at+jwt", true, false],
    ["is not where our own is none of them", OTHERS, "at+jwt", true, false, "token: claim aud"],
    [
      "is not where ours is a part of one",
      { aud: [`${PUBLIC_URL}/mcp/ledger/x`] },
      "at+jwt",
      true,
      false,
      "token: claim aud",
    ],
    ["is good with the type JWT where the file allows it", {}, "JWT", false, true],
    ["is good with that type written out", {}, "application/JWT", false, true],
    ["is good with its own type still", {}, "application/at+jwt", false, true],
    [
      "is not with the type JWT where the file allows only several audiences",
      {},
      "JWT",
      true,
      false,
      "token: claim typ",
    ],
    ["is not for several resources where the file allows only the type", TWO, "JWT", false, true, "token: audience"],
    ["is not with another type", {}, "dpop+jwt", true, true, "token: claim typ"],
    ["is not when it is an ID token", { at_hash: "x" }, "JWT", true, true, "token: claim typ"],
    ["is not when it is Keycloak's ID token", { ...TWO, typ: "ID" }, "JWT", true, true, "token: claim typ"],
    ["is not when it is a logout token", { events: {} }, "JWT", true, true, "token: claim typ"],
  ];
  test.each(SETTINGS)("%s", async (_, claims, typ, severalAudiences, plainJwt, why) => {
    const oauth = oauthOf(issuer.issuer, { severalAudiences, plainJwt });
    const { show, reasons, close } = openTestDoor(hostFile([], oauth));
    const answer = await show(await issuer.sign({ ...claims }, { typ }));
    expect(reasons).toEqual(why === undefined ? [] : [why]);
    expect(answer.kind).toBe(why === undefined ? "token" : "refused");
    await close();
  });

  test("without a type is none, whatever the file allows", async () => {
    const oauth = oauthOf(issuer.issuer, { severalAudiences: true, plainJwt: true });
    const { show, reasons, close } = openTestDoor(hostFile([], oauth));
    expect(await show(await issuer.sign({}, { typ: undefined }))).toMatchObject({ status: 401 });
    expect(reasons).toEqual(["token: claim typ"]);
    await close();
  });

  test("is what the file says of it now, also where it was known by another", async () => {
    let file = hostFile([], oauthOf(issuer.issuer));
    const changed = openTestDoor(() => file);
    const token = await issuer.sign({ jti: "read anew" });
    expect(await changed.show(token)).toMatchObject({ claims: { tenantID: "t-1" }, writes: true });
    file = hostFile([], oauthOf(issuer.issuer, { claims: new Map([["who", "sub"]]), writeScope: "tools:all" }));
    const { claims, writes } = (await changed.show(token)) as VerifiedCaller;
    expect([Object.keys(claims), writes]).toStrictEqual([["who"], false]);
    await changed.close();
  });

  test("is not known any more after its end, however often it was good", async () => {
    const token = await issuer.sign({ jti: "ends" });
    expect(await door.show(token)).toMatchObject({ kind: "token" });
    expect(await door.show(token, "ledger", later(329))).toMatchObject({ kind: "token" });
    expect(await door.show(token, "ledger", later(330))).toMatchObject({ status: 401 });
  });

  test("for a server that does not exist is answered as one that is not good", async () => {
    const nowhere = await door.show(await issuer.sign({ aud: `${PUBLIC_URL}/mcp/nowhere` }), "nowhere");
    expect(nowhere).toStrictEqual(await door.show("nobody", "nowhere"));
    expect(nowhere).toMatchObject({ status: 401 });
  });

  test("that is good at one server is good at no other, also after it was", async () => {
    const token = await issuer.sign({ jti: "one server" });
    expect(await door.show(token)).toMatchObject({ kind: "token" });
    expect(await door.show(token, "people")).toMatchObject({ status: 401 });
  });

  test.each([["jti:token-7"], ["subject"]])("is refused when it is revoked by %s", async (by) => {
    const revoked = new Set<string>();
    const revoking = openTestDoor(hostFile([], oauthOf(issuer.issuer)), {
      checkRevoked: ({ kind, id }) => (revoked.has(`${kind} ${id}`) ? "revoked" : "good"),
    });
    const token = await issuer.sign({ jti: "token-7" });
    const caller = await revoking.show(token);
    revoked.add(`token ${by === "subject" ? (caller as VerifiedCaller).id : by}`);
    expect(await revoking.show(token)).toMatchObject({ status: 401 });
    await revoking.close();
  });
});

describe("a forged token", () => {
  const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  /** A token with a header of the attacker's, signed with `secret` as a shared one. */
  const mac = (head: object, secret: string): string => {
    const text = `${b64(head)}.${b64(goodClaims(issuer.issuer))}`;
    return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
  };
  const head = { alg: "HS256", kid: "rsa", typ: "at+jwt" };
  const rsa = () => issuer.keys[1]!;
  const thief = makeSigningKey("first");

  const forgeries: readonly (readonly [string, () => Promise<string> | string])[] = [
    ["with no signature (none)", () => new UnsecuredJWT(goodClaims(issuer.issuer)).encode()],
    ["with `none` in other letters", () => `${b64({ alg: "nOnE", typ: "at+jwt" })}.${b64(goodClaims(issuer.issuer))}.`],
    ["signed with the public key as a secret", async () => mac(head, await exportSPKI(rsa().publicKey))],
    ["signed with the public JWK as a secret", () => mac(head, JSON.stringify(rsa().jwk))],
    ["of one algorithm with the key of another", () => issuer.sign({}, { kid: "rsa" })],
    ["of another algorithm than its key says", () => signWith({ alg: "PS256" }, rsa())],
    ["signed by somebody else under a known name", async () => issuer.sign({}, {}, await thief)],
    ["that brings its own key", async () => issuer.sign({}, { jwk: (await thief).jwk, kid: "x" }, await thief)],
    ["that names a set of keys", async () => issuer.sign({}, { jku: `${issuer.url}/evil`, kid: "x" }, await thief)],
    ["that names a certificate", async () => issuer.sign({}, { x5u: `${issuer.url}/evil`, kid: "x" }, await thief)],
    ["whose key's name is a path", () => issuer.sign({}, { kid: "../../dev/null" })],
    ["whose key's name is SQL", () => issuer.sign({}, { kid: "x' UNION SELECT 'k" })],
    ["whose key's name is huge", () => issuer.sign({}, { kid: "k".repeat(20_000) })],
    ["of another type (an ID token)", () => issuer.sign({}, { typ: "JWT" })],
    ["of no type", () => issuer.sign({}, { typ: undefined })],
    ["with a critical header that is not known", () => signWith({ crit: ["exp"], exp: 1 })],
    ["with claims that are not encoded (b64)", () => signWith({ crit: ["b64"], b64: false })],
    ["with a critical header that is not there", () => signWith({ crit: ["http://example.com/x"] })],
    ["with claims exchanged after signing", async () => swapClaims(await issuer.sign(), { tenant_id: "t-2" })],
    ["without its signature", async () => (await issuer.sign()).replace(/[^.]+$/, "")],
    ["of five parts (JWE)", () => "e30.e30.e30.e30.e30"],
    ["of one part", () => "e30"],
    ["of no JSON", () => "x.y.z"],
  ];

  /** Truly signed by the issuer's key, with a header that the library itself would refuse to sign with. */
  const signWith = (more: Record<string, unknown>, key = issuer.keys[0]!): string => {
    const text = `${b64({ alg: key.alg, kid: key.kid, typ: "at+jwt", ...more })}.${b64(goodClaims(issuer.issuer))}`;
    const padding = more["alg"] === "PS256" ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    const way = key.alg === "ES256" ? { dsaEncoding: "ieee-p1363" as const } : { padding, saltLength: 32 };
    return `${text}.${sign("sha256", Buffer.from(text), { key: KeyObject.from(key.privateKey), ...way }).toString("base64url")}`;
  };
  const swapClaims = (token: string, more: object): string => {
    const [start, , signature] = token.split(".");
    return `${start}.${b64({ ...goodClaims(issuer.issuer), ...more })}.${signature}`;
  };

  test.each(forgeries)("is refused: %s", async (_, forge) => {
    const token = await forge();
    await door.show(await issuer.sign());
    const before = issuer.heard.length;
    const answer = await door.show(token);
    expect(answer).toMatchObject({ kind: "refused", status: 401 });
    expect(header(answer, "www-authenticate")).toContain('error="invalid_token"');
    // Nothing that a token says is ever fetched.
    expect(issuer.heard.slice(before)).toEqual([]);
  });

  test("is told from a token that is signed in the same way and good", async () => {
    expect(await door.show(signWith({}))).toMatchObject({ kind: "token" });
    expect(await door.show(signWith({}, rsa()))).toMatchObject({ kind: "token" });
  });

  test("without the name of its key is good where one of the issuer's keys signed it", async () => {
    issuer.keys.push(await makeSigningKey("second"));
    const fresh = openTestDoor(hostFile([], oauthOf(issuer.issuer)));
    expect(await fresh.show(await issuer.sign({}, { kid: undefined }, issuer.keys[2]))).toMatchObject({
      kind: "token",
    });
    const stranger = await makeSigningKey("second");
    expect(await fresh.show(await issuer.sign({}, { kid: undefined }, stranger))).toMatchObject({ status: 401 });
    issuer.keys.pop();
    await fresh.close();
  });

  test("is refused when it is signed by a secret that the issuer published by mistake", async () => {
    const secret = Buffer.from("a secret that everybody can read");
    const careless = await openIssuer();
    const oct = { kty: "oct", k: secret.toString("base64url"), kid: "shared", alg: "HS256" };
    careless.keys = [{ ...careless.keys[0]!, jwk: oct }];
    const fresh = openTestDoor(hostFile([], oauthOf(careless.issuer)));
    const token = await new SignJWT(goodClaims(careless.issuer))
      .setProtectedHeader({ alg: "HS256", kid: "shared", typ: "at+jwt" })
      .sign(secret);
    expect(await fresh.show(token)).toMatchObject({ status: 401 });
    await fresh.close();
    await careless.close();
  });
});
