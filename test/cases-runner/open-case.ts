import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { openAuthorizer } from "../../src/auth/open-authorizer.ts";
import { type CompileResult, compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { type Egress, openEgress } from "../../src/egress/open-egress.ts";
import { makeGeneration } from "../../src/mcp/make-generation.ts";
import { serveOverHttp } from "../../src/mcp/serve-http.ts";
import type { Api } from "../../src/model/api.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { ListedTool } from "../../src/model/listed-tool.ts";
import type { Toolset } from "../../src/model/tool.ts";
import { createRunner } from "../../src/run/run-tool.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { connect } from "../mcp/peers.ts";
import { type Captured, startCapture } from "./capture-server.ts";
import { type Exposure, exposeCredentials, exposeOperation, type Mode, TOOL } from "./expose-operation.ts";
import type { Case, CaseAnswer, CaseArgs, CaseCredentials } from "./read-case.ts";

/** What one call led to. */
export interface Ran {
  readonly result: CallToolResult;
  /** With the origin that the request was planned for. */
  readonly requests: readonly (Captured & { readonly url: string })[];
  readonly ms: number;
}

/** One operation as a tool, served over MCP in front of a fake API. */
export interface OpenCase {
  readonly folder: string;
  readonly api: Api;
  readonly exposure: Exposure;
  readonly toolset: Toolset;
  /** From the wire. */
  readonly tool: ListedTool & { readonly outputSchema?: object };
  call(args: CaseArgs, answer?: CaseAnswer): Promise<Ran>;
  /** With arguments as a client may put them on the wire; null for none. */
  callRaw(given: Json): Promise<Ran>;
  /** Everything that went to the operator's log. */
  readonly reported: readonly unknown[];
  close(): Promise<void>;
}

export function loadCase({ folder, spec_url: url }: Pick<Case, "folder" | "spec_url">): Promise<Api> {
  const file = join(folder, "spec.yaml");
  if (url === undefined) return loadApi(file, {});
  const bytes = readFileSync(file);
  async function* body() {
    yield bytes;
  }
  const egress: Egress = {
    request: async (request) => ({ status: 200, headers: new Map(), url: request.url, body: body() }),
    close: async () => {},
  };
  return loadApi(url, { egress });
}

export interface Compiled extends CompileResult {
  readonly exposure: Exposure;
  readonly env: Record<string, string>;
}

/** Compiles the one-tool curation; an input that is a union is given as JSON text (contract: a union needs one chosen). */
export function compileCase(
  api: Api,
  operation: string,
  mode: Mode,
  more: { readonly credentials?: CaseCredentials; readonly baseUrl?: string } = {},
): Compiled {
  const { auth, env } = exposeCredentials(api, more.credentials ?? {});
  const types: Record<string, string> = {};
  for (;;) {
    const exposure = exposeOperation(api, operation, {
      mode,
      types,
      ...(more.baseUrl !== undefined && { baseUrl: more.baseUrl }),
      ...(more.credentials !== undefined && { auth }),
    });
    const { curation, problems } = loadCuration("case.yaml", JSON.stringify(exposure.curation));
    if (curation === undefined || problems.length > 0) throw new Error(JSON.stringify(problems));
    const result = compileToolset(curation, api);
    const unions = result.problems.filter(({ code }) => code === "union_needs_type");
    const names = unions.map(({ message }) => /^`(\w+)`/.exec(message)?.[1] ?? "").filter((name) => !(name in types));
    if (names.length === 0) return { ...result, exposure, env };
    for (const name of names) types[name] = "json";
  }
}

/** Where requests are planned to go, from the spec's own servers. */
const CANONICAL = "https://api.example.com";

/**
 * Compiles and serves. `apart` sends to the spec's own servers and the capture server stands in for their origins below the last line of our
 * code; `whole` names the capture server as `baseUrl`, so both ways of finding the server are covered.
 */
export async function openCase(
  given: Pick<Case, "folder" | "spec_url">,
  operation: string,
  mode: Mode,
  credentials?: CaseCredentials,
): Promise<OpenCase> {
  const api = await loadCase(given);
  const capture = await startCapture();
  const plain = compileCase(api, operation, mode, { ...(credentials && { credentials }) });
  const server = plain.toolset?.operations[0]?.server ?? "";
  const planned = URL.canParse(server) ? new URL(server) : new URL(CANONICAL);
  const isLocal = planned.hostname === "127.0.0.1";
  const base = `${capture.origin}${planned.pathname}`;
  const byBase = (mode === "whole" && !isLocal) || server === "";
  const compiled = byBase
    ? compileCase(api, operation, mode, { ...(credentials && { credentials }), baseUrl: base })
    : plain;
  const { toolset } = compiled;
  if (toolset === undefined) {
    capture.close();
    throw new Error(`It does not compile: ${compiled.problems.map((one) => `${one.code}: ${one.message}`).join("; ")}`);
  }
  const egress = openEgress({ trustedHosts: [new URL(capture.origin).host, planned.host], allowPrivate: [] });
  const mapped: Egress = {
    request: (request) =>
      egress.request({
        ...request,
        url: request.url.replace(planned.origin, isLocal ? planned.origin : capture.origin),
      }),
    close: () => egress.close(),
  };
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const outside = { egress: mapped, authorize: openAuthorizer(), observe: () => {}, report, now: () => new Date() };
  const runner = createRunner(toolset, { env: compiled.env }, outside);
  const generation = makeGeneration(toolset, "1", runner);
  const http = await serveOverHttp(
    { current: () => generation, onChange: () => () => {} },
    { hostname: "127.0.0.1", port: 0, allowHosts: [], key: {}, listTtlMs: 0, report },
  );
  const client = await connect("v2 SDK, 2026-07-28", { url: http.url });
  const { tools } = await client.listTools();
  const call = async (given: JsonObject | undefined): Promise<Ran> => {
    const before = capture.requests.length;
    const start = performance.now();
    const result = (await client.callTool({ name: TOOL, ...(given && { arguments: given }) })) as CallToolResult;
    const sent = capture.requests.slice(before);
    const requests = sent.map((one) => ({ ...one, url: `${planned.origin}${one.target}` }));
    return { result, requests, ms: performance.now() - start };
  };
  return {
    folder: given.folder,
    api,
    exposure: compiled.exposure,
    toolset,
    tool: tools.find(({ name }) => name === TOOL) as unknown as ListedTool,
    reported,
    call(args, answer) {
      if (answer !== undefined) capture.answer(answer);
      return call(compiled.exposure.toArguments(args));
    },
    callRaw: (given) => call(given === null ? undefined : (given as JsonObject)),
    async close() {
      await client.close();
      await http.close(100);
      await egress.close();
      capture.close();
    },
  };
}
