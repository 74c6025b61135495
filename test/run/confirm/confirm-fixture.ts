import type { EgressRequest } from "../../../src/egress/open-egress.ts";
import type { Binding, Call, OperationPlan } from "../../../src/model/call.ts";
import { UpstreamUnreachable } from "../../../src/model/errors.ts";
import type { Caller, ToolReply } from "../../../src/model/exchange.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { Place } from "../../../src/model/place.ts";
import type { CallStep, Step } from "../../../src/model/step.ts";
import type { Tool, Toolset } from "../../../src/model/tool.ts";
import type { Value } from "../../../src/model/value.ts";
import { createRunner, type Outside, type RunSettings } from "../../../src/run/run-tool.ts";
import { value } from "../shape-fixture.ts";
import { input, NOW, toolOf } from "../validate-fixture.ts";

export const SECRET = "sk-live-0123456789";

function operation(method: string, path: string, safe: boolean): OperationPlan {
  return {
    key: `${method} ${path}`,
    method,
    path,
    server: "https://dns.example.com",
    parameters: [],
    accept: "application/json",
    security: [[{ scheme: "key", scopes: [] }]],
    safe,
    ...(!safe && { body: { required: true, mediaType: "application/json", encoding: [] } }),
  };
}

const OPERATIONS = [
  operation("GET", "/zones/{zone}", true),
  operation("PATCH", "/zones/{zone}", false),
  operation("POST", "/notes", false),
];

export function bind(place: Place, from: string | Value, more: Partial<Binding> = {}): Binding {
  const made = typeof from === "string" ? value(from) : from;
  return { place, value: made, pinned: false, type: "any", required: false, nullable: false, ...more };
}

export const inPath = (name: string): Place => ({ in: "path", name, pointer: [] });
export const inBody = (...pointer: string[]): Place => ({ in: "body", pointer });

const zone = bind(inPath("zone"), "input.zone", { type: "string", required: true });
export const readCall: Call = { operation: 0, bindings: [zone] };
export const patchCall: Call = {
  operation: 1,
  bindings: [zone, bind(inBody("address"), "input.address"), bind(inBody("pin"), "pins.account", { pinned: true })],
};
export const noteCall: Call = { operation: 2, bindings: [bind(inBody("text"), "input.zone")] };

export function call(id: string, made: Call, more: Partial<CallStep & Step> = {}): Step {
  return { id, needs: [], kind: "call", call: made, safe: OPERATIONS[made.operation]!.safe, optional: false, ...more };
}

/** `Set ${…} to ${…}?` */
export const TEXT: Value = {
  kind: "text",
  parts: ["Set ", { jmespath: "input.zone" }, " to ", { jmespath: "input.address" }, "?"],
};

export function confirmTool(more: Partial<Tool> = {}): Tool {
  const base = toolOf([input("zone", { kind: "string" }, { required: true }), input("address", { kind: "string" })]);
  return {
    ...base,
    name: "set_address",
    inputSchema: { type: "object", properties: { confirm: { type: "string" } } },
    plan: { kind: "call", call: patchCall },
    confirm: { text: TEXT, human: false },
    ...more,
  };
}

export function toolsetOf(tools: readonly Tool[], more: Partial<Toolset> = {}): Toolset {
  return {
    version: 1,
    server: { name: "t", instructions: "", structured: true },
    upstream: {
      headers: [],
      credentials: [
        { scheme: "key", credential: { kind: "apiKey", in: "header", name: "X-Key", value: value("env.KEY") } },
      ],
      timeoutMs: 20_000,
      retries: 0,
      maxResponseBytes: 1_000_000,
      concurrency: 4,
      redirects: [],
      errors: {},
    },
    operations: OPERATIONS,
    pins: [{ name: "account", value: value("key.account") }],
    entities: [],
    tools,
    ...more,
  };
}

export type Answer = (request: EgressRequest) => Json | Error | Promise<Json>;

/** A runner over an upstream that answers so; `sent` are the requests that arrived. */
export function start(
  tools: readonly Tool[],
  answer: Answer = () => ({ ok: true }),
  settings: Partial<RunSettings> = {},
  upstream: Partial<Toolset["upstream"]> = {},
) {
  const sent: { method: string; url: string; headers: Record<string, string>; body: Json }[] = [];
  let now = NOW;
  const reported: unknown[] = [];
  const outside: Outside = {
    egress: {
      async request(request) {
        const text = request.body === undefined ? "null" : Buffer.from(request.body).toString();
        const { method, url } = request;
        sent.push({ method, url, headers: Object.fromEntries(request.headers), body: JSON.parse(text) as Json });
        const answered = await answer(request);
        const isRefused = answered instanceof UpstreamUnreachable && answered.reason === "refused";
        if (!isRefused) request.onSent?.();
        if (answered instanceof Error) throw answered;
        const headers = new Map([["content-type", "application/json"]]);
        return { status: statusOf(answered), headers, url: request.url, body: chunks(JSON.stringify(answered)) };
      },
      close: async () => {},
    },
    authorize: async (request) => ({
      request: { ...request, headers: [...request.headers, ["x-key", SECRET]] },
      secrets: [],
    }),
    observe: () => {},
    report: (error) => reported.push(error),
    now: () => now,
  };
  const runner = createRunner(withUpstream(toolsetOf(tools), upstream), { env: { KEY: SECRET }, ...settings }, outside);
  const run = (args: unknown, caller: Partial<Caller> = {}, name = tools[0]!.name) =>
    runner.call(name, args, { key: { account: "a-1" }, signal: new AbortController().signal, ...caller });
  return {
    runner,
    run,
    sent,
    reported,
    /** The methods that arrived so far. */
    methods: () => sent.map(({ method }) => method),
    pass: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
  };
}

/** An upstream of these tests says its status in the body, where it is another than 200. */
function statusOf(answered: Json): number {
  return isJsonObject(answered) && typeof answered.status === "number" ? answered.status : 200;
}

function withUpstream(toolset: Toolset, upstream: Partial<Toolset["upstream"]>): Toolset {
  return { ...toolset, upstream: { ...toolset.upstream, ...upstream } };
}

async function* chunks(text: string) {
  yield Buffer.from(text);
}

export const contentOf = (reply: ToolReply): JsonObject => JSON.parse(reply.text) as JsonObject;
export const askedOf = (reply: ToolReply): JsonObject => (contentOf(reply).confirmation ?? {}) as JsonObject;
export const tokenOf = (reply: ToolReply): string => String(askedOf(reply).confirm);
