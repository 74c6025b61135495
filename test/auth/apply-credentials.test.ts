import { describe, expect, test } from "vitest";
import { openAuthorizer } from "../../src/auth/open-authorizer.ts";
import type { SchemeUse } from "../../src/model/api.ts";
import type { ResolvedCredential, UpstreamRequest } from "../../src/model/exchange.ts";

const plain: UpstreamRequest = {
  operation: "GET /s",
  method: "GET",
  url: "https://api.example.com/s",
  headers: [["accept", "a/b"]],
  safe: true,
};
const use = (...schemes: string[]): SchemeUse[] => schemes.map((scheme) => ({ scheme, scopes: [] }));
const held = (credentials: Record<string, ResolvedCredential>) => new Map(Object.entries(credentials));
const headerKey: ResolvedCredential = { kind: "apiKey", in: "header", name: "X-App-Id", value: "A" };
const queryKey: ResolvedCredential = { kind: "apiKey", in: "query", name: "app_key", value: "B&" };
const bearer: ResolvedCredential = { kind: "bearer", token: "T" };

/** Nothing here is asked of a token endpoint. */
const nowhere = { egress: { request: () => Promise.reject(new Error("asked")), close: async () => {} }, timeoutMs: 1 };
const authorize = openAuthorizer();
const apply = async (...given: [UpstreamRequest, SchemeUse[][], ReadonlyMap<string, ResolvedCredential>]) =>
  (await authorize(...given, { ...nowhere, signal: new AbortController().signal })).request;

const added = (request: UpstreamRequest) => [
  request.url,
  ...request.headers.slice(1).map(([name, value]) => `${name}: ${value}`),
];

describe("how a credential is laid on", () => {
  const cases: [string, ResolvedCredential, string[]][] = [
    ["a key in a header", headerKey, ["https://api.example.com/s", "x-app-id: A"]],
    ["a key in the query", queryKey, ["https://api.example.com/s?app_key=B%26"]],
    [
      "a key in a cookie",
      { kind: "apiKey", in: "cookie", name: "sid", value: "a/b+c=; x" },
      ["https://api.example.com/s", "cookie: sid=a/b+c=%3B%20x"],
    ],
    ["a bearer token", bearer, ["https://api.example.com/s", "authorization: Bearer T"]],
    ["the connection's certificate", { kind: "mutualTLS" }, ["https://api.example.com/s"]],
    [
      "a name and a password beyond ASCII",
      { kind: "basic", username: "jö", password: "p:ß" },
      ["https://api.example.com/s", `authorization: Basic ${Buffer.from("jö:p:ß").toString("base64")}`],
    ],
  ];
  test.each(cases)("%s", async (_title, credential, want) => {
    expect(added(await apply(plain, [use("k")], held({ k: credential })))).toEqual(want);
  });
});

describe("which credentials are laid on", () => {
  const all = { keyA: headerKey, keyB: queryKey, token: bearer };
  const both = ["https://api.example.com/s?app_key=B%26", "x-app-id: A"];
  const cases: [string, SchemeUse[][], Record<string, ResolvedCredential>, string[]][] = [
    ["two keys of one alternative go together", [use("keyA", "keyB"), use("token")], all, both],
    [
      "a key goes beside the connection's certificate",
      [use("cert", "keyA")],
      { cert: { kind: "mutualTLS" }, keyA: headerKey },
      ["https://api.example.com/s", "x-app-id: A"],
    ],
    [
      "a certificate that is asked for and not there is not met",
      [use("cert", "keyA"), use("token")],
      { keyA: headerKey, token: bearer },
      ["https://api.example.com/s", "authorization: Bearer T"],
    ],
    [
      "an alternative that is not met whole is passed over",
      [use("keyA", "keyB"), use("token")],
      { keyA: headerKey, token: bearer },
      ["https://api.example.com/s", "authorization: Bearer T"],
    ],
    ["nothing is sent where nothing fits", [use("keyA")], { token: bearer }, ["https://api.example.com/s"]],
    [
      "`default` serves an operation that asks for none",
      [],
      { default: bearer },
      ["https://api.example.com/s", "authorization: Bearer T"],
    ],
    [
      "`default` serves where no alternative is met",
      [use("other")],
      { default: bearer },
      ["https://api.example.com/s", "authorization: Bearer T"],
    ],
    [
      "a key is used although none is needed",
      [[], use("token")],
      all,
      ["https://api.example.com/s", "authorization: Bearer T"],
    ],
    ["none is used where none is needed or held", [[], use("token")], {}, ["https://api.example.com/s"]],
    [
      "a scheme named like a property of every object is not met",
      [use("constructor"), use("__proto__")],
      {},
      ["https://api.example.com/s"],
    ],
  ];
  test.each(cases)("%s", async (_title, security, credentials, want) => {
    expect(added(await apply(plain, security, held(credentials)))).toEqual(want);
  });
});

describe("what is there already stays", () => {
  const cases: [string, Partial<UpstreamRequest>, ResolvedCredential, Partial<UpstreamRequest>][] = [
    ["a header", { headers: [["x-app-id", "mine"]] }, headerKey, { headers: [["x-app-id", "mine"]] }],
    ["a query parameter", { url: "https://h/?app_key=mine" }, queryKey, { url: "https://h/?app_key=mine" }],
    [
      "another query, byte by byte",
      { url: "https://h/?a=b%20c,d&e" },
      queryKey,
      { url: "https://h/?a=b%20c,d&e&app_key=B%26" },
    ],
    [
      "a cookie of that name",
      { headers: [["cookie", "a=1; sid=mine"]] },
      { kind: "apiKey", in: "cookie", name: "sid", value: "x" },
      { headers: [["cookie", "a=1; sid=mine"]] },
    ],
    [
      "a cookie of another name",
      { headers: [["cookie", "xsid=1"]] },
      { kind: "apiKey", in: "cookie", name: "sid", value: "x" },
      { headers: [["cookie", "xsid=1; sid=x"]] },
    ],
  ];
  test.each(cases)("%s", async (_title, present, credential, want) => {
    expect(await apply({ ...plain, ...present }, [use("k")], held({ k: credential }))).toMatchObject(want);
  });
});

test("a key in the query is told apart from the rest of it", async () => {
  expect((await apply(plain, [use("k")], held({ k: queryKey }))).queryKeys).toEqual([["app_key", "B&"]]);
});
