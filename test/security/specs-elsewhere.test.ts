import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { openEgress } from "../../src/egress/open-egress.ts";
import { checkSpec } from "../../src/spec/check-spec.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { compileText, curationText, toolOf } from "../compile/compile-text.ts";
import { HEAD } from "../spec/spec-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "vitrine-specs-"));
const policy = { trustedHosts: ["127.0.0.1"], allowPrivate: [], allowHttp: true };
const servers: Server[] = [];
const heard: string[] = [];

/** A server on this machine that notes what it is asked for; gives its origin. */
async function listen(name: string, answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    heard.push(`${name} ${request.url}`);
    answer(request, response);
  });
  // A connection alone would be more than nothing.
  server.on("connection", () => heard.push(`${name} connected`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  vi.restoreAllMocks();
  heard.length = 0;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

describe("no socket is opened for what a spec refers to", () => {
  test("not when it is read, not when it is checked, and not when it is compiled", async () => {
    const origin = await listen("secret", (_, response) => response.end("type: string\n"));
    const bare = origin.slice("http:".length);
    const refs = [origin, bare, `HTTP:${bare}`, `\t${origin}`, `http:\\\\${bare.slice(2)}`, `https:${bare}`].map(
      (place, at) => `{name: q${at}, in: query, schema: {$ref: ${JSON.stringify(`${place}/s.yaml`)}}}`,
    );
    const text = `${HEAD}servers: [{url: 'https://api.example.com'}]
externalDocs: {url: '${origin}/docs'}
jsonSchemaDialect: '${origin}/dialect'
paths:
  /a: {get: {operationId: getA, parameters: [${refs.join(", ")}], responses: {200: {description: ok}}}}
  /b: {$ref: '${origin}/path.yaml'}
  /c: {post: {operationId: postC, requestBody: {content: {application/json: {schema: {$id: '${origin}/id', $schema: '${origin}/meta', type: object, properties: {a: {$dynamicRef: '${origin}/d'}}}}}}, responses: {200: {description: ok, links: {l: {operationRef: '${origin}/o'}}}}}}
`;
    const file = join(folder, "refs.yaml");
    writeFileSync(file, text);
    // It may reach this machine, and would if it were asked to.
    const egress = openEgress(policy);
    const api = await loadApi(file, { egress });
    await checkSpec(api);
    for (const id of ["getA", "postC", "GET /b"])
      compileText(api, curationText(`a_tool: {operation: ${JSON.stringify(id)}, effect: read, use: Does.}`));
    expect(await api.fetchPending()).toBe(false);
    expect(heard).toEqual([]);
    await egress.close();
    // Whoever did connect would be heard.
    await (await fetch(origin)).text();
    expect(heard).toContain("secret connected");
  });
});

describe("a spec from a URL, over real sockets", () => {
  test("a redirect leads to no other origin", async () => {
    const other = await listen("other", (_, response) => response.end(HEAD));
    const origin = await listen("origin", (_, response) => response.writeHead(302, { location: `${other}/x` }).end());
    const egress = openEgress(policy);
    await expect(loadApi(`${origin}/spec.yaml`, { egress })).rejects.toThrow(/cannot be read|answered 302/);
    expect(heard.filter((line) => line.startsWith("other"))).toEqual([]);
    expect(heard).toContain("origin /spec.yaml");
    await egress.close();
  });

  test("a body without end is given up at the bound", async () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    const origin = await listen("origin", (_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const egress = openEgress(policy);
    await expect(loadApi(`${origin}/spec.yaml`, { egress })).rejects.toThrow(/larger than \d+ bytes/);
    await egress.close();
  });

  test("one that comes too slowly is given up after half a minute, whatever still comes", async () => {
    const clock = new AbortController();
    const asked = vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
    const origin = await listen("origin", (_, response) => {
      const drip = setInterval(() => response.write(" "), 20);
      response.once("close", () => clearInterval(drip));
      // The half minute is over as soon as the first bytes are on their way.
      setTimeout(() => clock.abort(new DOMException("late", "TimeoutError")), 100);
    });
    const egress = openEgress(policy);
    await expect(loadApi(`${origin}/spec.yaml`, { egress })).rejects.toThrow(/cannot be read/);
    expect(asked).toHaveBeenCalledWith(30_000);
    await egress.close();
  });
});

describe("size", () => {
  test("a file over the bound is refused, in a line", async () => {
    const file = join(folder, "large.yaml");
    writeFileSync(file, HEAD);
    truncateSync(file, 65 * 1024 * 1024);
    await expect(loadApi(file, {})).rejects.toThrow(/large\.yaml: it is larger than \d+ bytes\.$/);
  });

  test("of 30,000 operations only those that tools use cost anything", async () => {
    const parameter = { name: "q", in: "query", schema: { type: "string", description: "Words. ".repeat(20) } };
    const get = (at: number) => ({
      operationId: `op${at}`,
      summary: `S ${at}`,
      parameters: [parameter],
      responses: { 200: { description: "ok" } },
    });
    const paths = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`/p${at}/{id}`, { get: get(at) }]));
    const file = join(folder, "many.json");
    writeFileSync(
      file,
      JSON.stringify({
        openapi: "3.1.0",
        info: { title: "t", version: "1" },
        servers: [{ url: "https://api.example.com" }],
        paths,
      }),
    );
    const started = process.cpuUsage();
    const tool = toolOf(
      compileText(
        await loadApi(file, {}),
        curationText("last: {operation: 'GET /p29999/{id}', use: Gets., input: {q: {}, id: {}}}"),
      ),
    );
    expect(tool.inputs.map(({ name }) => name)).toEqual(["q", "id"]);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });
});
