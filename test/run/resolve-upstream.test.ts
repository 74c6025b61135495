import { describe, expect, test } from "vitest";
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
        env.URL,
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
  test("nothing changes where there is no secret", () => {
    expect(createSecretHider([]).text("abcd")).toBe("abcd");
    expect(createSecretHider([""]).text("abcd")).toBe("abcd");
  });
});
