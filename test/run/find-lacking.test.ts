import { describe, expect, test } from "vitest";
import type { Toolset } from "../../src/model/tool.ts";
import type { Value } from "../../src/model/value.ts";
import { type Asking, findLacking } from "../../src/run/find-lacking.ts";

const read = (jmespath: string): Value => ({ kind: "expression", expression: { jmespath } });
const text = (...parts: (string | { readonly jmespath: string })[]): Value => ({ kind: "text", parts });
const of = (pins: Record<string, Value>, upstream: Partial<Toolset["upstream"]> = {}) => ({
  pins: Object.entries(pins).map(([name, value]) => ({ name, value, places: [] })) as unknown as Toolset["pins"],
  upstream: { headers: [], credentials: [], ...upstream } as unknown as Toolset["upstream"],
});
const asking = (key: Asking["key"], more: Partial<Asking> = {}): Asking => ({
  key,
  schemes: new Set(),
  hasToken: false,
  ...more,
});

describe("what a caller lacks", () => {
  test.each<readonly [string, Value, Asking["key"], readonly string[]]>([
    ["a claim of a pin", read("key.tenantID"), {}, ["tenantID"]],
    ["nothing where the claim is there", read("key.tenantID"), { tenantID: "t-1" }, []],
    ["nothing where the claim is false or 0", read("key.tenantID"), { tenantID: 0 }, []],
    ["a claim that is empty", read("key.tenantID"), { tenantID: "" }, ["tenantID"]],
    ["a claim that is null", read("key.tenantID"), { tenantID: null }, ["tenantID"]],
    ["a claim whose name is quoted", read('key."https://x/t"'), {}, ["https://x/t"]],
    ["a claim inside a text", text("t/", { jmespath: "key.a" }, "/", { jmespath: "key.b" }), { a: "1" }, ["b"]],
    ["nothing where another may do", read("key.a || key.b"), { b: "1" }, []],
    ["both where neither is there", read("key.a || key.b"), {}, ["a", "b"]],
    ["nothing where there is a default", read("key.a || 'x'"), {}, []],
    ["a part of a claim", read("key.user.id"), {}, ["user"]],
    ["nothing that the environment lacks", read("env.TENANT"), {}, []],
    ["no claim that all objects have", read("key.constructor"), {}, ["constructor"]],
  ])("is %s", (_, value, key, want) => {
    expect(findLacking(of({ pin: value }), {}, asking(key)).claims).toEqual(want);
  });

  test("may be needed by addresses, headers and credentials, but for those that the caller brings", () => {
    const toolset = of(
      {},
      {
        baseUrl: text("https://", { jmespath: "key.host" }, ".example.com"),
        headers: [{ name: "X-Account", value: read("key.account") }],
        credentials: [
          { scheme: "own", credential: { kind: "bearer", token: read("key.token") } },
          { scheme: "user", credential: { kind: "basic", username: read("key.name"), password: read("env.PASSWORD") } },
        ],
      },
    );
    expect(findLacking(toolset, {}, asking({})).claims).toEqual(["account", "host", "name", "token"]);
    const own = asking({ host: "h", account: "a" }, { schemes: new Set(["own", "user"]) });
    expect(findLacking(toolset, {}, own)).toEqual({ claims: [], token: false });
  });

  test("may be an access token of its own, to be exchanged", () => {
    const credential = { kind: "tokenExchange", tokenUrl: read("env.TOKENS"), audience: read("key.api") } as const;
    const toolset = of({}, { credentials: [{ scheme: "login", credential }] });
    expect(findLacking(toolset, {}, asking({}))).toEqual({ claims: ["api"], token: true });
    expect(findLacking(toolset, {}, asking({ api: "a" }, { hasToken: true }))).toEqual({ claims: [], token: false });
    const own = asking({}, { schemes: new Set(["login"]) });
    expect(findLacking(toolset, {}, own)).toEqual({ claims: [], token: false });
  });

  test("may be needed by all that a token is asked for with", () => {
    const [tokenUrl, clientSecret] = [read("env.TOKENS"), read("env.SECRET")];
    const scopes = [read("key.scope")];
    const credentials = [
      { kind: "clientCredentials", tokenUrl, clientId: read("key.client"), clientSecret, scopes },
      { kind: "tokenExchange", tokenUrl, scopes: [read("key.more")], resource: read("key.resource") },
    ] as const;
    const toolset = of({}, { credentials: credentials.map((credential) => ({ scheme: credential.kind, credential })) });
    const env = { TOKENS: "https://t.example", SECRET: "s" };
    expect(findLacking(toolset, env, asking({})).claims).toEqual(["client", "more", "resource", "scope"]);
  });

  test("is the environment's where that alone has no value", () => {
    const value = text({ jmespath: "env.PREFIX" }, { jmespath: "key.tenantID" });
    expect(findLacking(of({ pin: value }), {}, asking({ tenantID: "t" })).claims).toEqual([]);
    expect(findLacking(of({ pin: value }), { PREFIX: "p" }, asking({})).claims).toEqual(["tenantID"]);
  });
});
