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
    odd: {type: http, scheme: digest}`;

const spec = (head: string, security = "") =>
  `openapi: 3.1.0\ninfo: {title: T, version: '1'}\n${head}paths: {/thing: {get: {operationId: getThing, ${security && `security: ${security}, `}responses: {'200': {description: ok}}}}}${SCHEMES}`;
const SERVERS =
  "servers: [{url: 'https://{region}.example.com/{v}', variables: {region: {default: eu, enum: [eu, us]}, v: {default: v1}}}]\n";

const compile = (text: string, api = "", more: CurationParts = {}) => compileTools(text, TOOLS, { api, ...more });
const findings = async (text: string, api?: string) =>
  shown((await compile(text, api)).problems).map((line) => line.trim());

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
      "a default of its own place",
      "default: {apiKey: {value: '${env.X}', in: query, name: k}}",
      { scheme: "default", credential: { kind: "apiKey", in: "query", name: "k", value } },
    ],
  ];
  test.each(cases)("%s", async (_title, auth, want) => {
    const { toolset } = await compile(spec(SERVERS), `auth: {${auth}}`);
    expect(toolset?.upstream.credentials).toStrictEqual([want]);
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
      "a default key without a place",
      "default: {apiKey: x}",
      "2 scheme_mismatch: `apiKey` does not fit. The spec does not say where such a key goes. Write apiKey: { value: …, in: header, name: … }.",
    ],
  ];
  test.each(mistakes)("a mistake: %s", async (_title, auth, want) => {
    expect(await findings(spec(SERVERS), `auth: {${auth}}`)).toStrictEqual([want]);
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
    expect(problems.map(({ code, severity }) => `${severity} ${code}`)).toStrictEqual(
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
