import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeCertificate } from "../egress/make-certificate.ts";
import { listen, type Served, serve } from "../egress/serve.ts";
import { vitrine } from "../setup/program.ts";

const SPEC = `openapi: 3.1.0
info: {title: Echo, version: "1"}
security: [{query: [], basic: [], cookie: []}]
paths:
  /echo:
    get:
      operationId: echo
      parameters: [{name: status, in: query, schema: {type: integer}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {type: object, additionalProperties: true}}}}}
components:
  securitySchemes:
    query: {type: apiKey, in: query, name: api_key}
    cookie: {type: apiKey, in: cookie, name: sid}
    basic: {type: http, scheme: Basic}
    cert: {type: mutualTLS}
`;
const tools = "tools: {echo: {operation: echo, use: Say back what was sent., input: {status: {}}}}\n";
const head = "vitrine: 1\nserver: {name: echo}\n";

/** A folder with the spec and this curation in it; gives the curation's path. */
function writeCuration(api: string, folder = mkdtempSync(join(tmpdir(), "vitrine-secrets-"))): string {
  mkdirSync(join(folder, "curation"), { recursive: true });
  writeFileSync(join(folder, "curation", "spec.yaml"), SPEC);
  const file = join(folder, "curation", "echo.yaml");
  writeFileSync(file, `${head}api:\n  spec: ./spec.yaml\n${api}\n${tools}`);
  return file;
}

describe("an API that says back all that it was sent", () => {
  const secrets = {
    QUERY: "canary-query/+%&ü",
    COOKIE: "canary-cookie;=",
    USER: "canary-user@example.com",
    PASSWORD: "canary:pass wörd",
    TRACE: "canary-trace-1",
    BOT: "canary-bot-12:AAb-b",
  };
  let api: Served;
  beforeAll(async () => {
    api = await serve((request, response) => {
      const status = Number(/status=(\d+)/.exec(request.url ?? "")?.[1] ?? 200);
      const { authorization = "" } = request.headers;
      const said = {
        message: `${request.url} ${authorization}`,
        pair: Buffer.from(authorization.replace("Basic ", ""), "base64").toString(),
        headers: request.headers,
        again: encodeURIComponent(request.url ?? ""),
        link: `${api.url}/v1/items/7`,
        user: "admin",
      };
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(said));
    });
  });
  afterAll(() => api?.close());

  const curation = writeCuration(`  baseUrl: "\${env.URL}"
  headers: {X-Trace: "\${env.TRACE}"}
  auth:
    query: {apiKey: "\${env.QUERY}"}
    cookie: {apiKey: "\${env.COOKIE}"}
    basic: {basic: {username: "\${env.USER}", password: "\${env.PASSWORD}"}}`);
  const env = () => ({ ...secrets, URL: `${api.url}/${encodeURIComponent(secrets.BOT)}` });
  const forms = Object.values(secrets).flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ "": secret }).toString().slice(1),
    Buffer.from(secret).toString("base64").slice(0, -4),
  ]);

  test.each([
    [200, []],
    [400, []],
    [401, []],
    [500, []],
    [200, ["--raw"]],
    [404, ["--raw"]],
    [200, ["--dry-run"]],
  ] as const)("status %i %j: nothing of it is shown", async (status, more) => {
    const { stdout, stderr } = await vitrine(["call", curation, "echo", `{"status":${status}}`, ...more], {
      env: env(),
    });
    expect(stdout).toContain("***");
    for (const form of [...forms, "canary"]) expect(stdout + stderr).not.toContain(form);
  });

  test("its own address and a word like admin are no secrets", async () => {
    const { stdout } = await vitrine(["call", curation, "echo"], { env: { ...env(), URL: api.url, USER: "admin" } });
    expect(JSON.parse(stdout)).toMatchObject({ link: `${api.url}/v1/items/7`, user: "admin" });
  });

  test("an address where nothing answers is not shown to the agent", async () => {
    const gone = { ...env(), URL: "http://127.0.0.1:9" };
    const { stdout, stderr } = await vitrine(["call", curation, "echo"], { env: gone });
    expect(JSON.parse(stdout).error).toBe("upstream_unavailable");
    expect(stdout).not.toContain("127.0.0.1");
    expect(stdout + stderr).not.toContain("canary");
  });
});

describe("an API that asks for a certificate", () => {
  const server = makeCertificate("server");
  const client = makeCertificate("client");
  let api: Served;
  let folder: string;
  beforeAll(async () => {
    const options = { key: server.key, cert: server.cert, requestCert: true, ca: client.cert };
    api = await listen(
      createTlsServer(options, (request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        response.end(JSON.stringify({ name: subject?.CN ?? null }));
      }),
    );
    folder = mkdtempSync(join(tmpdir(), "vitrine-tls-"));
    for (const [name, file] of [
      ["ca", server.certFile],
      ["cert", client.certFile],
      ["key", client.keyFile],
    ])
      copyFileSync(file!, join(folder, `${name}.pem`));
    writeFileSync(join(folder, "no.pem"), "canary-no-pem");
  });
  afterAll(() => api?.close());

  const call = (tls: string) =>
    vitrine(["call", writeCuration(`  baseUrl: "\${env.URL}"\n  tls: ${tls}`, folder), "echo"], {
      env: { URL: api.url.replace("http:", "https:") },
    });

  test("gets the one under `tls`, from files under the root", async () => {
    const { stdout } = await call("{ca: ../ca.pem, cert: ../cert.pem, key: ../key.pem}");
    expect(JSON.parse(stdout)).toEqual({ name: "client" });
  });

  const faults: [string, string, RegExp][] = [
    ["outside of the root", "{ca: ../../ca.pem}", /lies outside of/],
    ["that is not there", "{ca: ../lost.pem}", /lost\.pem/],
    ["that holds no certificate", "{ca: ../no.pem}", /no\.pem: is no PEM file/],
  ];
  test.each(faults)("a file %s ends with 2", async (_title, tls, want) => {
    const { code, stderr } = await call(tls);
    expect([code, stderr]).toEqual([2, expect.stringMatching(want)]);
    expect(stderr).not.toContain("canary");
  });

  test("and gets none is unavailable", async () => {
    const { stdout } = await call("{ca: ../ca.pem}");
    expect(JSON.parse(stdout)).toMatchObject({
      error: "upstream_unavailable",
      message: expect.stringMatching(/^GET \/echo got no answer: /),
    });
  });
});
