import { describe, expect, test } from "vitest";
import { compileTools, shown } from "./compile-text.ts";

const TOOLS = "get_thing: {operation: getThing, use: Test.}";
const SPEC = `openapi: 3.1.0
info: {title: T, version: '1'}
servers: [{url: 'https://api.example.com'}]
paths: {/thing: {get: {operationId: getThing, security: [{login: [read]}, {token: []}, {key: []}, {basic: []}], responses: {'200': {description: ok}}}}}
components:
  securitySchemes:
    login: {type: oauth2, flows: {}}
    token: {type: http, scheme: bearer}
    key: {type: apiKey, in: header, name: X-Key}
    basic: {type: http, scheme: basic}`;

const compile = (auth: string) => compileTools(SPEC, TOOLS, { api: `auth: {${auth}}` });
const literal = (value: string) => ({ kind: "literal", value });
const read = (jmespath: string) => ({ kind: "expression", expression: { jmespath } });
const URL = "https://id.example.com/token";

describe("the exchange of a caller's token", () => {
  test.each<readonly [string, string, string, object]>([
    ["for the scopes of the operations", `login: {tokenExchange: {tokenUrl: '${URL}'}}`, "login", {}],
    [
      "for scopes of its own",
      `login: {tokenExchange: {tokenUrl: '${URL}', scopes: [a]}}`,
      "login",
      { scopes: [literal("a")] },
    ],
    [
      "for a bearer scheme, whose requirement lists no scopes",
      `token: {tokenExchange: {tokenUrl: '${URL}'}}`,
      "token",
      { scopes: [] },
    ],
    ["where the spec says nothing", `default: {tokenExchange: {tokenUrl: '${URL}'}}`, "default", { scopes: [] }],
    [
      "with all that it may say",
      `login: {tokenExchange: {tokenUrl: '\${env.TOKENS}', audience: api, resource: 'https://api.example.com/', clientId: c, clientSecret: '\${env.SECRET}'}}`,
      "login",
      {
        tokenUrl: read("env.TOKENS"),
        audience: literal("api"),
        resource: literal("https://api.example.com/"),
        clientId: literal("c"),
        clientSecret: read("env.SECRET"),
      },
    ],
  ])("is compiled %s", async (_, auth, scheme, want) => {
    const { toolset, problems } = await compile(auth);
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    const credential = { kind: "tokenExchange", tokenUrl: literal(URL), ...want };
    expect(toolset?.upstream.credentials).toStrictEqual([{ scheme, credential }]);
  });

  test.each([
    [
      "for a key",
      `key: {tokenExchange: {tokenUrl: '${URL}'}}`,
      "2 scheme_mismatch: `tokenExchange` does not fit. In the spec this scheme is apiKey. Write `apiKey`.",
    ],
    [
      "for a name and a password",
      `basic: {tokenExchange: {tokenUrl: '${URL}'}}`,
      "2 scheme_mismatch: `tokenExchange` does not fit. In the spec this scheme is http basic. Write `basic`.",
    ],
    [
      "by a secret of nobody",
      `login: {tokenExchange: {tokenUrl: '${URL}', clientSecret: '\${env.X}'}}`,
      "2 client_incomplete: `clientSecret` is of no use without `clientId`. Add `clientId`.",
    ],
    [
      "at what is no token endpoint",
      "login: {tokenExchange: {tokenUrl: 'ftp://id.example.com'}}",
      "2 bad_token_url: `ftp://id.example.com` is no address of a token endpoint. Write an http or https URL without fragment and user.",
    ],
    [
      "by a secret that everybody can read",
      `login: {tokenExchange: {tokenUrl: '${URL}', clientId: c, clientSecret: s3cret}}`,
      '2 literal_credential: The credential stands in the file as it is, for everyone who reads the file. Read it from the environment: "${env.NAME}".',
    ],
  ])("is told of: %s", async (_, auth, want) => {
    expect(shown((await compile(auth)).problems).map((line) => line.trim())).toContain(want);
  });
});
