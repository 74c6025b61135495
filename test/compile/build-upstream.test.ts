import { describe, expect, test } from "vitest";
import { apiOfText, type CurationParts, compileText, compileTools, curationText, shown } from "./compile-text.ts";

const TOOLS = "get_thing: {operation: getThing, use: Test.}";
const SCHEMES = `
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    token: {type: http, scheme: bearer}
    login: {type: http, scheme: basic}
    signed: {type: oauth2, flows: {}}
    machine: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://id.example.com/token', scopes: {read: ''}}}}
    near: {type: oauth2, flows: {clientCredentials: {tokenUrl: '/oauth/token', scopes: {}}}}
    who: {type: openIdConnect, openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration'}
    header: {type: apiKey, in: header, name: authorization}
    loud: {type: http, scheme: BEARER}
    cert: {type: mutualTLS}
    own: {type: http, scheme: Token}
    odd: {type: http, scheme: Digest}`;

const spec = (head: string, security = "") =>
  `openapi: 3.1.0\ninfo: {title: T, version: '1'}\n${head}paths: {/thing: {get: {operationId: getThing, ${security && `security: ${security}, `}responses: {'200': {description: ok}}}}}${SCHEMES}`;
const SERVERS =
  "servers: [{url: 'https://{region}.example.com/{v}', variables: {region: {default: eu, enum: [eu, us]}, v: {default: v1}}}]\n";

const compile = (text: string, api = "", more: CurationParts = {}) => compileTools(text, TOOLS, { api, ...more });
/** Short credentials stand in these texts as they are; what that is told has a test of its own. */
const withoutLiterals = <T extends { code: string }>(problems: readonly T[]): T[] =>
  problems.filter(({ code }) => code !== "literal_credential");
const findings = async (text: string, api?: string) =>
  shown(withoutLiterals((await compile(text, api)).problems)).map((line) => line.trim());

describe("where requests go", () => {
  test("to the spec's server, its variables filled in", async () => {
    const { toolset } = await compile(spec(SERVERS), "serverVariables: {region: us}");
    expect(toolset?.operations[0]?.server).toBe("https://us.example.com/v1");
    expect(toolset?.upstream.baseUrl).toBeUndefined();
  });

  test("to the curation's base URL, read when serving", async () => {
    const { toolset } = await compile(spec(""), "baseUrl: '${env.URL}/v2'");
    expect(toolset?.operations[0]?.server).toBe("");
    expect(toolset?.upstream.baseUrl).toStrictEqual({ kind: "text", parts: [{ jmespath: "env.URL" }, "/v2"] });
  });

  const mistakes: readonly [title: string, head: string, api: string, want: string][] = [
    [
      "no server",
      "",
      "",
      "2 base_url_needed: The spec states no server for `GET /thing`, which is not absolute. Add `baseUrl`.",
    ],
    [
      "a relative server",
      "servers: [{url: /api}]\n",
      "",
      "2 base_url_needed: The spec states `/api` for `GET /thing`, which is not absolute. Add `baseUrl`.",
    ],
    [
      "no URL",
      "",
      "baseUrl: example.com",
      "2 bad_base_url: `example.com` is not the base of an API. Write an http or https URL without query, fragment and user.",
    ],
    [
      "a URL with a user",
      "",
      "baseUrl: 'https://a:b@example.com'",
      "2 bad_base_url: `https://a:b@example.com` is not the base of an API. Write an http or https URL without query, fragment and user.",
    ],
    [
      "an unknown variable",
      SERVERS,
      "serverVariables: {regio: us}",
      '2 unknown_server_variable: The spec\'s servers have no variable `regio`. Did you mean "region"?',
    ],
    [
      "a value that a variable cannot have",
      SERVERS,
      "serverVariables: {region: uk}",
      '2 bad_value: `region` cannot be `uk`. Did you mean "us"?',
    ],
    [
      "a variable that is read when serving",
      SERVERS,
      "serverVariables: {region: '${env.REGION}'}",
      "2 base_url_needed: A server's variable cannot be read when serving. Write the whole URL as `baseUrl`, with ${…} in it.",
    ],
  ];
  test.each(mistakes)("a mistake: %s", async (_title, head, api, want) => {
    expect(await findings(spec(head), api)).toStrictEqual([want]);
  });

  test("a spec that was read from a URL does not decide it", async () => {
    const api = { ...(await apiOfText(spec(SERVERS))), source: "https://specs.example.com/openapi.yaml" };
    const codes = (text: string) => compileText(api, text).problems.map(({ code }) => code);
    expect(codes(curationText(TOOLS))).toStrictEqual(["base_url_needed"]);
    expect(codes(curationText(TOOLS, { api: "baseUrl: 'https://api.example.com'" }))).toStrictEqual([]);
  });
});

describe("credentials", () => {
  const value = { kind: "expression", expression: { jmespath: "env.X" } };
  const cases: readonly [title: string, auth: string, want: object][] = [
    [
      "an API key goes where its scheme says",
      "key: {apiKey: '${env.X}'}",
      { scheme: "key", credential: { kind: "apiKey", in: "header", name: "X-Key", value } },
    ],
    [
      "a bearer token",
      "token: {bearer: '${env.X}'}",
      { scheme: "token", credential: { kind: "bearer", token: value } },
    ],
    [
      "a bearer token for OAuth",
      "signed: {bearer: '${env.X}'}",
      { scheme: "signed", credential: { kind: "bearer", token: value } },
    ],
    [
      "user and password",
      "login: {basic: {username: u, password: '${env.X}'}}",
      { scheme: "login", credential: { kind: "basic", username: { kind: "literal", value: "u" }, password: value } },
    ],
    [
      "a bearer scheme in capitals",
      "loud: {bearer: '${env.X}'}",
      { scheme: "loud", credential: { kind: "bearer", token: value } },
    ],
    [
      "a bearer token where the spec can only say that a header carries it",
      "header: {bearer: '${env.X}'}",
      { scheme: "header", credential: { kind: "bearer", token: value } },
    ],
    [
      "the whole header of a scheme of the API's own",
      "own: {apiKey: {value: '${env.X}', in: header, name: Authorization}}",
      { scheme: "own", credential: { kind: "apiKey", in: "header", name: "Authorization", value } },
    ],
    [
      "a key as the password of an empty name",
      "login: {basic: {username: '', password: '${env.X}'}}",
      { scheme: "login", credential: { kind: "basic", username: { kind: "literal", value: "" }, password: value } },
    ],
    [
      "a default of its own place",
      "default: {apiKey: {value: '${env.X}', in: query, name: k}}",
      { scheme: "default", credential: { kind: "apiKey", in: "query", name: "k", value } },
    ],
  ];
  test.each(cases)("%s", async (_title, auth, want) => {
    const { toolset } = await compile(spec(SERVERS), `auth: {${auth}}`);
    expect(toolset?.upstream.credentials).toStrictEqual([want]);
  });

  const literal = (text: string) => ({ kind: "literal", value: text });
  const id = "clientId: i, clientSecret: '${env.X}'";
  const client = { kind: "clientCredentials", clientId: literal("i"), clientSecret: value };
  const token = literal("https://id.example.com/token");
  const clients: readonly [title: string, api: string, scheme: string, want: object][] = [
    ["where the spec's flow says", `auth: {machine: {clientCredentials: {${id}}}}`, "machine", { tokenUrl: token }],
    [
      "where the curation says, for its scopes and audience",
      `auth: {machine: {clientCredentials: {${id}, tokenUrl: 'https://o.example/t', scopes: [a, '\${env.X}'], audience: api}}}`,
      "machine",
      { tokenUrl: literal("https://o.example/t"), scopes: [literal("a"), value], audience: literal("api") },
    ],
    [
      "beside the spec's server, where the flow says so",
      `auth: {near: {clientCredentials: {${id}}}}`,
      "near",
      { tokenUrl: literal("https://eu.example.com/oauth/token") },
    ],
    [
      "beside the base URL, which is known when serving",
      `baseUrl: '\${env.X}', auth: {near: {clientCredentials: {${id}}}}`,
      "near",
      { tokenUrl: literal("/oauth/token") },
    ],
    [
      "for OpenID Connect",
      `auth: {who: {clientCredentials: {${id}, tokenUrl: 'https://id.example.com/token'}}}`,
      "who",
      { tokenUrl: token },
    ],
    [
      "for a bearer scheme, whose requirement lists no scopes",
      `auth: {token: {clientCredentials: {${id}, tokenUrl: 'https://id.example.com/token'}}}`,
      "token",
      { tokenUrl: token, scopes: [] },
    ],
    [
      "for a spec without schemes",
      `auth: {default: {clientCredentials: {${id}, tokenUrl: 'https://id.example.com/token'}}}`,
      "default",
      { tokenUrl: token, scopes: [] },
    ],
  ];
  test.each(clients)("OAuth client credentials: %s", async (_title, api, scheme, want) => {
    const { toolset } = await compile(spec(SERVERS), api);
    expect(toolset?.upstream.credentials).toStrictEqual([{ scheme, credential: { ...client, ...want } }]);
  });

  test("a token URL of a spec that was read from a URL is not used", async () => {
    const api = { ...(await apiOfText(spec(SERVERS))), source: "https://specs.example.com/openapi.yaml" };
    const base = "baseUrl: 'https://api.example.com'";
    const codes = (auth: string) =>
      compileText(api, curationText(TOOLS, { api: `${base}, auth: {machine: {clientCredentials: {${auth}}}}` }))
        .problems.filter(({ severity }) => severity === "error")
        .map(({ code }) => code);
    expect(codes(id)).toStrictEqual(["token_url_needed"]);
    expect(codes(`${id}, tokenUrl: 'https://id.example.com/token'`)).toStrictEqual([]);
  });

  test("the connection's certificate meets the schemes that ask for one", async () => {
    const { toolset, problems } = await compile(spec(SERVERS, "[{cert: []}]"), "tls: {cert: a.pem, key: b.pem}");
    expect(toolset?.upstream).toMatchObject({
      tls: { cert: "a.pem", key: "b.pem" },
      credentials: [{ scheme: "cert", credential: { kind: "mutualTLS" } }],
    });
    expect(problems).toStrictEqual([]);
  });

  const mistakes: readonly [title: string, auth: string, want: string][] = [
    [
      "an unknown scheme",
      "kee: {apiKey: x}",
      '2 unknown_scheme: The spec has no security scheme `kee`. Did you mean "key"?',
    ],
    [
      "a key for a bearer scheme",
      "token: {apiKey: x}",
      "2 scheme_mismatch: `apiKey` does not fit. In the spec this scheme is http bearer. Write `bearer`.",
    ],
    [
      "a token for a key scheme",
      "key: {bearer: x}",
      "2 scheme_mismatch: `bearer` does not fit. In the spec this scheme is apiKey. Write `apiKey`.",
    ],
    [
      "a password for a bearer scheme",
      "token: {basic: {username: a, password: b}}",
      "2 scheme_mismatch: `basic` does not fit. In the spec this scheme is http bearer. Write `bearer`.",
    ],
    [
      "a key for an HTTP scheme of the API's own",
      "own: {apiKey: x}",
      "2 scheme_mismatch: `apiKey` does not fit. In the spec this scheme is http token. Write the whole header as apiKey: { value, in: header, name: Authorization }.",
    ],
    [
      "digest, which no fixed header can speak",
      "odd: {apiKey: {value: x, in: header, name: Authorization}}",
      "2 scheme_mismatch: `apiKey` does not fit. In the spec this scheme is http digest. No credential of the curation can meet it: use another scheme of the API, or a proxy that speaks this one.",
    ],
    [
      "client credentials for a key scheme",
      "key: {clientCredentials: {clientId: a, clientSecret: b}}",
      "2 scheme_mismatch: `clientCredentials` does not fit. In the spec this scheme is apiKey. Write `apiKey`.",
    ],
    [
      "a token for a scheme that asks for a certificate",
      "cert: {bearer: x}",
      "2 scheme_mismatch: `bearer` does not fit. In the spec this scheme is mutualTLS. Write the certificate under `api.tls`.",
    ],
    [
      "client credentials without a place to fetch tokens",
      "who: {clientCredentials: {clientId: a, clientSecret: b}}",
      "2 token_url_needed: The spec does not say where tokens are fetched. Add `tokenUrl`.",
    ],
    [
      "a token URL that is none",
      "machine: {clientCredentials: {clientId: a, clientSecret: b, tokenUrl: 'https://id.example.com/t#x'}}",
      "2 bad_token_url: `https://id.example.com/t#x` is no address of a token endpoint. Write an http or https URL without fragment and user.",
    ],
    [
      "a default key without a place",
      "default: {apiKey: x}",
      "2 scheme_mismatch: `apiKey` does not fit. The spec does not say where such a key goes. Write apiKey: { value: …, in: header, name: … }.",
    ],
  ];
  test.each(mistakes)("a mistake: %s", async (_title, auth, want) => {
    expect(await findings(spec(SERVERS), `auth: {${auth}}`)).toStrictEqual([want]);
  });

  test("a mistake: half of a certificate", async () => {
    expect(await findings(spec(SERVERS), "tls: {cert: a.pem}")).toStrictEqual([
      "2 tls_incomplete: `cert` is of no use without `key`. Where one PEM file holds both, name it twice.",
    ]);
  });

  const warnings: readonly [title: string, security: string, auth: string, want: readonly string[]][] = [
    [
      "a certificate that is asked for",
      "[{cert: []}]",
      "",
      [
        "2 auth_missing: `getThing` needs `cert`, for which no credential is written. Write the certificate under `api.tls`.",
      ],
    ],
    [
      "a scheme that cannot be met",
      "[{odd: []}]",
      "",
      [
        "2 auth_missing: `getThing` needs `odd`, for which no credential is written. No credential of the curation can meet it: use another scheme of the API, or a proxy that speaks this one.",
      ],
    ],
    [
      "a scheme that the spec does not declare",
      "[{lost: []}]",
      "",
      [
        "2 auth_missing: `getThing` needs `lost`, for which no credential is written. The spec does not declare it: write it as `default`.",
      ],
    ],
    ["nothing, where `default` is sent", "[{lost: []}]", "auth: {default: {bearer: x}}", []],
    [
      "a credential that is never sent, since the spec asks for none",
      "",
      "auth: {key: {apiKey: x}}",
      [
        "2 auth_unasked: `key` is never sent: the spec asks for it nowhere, for example not in `getThing`. To send it always, write it as `default`.",
      ],
    ],
    ["not of one that an operation asks for", "[{key: []}]", "auth: {key: {apiKey: x}}", []],
    ["not of one that is for other operations", "[{key: []}]", "auth: {key: {apiKey: x}, token: {bearer: x}}", []],
  ];
  test.each(warnings)("warned of: %s", async (_title, security, auth, want) => {
    expect(await findings(spec(SERVERS, security), auth)).toStrictEqual(want);
  });

  const missing: readonly [title: string, security: string, auth: string, warned: boolean][] = [
    ["one that is asked for and not written", "[{key: []}]", "", true],
    ["one of several that are needed together", "[{key: [], token: []}]", "auth: {key: {apiKey: x}}", true],
    ["none, where one way is written", "[{key: []}, {token: []}]", "auth: {token: {bearer: x}}", false],
    ["none, where one way asks for nothing", "[{key: []}, {}]", "", false],
    ["none, where nothing is asked for", "[]", "", false],
  ];
  test.each(missing)("warned of: %s", async (_title, security, auth, warned) => {
    const { problems, toolset } = await compile(spec(SERVERS, security), auth);
    expect(withoutLiterals(problems).map(({ code, severity }) => `${severity} ${code}`)).toStrictEqual(
      warned ? ["warning auth_missing"] : [],
    );
    expect(toolset).toBeDefined();
  });

  test("a fixed header of the curation is no place for a caller", async () => {
    const text = spec(SERVERS).replace(
      "responses",
      "parameters: [{name: X-Client, in: header, schema: {type: string}}], responses",
    );
    const tools = "get_thing: {operation: getThing, use: Test., input: {a: {}}, args: {header.x-client: '${input.a}'}}";
    const { problems } = await compileTools(text, tools, { api: "headers: {X-Client: vitrine}" });
    expect(problems.map(({ code }) => code)).toContain("refused_place");
  });
});

test("limits are the curation's, else the defaults; nothing is read from the environment", async () => {
  const text =
    "timeout: 5s, retries: 0, maxResponse: 1MB, concurrency: 2, redirects: [logs.example.com], headers: {X-A: '${env.A}'}, errors: {message: error.message}";
  const { upstream } = (await compile(spec(SERVERS), text)).toolset!;
  expect(upstream).toStrictEqual({
    headers: [{ name: "X-A", value: { kind: "expression", expression: { jmespath: "env.A" } } }],
    credentials: [],
    timeoutMs: 5_000,
    retries: 0,
    maxResponseBytes: 1_000_000,
    concurrency: 2,
    redirects: ["logs.example.com"],
    errors: { message: { jmespath: "error.message" } },
  });
  expect((await compile(spec(SERVERS))).toolset!.upstream).toMatchObject({
    timeoutMs: 20_000,
    retries: 2,
    maxResponseBytes: 20_000_000,
    concurrency: 16,
    redirects: [],
  });
});

describe("a secret that stands in the file itself", () => {
  const written: [title: string, auth: string, hint: string | undefined][] = [
    ["a key", "key: {apiKey: s3cret}", "${env.NAME}"],
    ["a name of the shell's kind", "token: {bearer: $TOKEN}", "${env.TOKEN}"],
    ["a password", "login: {basic: {username: ann, password: s3cret}}", "${env.NAME}"],
    ["an empty password", "login: {basic: {username: '${env.KEY}', password: ''}}", undefined],
    ["one from the environment", "key: {apiKey: '${env.KEY}'}", undefined],
  ];
  test.each(written)("%s → told where it should come from, and never shown", async (_, auth, hint) => {
    const { problems } = await compile(spec(SERVERS), `auth: {${auth}}`);
    const found = problems.filter(({ code }) => code === "literal_credential");
    expect(found.map((problem) => problem.hint)).toStrictEqual(
      hint === undefined ? [] : [`Read it from the environment: "${hint}".`],
    );
    expect(JSON.stringify(found)).not.toContain("s3cret");
  });
});
