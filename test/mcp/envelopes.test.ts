import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, serveOverHttp } from "../../src/mcp/serve-http.ts";
import { type SampleCaller, sampleCaller, sampleSource } from "../fixtures/mcp/sample-server.ts";

// What a message may look like, and what has to agree with it, in both eras.

let server: HttpServer;
let caller: SampleCaller;
beforeAll(async () => {
  caller = sampleCaller();
  const options = { hostname: "127.0.0.1", port: 0, key: {}, listTtlMs: 0, report: () => {}, allowHosts: [] };
  server = await serveOverHttp(sampleSource(caller), options);
});
afterAll(() => server.close(0));

type Headers = Readonly<Record<string, string>>;
const JSON_BODY: Headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function post(body: string | Uint8Array, headers: Headers = JSON_BODY) {
  const before = caller.calls.length;
  const answer = await fetch(server.url, { method: "POST", body, headers });
  const text = await answer.text();
  const json = text === "" ? undefined : JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  return { status: answer.status, headers: answer.headers, json, calls: caller.calls.length - before };
}

const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "sample_list", arguments: {} } };
const TEXT = JSON.stringify(CALL);

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MODERN: Headers = {
  ...JSON_BODY,
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "sample_list",
};

describe("a message is read as it stands, and only by the names of JSON-RPC", () => {
  const cases: [title: string, body: string, status: number, code: number | undefined][] = [
    ["as it should be", TEXT, 200, undefined],
    ["with a byte order mark", `\ufeff${TEXT}`, 400, -32700],
    ["with more behind it", `${TEXT}{}`, 400, -32700],
    ["with a second message behind it", `${TEXT}\n${TEXT}`, 400, -32700],
    ["with a comment", `${TEXT}//`, 400, -32700],
    ["another version", TEXT.replace('"2.0"', '"1.0"'), 400, -32600],
    ["a version that is a number", TEXT.replace('"2.0"', "2.0"), 400, -32600],
    ["no version", TEXT.replace('"jsonrpc":"2.0",', ""), 400, -32600],
    ["its names in other letters", TEXT.replace('"method"', '"Method"'), 400, -32600],
    ["params in other letters", TEXT.replace('"params"', '"Params"'), 400, -32600],
    ["the name of the tool in other letters", TEXT.replace('"name"', '"Name"'), 200, -32602],
    ["an id that is an object", TEXT.replace('"id":1', '"id":{}'), 400, -32600],
    ["an id that is null", TEXT.replace('"id":1', '"id":null'), 400, -32600],
    ["a second method in other letters", TEXT.replace('"method"', '"Method":"initialize","method"'), 400, -32600],
    ["a method that is none", TEXT.replace('"tools/call"', "7"), 400, -32600],
    ["an unknown method", TEXT.replace("tools/call", "tools/drop"), 200, -32601],
    ["a batch of calls", `[${TEXT},${TEXT}]`, 400, -32600],
  ];
  test.each(cases)("%s", async (_, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    expect(answer.calls).toBe(code === undefined ? 1 : 0);
  });

  test("what stands twice is what stands last, for all that look at it", async () => {
    const twice = TEXT.replace('"name":"sample_list"', '"name":"sample_boom","name":"sample_list"');
    const answer = await post(twice);
    expect([answer.status, answer.calls, caller.calls.at(-1)?.name]).toEqual([200, 1, "sample_list"]);
    const modern = JSON.stringify({ ...CALL, params: { ...CALL.params, _meta: META } });
    const named = modern.replace('"name":"sample_list"', '"name":"sample_list","name":"sample_boom"');
    expect(await post(named, MODERN)).toMatchObject({ status: 400, json: { error: { code: -32020 } }, calls: 0 });
  });

  test.each(['{"jsonrpc":"2.0","method":"notifications/none"}', '{"jsonrpc":"2.0","id":1,"result":{}}'])(
    "%s is taken, and not answered",
    async (body) => {
      const answer = await post(body);
      expect([answer.status, answer.json, answer.calls]).toEqual([202, undefined, 0]);
    },
  );
});

describe("a body is JSON by its type, in UTF-8, and nothing is unpacked", () => {
  const cases: [title: string, headers: Headers, body: string | Uint8Array, status: number][] = [
    ["no type", { ...JSON_BODY, "content-type": "" }, TEXT, 415],
    ["a form", { ...JSON_BODY, "content-type": "application/x-www-form-urlencoded" }, TEXT, 415],
    ["text, as any web page may send", { ...JSON_BODY, "content-type": "text/plain" }, TEXT, 415],
    ["another type that says JSON", { ...JSON_BODY, "content-type": "text/plain; a=application/json" }, TEXT, 415],
    ["gzip", { ...JSON_BODY, "content-encoding": "gzip" }, gzipSync(TEXT), 400],
    ["a gzip bomb", { ...JSON_BODY, "content-encoding": "gzip" }, gzipSync(Buffer.alloc(50_000_000, 0x20)), 400],
    ["an encoding that nobody knows", { ...JSON_BODY, "content-encoding": "zip" }, gzipSync(TEXT), 400],
    [
      "UTF-16",
      { ...JSON_BODY, "content-type": "application/json; charset=utf-16le" },
      Buffer.from(TEXT, "utf16le"),
      400,
    ],
  ];
  test.each(cases)("%s", async (_, headers, body, status) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.calls]).toEqual([status, 0]);
  });
});

describe("sessions and streams of old are not begun", () => {
  test("an id of a session, and of an event, are passed over, and none is given", async () => {
    const INITIALIZE = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
    };
    for (const body of [JSON.stringify(INITIALIZE), TEXT]) {
      const answer = await post(body, { ...JSON_BODY, "mcp-session-id": "another's", "last-event-id": "7" });
      expect([answer.status, answer.json.error, answer.headers.get("mcp-session-id")]).toEqual([200, undefined, null]);
    }
  });
});

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString("base64")}?=`;

describe("what headers say and what the message says is the same (MCP 2026-07-28)", () => {
  const MISMATCH = -32020;
  const without = (name: string): Headers => Object.fromEntries(Object.entries(MODERN).filter(([key]) => key !== name));
  const cases: [title: string, headers: Headers, meta: object, status: number, code: number | undefined][] = [
    ["all as it should be", MODERN, {}, 200, undefined],
    ["the name in base64", { ...MODERN, "mcp-name": base64("sample_list") }, {}, 200, undefined],
    ["spaces around", { ...MODERN, "mcp-name": "  sample_list  " }, {}, 200, undefined],
    ["no version in the headers", without("mcp-protocol-version"), {}, 400, MISMATCH],
    ["an older one in the headers", { ...MODERN, "mcp-protocol-version": "2025-11-25" }, {}, 400, MISMATCH],
    [
      "a version that nobody knows in both",
      { ...MODERN, "mcp-protocol-version": "2099-01-01" },
      { "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
      400,
      -32022,
    ],
    ["no method in the headers", without("mcp-method"), {}, 400, MISMATCH],
    ["another method", { ...MODERN, "mcp-method": "tools/list" }, {}, 400, MISMATCH],
    ["the method in other letters", { ...MODERN, "mcp-method": "Tools/Call" }, {}, 400, MISMATCH],
    ["two methods", { ...MODERN, "mcp-method": "tools/call, tools/call" }, {}, 400, MISMATCH],
    ["no name in the headers", without("mcp-name"), {}, 400, MISMATCH],
    ["another name", { ...MODERN, "mcp-name": "sample_boom" }, {}, 400, MISMATCH],
    ["another name in base64", { ...MODERN, "mcp-name": base64("sample_boom") }, {}, 400, MISMATCH],
    ["base64 that is none", { ...MODERN, "mcp-name": "=?base64?sample_list?=" }, {}, 400, MISMATCH],
    ["base64 without its end", { ...MODERN, "mcp-name": base64("sample_list").slice(0, -2) }, {}, 400, MISMATCH],
    ["the name in other letters", { ...MODERN, "mcp-name": "SAMPLE_LIST" }, {}, 400, MISMATCH],
  ];
  test.each(cases)("%s", async (_, headers, meta, status, code) => {
    const body = { ...CALL, params: { ...CALL.params, _meta: { ...META, ...meta } } };
    const answer = await post(JSON.stringify(body), headers);
    expect([answer.status, answer.json.error?.code]).toEqual([status, code]);
    expect(answer.calls).toBe(code === undefined ? 1 : 0);
    if (code === -32022) expect(answer.json.error.data.supported).toContain("2026-07-28");
  });

  test("a method that nobody knows is none of the URL's", async () => {
    const body = { ...CALL, method: "tools/drop", params: { _meta: META } };
    const answer = await post(JSON.stringify(body), { ...JSON_BODY, ...MODERN, "mcp-method": "tools/drop" });
    expect([answer.status, answer.json.error.code, answer.calls]).toEqual([404, -32601, 0]);
  });

  test("whatever else a header names, nothing is called", async () => {
    const body = JSON.stringify({ ...CALL, params: { ...CALL.params, _meta: META } });
    const written = fc.oneof(
      fc.stringMatching(/^[!-~][ -~]{0,30}[!-~]$/),
      fc.constantFrom("sample_list").chain((name) => fc.mixedCase(fc.constant(name))),
      fc.string({ unit: "grapheme", maxLength: 20 }).map(base64),
      fc.base64String({ minLength: 4, maxLength: 40 }).map((text) => `=?base64?${text}?=`),
    );
    await fc.assert(
      fc.asyncProperty(written, async (name) => {
        fc.pre(name !== "sample_list" && name !== base64("sample_list"));
        const answer = await post(body, { ...MODERN, "mcp-name": name });
        expect([answer.status, answer.json.error?.code, answer.calls]).toEqual([400, -32020, 0]);
      }),
      { numRuns: 200 },
    );
  });
});
