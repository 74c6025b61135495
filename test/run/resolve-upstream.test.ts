import { describe, expect, test } from "vitest";
import type { Credential } from "../../src/model/credential.ts";
import { MissingSetting } from "../../src/model/errors.ts";
import type { Upstream } from "../../src/model/tool.ts";
import type { Value } from "../../src/model/value.ts";
import { createSecretHider } from "../../src/run/hide-secrets.ts";
import { resolveUpstream } from "../../src/run/resolve-upstream.ts";

const of = (jmespath: string): Value => ({ kind: "expression", expression: { jmespath } });
const literal = (value: string): Value => ({ kind: "literal", value });
const upstream = (more: Partial<Upstream>): Upstream => ({
  headers: [],
  credentials: [],
  timeoutMs: 1,
  retries: 0,
  maxResponseBytes: 1,
  concurrency: 1,
  redirects: [],
  errors: {},
  ...more,
});

const whole = upstream({
  baseUrl: of("env.URL"),
  headers: [
    { name: "X-Client", value: literal("vitrine") },
    { name: "X-Org", value: { kind: "text", parts: ["org-", { jmespath: "key.org" }] } },
  ],
  credentials: [
    { scheme: "k", credential: { kind: "apiKey", in: "query", name: "q", value: of("env.KEY") } },
    { scheme: "b", credential: { kind: "basic", username: literal("user"), password: of("env.PASSWORD") } },
    { scheme: "t", credential: { kind: "bearer", token: literal("written-in-the-file") } },
  ],
});
const env = { URL: "https://api.example.com/v1", KEY: "S3CR3T/+x", PASSWORD: "p:ß" };
const client = (more: Partial<Extract<Credential, { kind: "clientCredentials" }>> = {}): Upstream["credentials"] => [
  {
    scheme: "o",
    credential: {
      kind: "clientCredentials",
      tokenUrl: literal("https://id.example.com/token"),
      clientId: of("env.ID"),
      clientSecret: of("env.SECRET"),
      ...more,
    },
  },
];

describe("what is read", () => {
  test("stands in place of its expressions", () => {
    const resolved = resolveUpstream(whole, env, { org: "o-1" });
    expect(resolved).toMatchObject({
      baseUrl: "https://api.example.com/v1",
      headers: [
        ["x-client", "vitrine"],
        ["x-org", "org-o-1"],
      ],
    });
    expect([...resolved.credentials.values()]).toEqual([
      { kind: "apiKey", in: "query", name: "q", value: "S3CR3T/+x" },
      { kind: "basic", username: "user", password: "p:ß" },
      { kind: "bearer", token: "written-in-the-file" },
    ]);
  });
  test("is secret, and so is every credential, with its base64", () => {
    const { secrets } = resolveUpstream(whole, env, { org: "o-1" });
    expect(secrets).toEqual(
      expect.arrayContaining([
        env.KEY,
        env.PASSWORD,
        "o-1",
        "written-in-the-file",
        Buffer.from("user:p:ß").toString("base64"),
      ]),
    );
    expect(secrets).not.toContain("vitrine");
    expect(secrets).not.toContain("user");
  });

  test("of OAuth client credentials is the pair, as it is and as the header carries it", () => {
    const given = { ID: "client-1", SECRET: "s3:cr/et" };
    const { credentials, secrets } = resolveUpstream(upstream({ credentials: client() }), given, {});
    expect(credentials.get("o")).toEqual({
      kind: "clientCredentials",
      tokenUrl: "https://id.example.com/token",
      clientId: "client-1",
      clientSecret: "s3:cr/et",
    });
    const { text } = createSecretHider(secrets);
    const shown = [
      given.SECRET,
      given.ID,
      encodeURIComponent(given.SECRET),
      Buffer.from("client-1:s3:cr/et").toString("base64"),
      Buffer.from("client-1:s3%3Acr%2Fet").toString("base64"),
    ];
    expect(shown.map(text)).toEqual(shown.map(() => "***"));
  });

  test("of the exchange of a caller's token stands in its place, its client's secret in every form", () => {
    const credential = (more: object): Upstream["credentials"] => [
      {
        scheme: "o",
        credential: { kind: "tokenExchange", tokenUrl: literal("https://id.example.com/token"), ...more },
      },
    ];
    const plain = resolveUpstream(upstream({ credentials: credential({}) }), {}, {});
    expect(plain.credentials.get("o")).toStrictEqual({
      kind: "tokenExchange",
      tokenUrl: "https://id.example.com/token",
    });
    const all = { clientId: of("env.ID"), clientSecret: of("env.SECRET"), scopes: [literal("a")] };
    const given = { ID: "client-1", SECRET: "s3:cr/et", AUDIENCE: "api" };
    const more = { ...all, audience: of("env.AUDIENCE"), resource: literal("https://api.example.com/") };
    const resolved = resolveUpstream(upstream({ credentials: credential(more) }), given, {});
    expect(resolved.credentials.get("o")).toStrictEqual({
      kind: "tokenExchange",
      tokenUrl: "https://id.example.com/token",
      clientId: "client-1",
      clientSecret: "s3:cr/et",
      scopes: ["a"],
      audience: "api",
      resource: "https://api.example.com/",
    });
    const { text } = createSecretHider(resolved.secrets);
    const secrets = ["s3:cr/et", encodeURIComponent("s3:cr/et"), Buffer.from("client-1:s3:cr/et").toString("base64")];
    expect(secrets.map(text)).toEqual(["***", "***", "***"]);
    expect(() => resolveUpstream(upstream({ credentials: credential(more) }), { ...given, SECRET: "" }, {})).toThrow(
      "The environment variable SECRET is not set",
    );
  });

  test("of a token URL may be relative to the base URL", () => {
    const credentials = client({ tokenUrl: literal("/oauth/token?tenant=1") });
    const resolved = resolveUpstream(
      upstream({ baseUrl: of("env.URL"), credentials }),
      { ...env, ID: "i", SECRET: "s" },
      {},
    );
    expect(resolved.credentials.get("o")).toMatchObject({ tokenUrl: "https://api.example.com/oauth/token?tenant=1" });
  });
});

describe("of an address, what may be a key is secret, and the rest is not", () => {
  const of1 = (text: string): Value => ({ kind: "text", parts: [{ jmespath: "env.A" }, text] });
  const cases: [string, Value, string, shown: string, want: string][] = [
    [
      "the origin",
      of("env.A"),
      "https://api.example.com",
      "see https://api.example.com/x",
      "see https://api.example.com/x",
    ],
    [
      "common words of a path",
      of("env.A"),
      "https://h.example/api/v2",
      "https://h.example/api/v2/x",
      "https://h.example/api/v2/x",
    ],
    [
      "further words where they follow the host",
      of("env.A"),
      "https://h.example/things/v2",
      "things of https://h.example/things/v2/x",
      "things of https://***/v2/x",
    ],
    ["a key in the path, anywhere", of("env.A"), "https://h.example/bot12:AAbb/", "x AAbb bot12:AAbb", "x AAbb ***"],
    [
      "a key in the path, as it is encoded",
      of("env.A"),
      "https://h.example/K%2B12345/",
      "K+12345 K%2B12345",
      "*** ***",
    ],
    [
      "a host that is read alone",
      { kind: "text", parts: ["https://", { jmespath: "env.A" }, "/v1"] },
      "h.example:8443",
      "h.example:8443",
      "h.example:8443",
    ],
    [
      "a part of the host",
      { kind: "text", parts: ["https://", { jmespath: "env.A" }, ".h.example/v1"] },
      "eu-west",
      "eu-west-1",
      "eu-west-1",
    ],
    [
      "a part of the path that is read alone",
      { kind: "text", parts: ["https://h.example/", { jmespath: "env.A" }] },
      "tenant",
      "my tenant",
      "my ***",
    ],
    ["a URL that something follows", of1("/v2"), "https://h.example/k1k2k3", "k1k2k3", "***"],
  ];
  test.each(cases)("%s", (_title, baseUrl, value, shown, want) => {
    const { secrets } = resolveUpstream(upstream({ baseUrl }), { A: value }, {});
    expect(createSecretHider(secrets).text(shown)).toBe(want);
  });
  test("the query of a token URL", () => {
    const given = { ID: "i", SECRET: "s", A: "https://id.example.com/token?key=abc123" };
    const { secrets } = resolveUpstream(upstream({ credentials: client({ tokenUrl: of("env.A") }) }), given, {});
    expect(secrets).toContain("abc123");
  });
  const names: [string, string, secret: boolean][] = [
    ["a word", "admin", false],
    ["a key as the user's name", "sk_live_12", true],
    ["an address", "me@example.com", true],
  ];
  test.each(names)("a user's name: %s", (_title, username, isSecret) => {
    const credentials: Upstream["credentials"] = [
      { scheme: "b", credential: { kind: "basic", username: of("env.USER"), password: literal("pass") } },
    ];
    const { secrets } = resolveUpstream(upstream({ credentials }), { USER: username }, {});
    expect(secrets.includes(username)).toBe(isSecret);
  });
});

describe("what is missing is named with its use and without any value", () => {
  const cases: [string, Record<string, string>, RegExp][] = [
    [
      "unset",
      { URL: env.URL, KEY: env.KEY },
      /environment variable PASSWORD is not set, which `api\.auth\.b\.basic\.password` needs/,
    ],
    ["empty", { ...env, KEY: "" }, /environment variable KEY is not set, which `api\.auth\.k\.apiKey` needs/],
    [
      "with a line break",
      { ...env, KEY: "abc\n" },
      /`api\.auth\.k\.apiKey` holds a line break.*environment variable KEY/,
    ],
    ["no URL", { ...env, URL: "api.example.com" }, /api\.baseUrl/],
    ["a URL with a user", { ...env, URL: "https://me:secret@api.example.com" }, /api\.baseUrl/],
    ["a URL with a query", { ...env, URL: "https://api.example.com/?key=abc" }, /api\.baseUrl/],
    ["a URL of another scheme", { ...env, URL: "ftp://api.example.com/" }, /api\.baseUrl/],
  ];
  test.each(cases)("%s", (_title, given, want) => {
    const resolve = () => resolveUpstream(whole, given, { org: "o-1" });
    expect(resolve).toThrow(MissingSetting);
    expect(resolve).toThrow(want);
    try {
      resolve();
    } catch (error) {
      for (const value of Object.values(given)) if (value !== "") expect(String(error)).not.toContain(value.trim());
    }
  });
  test("all of it at once", () => {
    const messages = ["URL", "KEY", "PASSWORD"].map((name) => `The environment variable ${name} is not set, which`);
    const resolve = () => resolveUpstream(whole, {}, {});
    for (const message of [...messages, "The claim org is not set, which"]) expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(/invalid/);
  });
  test("a key that no header can carry", () => {
    const credentials: Upstream["credentials"] = [
      { scheme: "k", credential: { kind: "apiKey", in: "header", name: "X-K", value: of("env.K") } },
    ];
    expect(() => resolveUpstream(upstream({ credentials }), { K: "10€" }, {})).toThrow(
      "`api.auth.k.apiKey` holds a character that no header can carry.",
    );
  });
  test("a claim", () => {
    expect(() => resolveUpstream(whole, env, {})).toThrow(
      /The claim org is not set, which `api\.headers\.X-Org` needs/,
    );
  });
  test("an environment variable with a default in the expression is not missed", () => {
    expect(resolveUpstream(upstream({ baseUrl: of("env.URL || 'https://other.example'") }), {}, {}).baseUrl).toBe(
      "https://other.example/",
    );
  });
  test("a name of every object's prototype is not set", () => {
    expect(() => resolveUpstream(upstream({ baseUrl: of("env.constructor") }), {}, {})).toThrow(MissingSetting);
  });
});

describe("secrets are hidden in every form", () => {
  const secret = 'S3CR3T/+x "ü"';
  const { text, json } = createSecretHider([secret, "abc", "longer-than-abc", "longer"]);
  const base64 = (before: string) => Buffer.from(`${before}${secret} and more`).toString("base64");
  const cases: [string, string, string][] = [
    ["as it is", `key ${secret}.`, "key ***."],
    ["percent-encoded", `?k=${encodeURIComponent(secret)}&`, "?k=***&"],
    [
      "percent-encoded in small letters",
      `?k=${encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase())}&`,
      "?k=***&",
    ],
    ["form-encoded", new URLSearchParams({ k: secret }).toString(), "k=***"],
    ["in JSON", JSON.stringify({ a: secret }), '{"a":"***"}'],
    ["in JSON with escaped slashes", JSON.stringify({ a: secret }).replaceAll("/", "\\/"), '{"a":"***"}'],
    ["in base64", Buffer.from(secret).toString("base64"), "***"],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(secret)), "***"],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ a: secret })), '"{\\"a\\":\\"***\\"}"'],
    ["in JSON of ASCII alone", JSON.stringify(secret).replace("ü", "\\u00fc"), '"***"'],
    ["in a cookie, where little is encoded", 'S3CR3T/+x%20"%C3%BC"', "***"],
    ["in HTML by numbers", "S3CR3T&#47;&#x2B;x &#34;&#xfc;&#34;", "***"],
    ["in HTML", "S3CR3T/+x &quot;ü&quot;", "***"],
    ["twice", `${secret}${secret}`, "******"],
    ["the longer one first", "longer-than-abc", "***"],
    ["shorter than four characters: not", "abc", "abc"],
  ];
  test.each(cases)("%s", (_title, shown, want) => {
    expect(text(shown)).toBe(want);
  });
  test.each(["", "a", "ab", "user:"])("in base64 behind %j", (before) => {
    expect(text(base64(before))).toContain("***");
    expect(Buffer.from(text(base64(before)), "base64").toString()).not.toContain("S3CR3T");
  });
  test("in values and keys of JSON at any depth", () => {
    expect(json({ a: [{ [secret]: secret, n: 1, none: null }] })).toEqual({ a: [{ "***": "***", n: 1, none: null }] });
  });
  test("in a number that is a secret of digits, and not in one that holds its digits", () => {
    const { json: hide } = createSecretHider(["12345678", "2024"]);
    expect(hide({ a: 12345678, b: 9123456780, c: 2024 })).toEqual({ a: "***", b: 9123456780, c: 2024 });
  });
  test("that are added later; the oldest of many are forgotten", () => {
    const hider = createSecretHider(["first-secret"]);
    const { text: hide } = hider;
    for (let at = 100; at < 300; at += 1) hider.add([`token-${at}`]);
    expect(hide("first-secret token-299 token-290 token-100")).toBe("*** *** *** token-100");
  });
  test("nothing changes where there is no secret", () => {
    expect(createSecretHider([]).text("abcd")).toBe("abcd");
    expect(createSecretHider([""]).text("abcd")).toBe("abcd");
  });
});
