import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, serveOverHttp } from "../../src/mcp/serve-http.ts";
import { listedTool } from "../../src/model/listed-tool.ts";
import { FAIL_TEXT, LIST_REPLY, sampleCaller, sampleSource, sampleToolset } from "../fixtures/mcp/sample-server.ts";
import { bundleStdioServer } from "./bundle-fixture.ts";
import { connect, PEERS, type Target } from "./peers.ts";

const reported: unknown[] = [];
const caller = sampleCaller();
let http: HttpServer;
const targets = new Map<string, Target>();

beforeAll(async () => {
  const program = await bundleStdioServer();
  http = await serveOverHttp(sampleSource(caller), {
    hostname: "127.0.0.1",
    port: 0,
    allowHosts: [],
    key: { tenantID: "t-1" },
    listTtlMs: 1000,
    report: (error) => reported.push(error),
  });
  targets.set("HTTP", { url: http.url });
  targets.set("stdio", { command: process.execPath, args: [program] });
});

afterAll(() => http.close(1000));

const want = sampleToolset.tools.map((tool) => listedTool(tool, true)).toSorted((a, b) => a.name.localeCompare(b.name));
const text = { type: "text", text: LIST_REPLY.text };

describe.each(["HTTP", "stdio"])("over %s", (transport) => {
  describe.each(PEERS)("a client of the %s", (peer) => {
    test("lists and calls with the same bytes as every other client", async () => {
      const client = await connect(peer, targets.get(transport)!);
      try {
        expect((await client.listTools()).tools).toStrictEqual(want);
        expect(client.getServerVersion()).toStrictEqual({ name: "sample", title: "Sample tools", version: "1.2.3" });
        expect(client.getInstructions()).toBe("Call `sample_list` first.");
        const call = async (name: string) => {
          const { _meta, resultType, ...result } = (await client.callTool({
            name,
            arguments: { since: "x" },
          })) as Record<string, unknown>;
          return result;
        };
        const structuredContent = { rowCount: 1, data: [{ cell: null }] };
        expect(await call("sample_list")).toStrictEqual({ content: [text], structuredContent });
        expect(await call("sample_fail")).toStrictEqual({
          content: [{ type: "text", text: FAIL_TEXT }],
          isError: true,
        });
        expect(await call("sample_image")).toStrictEqual({
          content: [
            text,
            { type: "image", data: "aGk=", mimeType: "image/png" },
            { type: "resource", resource: { uri: "vitrine:body", mimeType: "application/pdf", blob: "aGk=" } },
          ],
          structuredContent,
        });
        await expect(call("nowhere")).rejects.toMatchObject({
          code: -32602,
          message: expect.stringMatching(/Unknown tool: nowhere$/),
        });
        await expect(call("sample_boom")).rejects.toMatchObject({
          code: -32603,
          message: expect.stringMatching(/Internal error$/),
        });
      } finally {
        await client.close();
      }
    });
  });
});

test("a handler's fault is told to the operator and not to the caller", () => {
  expect(reported.map(String)).toContain("Error: the database password is hunter2");
});

test("a call carries the arguments and the key of the caller", () => {
  expect(caller.calls[0]).toMatchObject({
    name: "sample_list",
    args: { since: "x" },
    caller: { key: { tenantID: "t-1" } },
  });
});
