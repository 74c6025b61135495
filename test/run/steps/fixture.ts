import { openAuthorizer } from "../../../src/auth/open-authorizer.ts";
import type { EgressReply, EgressRequest } from "../../../src/egress/open-egress.ts";
import type { Binding, Call, OperationPlan } from "../../../src/model/call.ts";
import type { Caller, ToolReply } from "../../../src/model/exchange.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Place } from "../../../src/model/place.ts";
import type { Shape, ValueTemplate } from "../../../src/model/shape.ts";
import type { CallStep, Step, ValueStep } from "../../../src/model/step.ts";
import type { Tool, Toolset } from "../../../src/model/tool.ts";
import type { Value } from "../../../src/model/value.ts";
import { createRunner } from "../../../src/run/run-tool.ts";
import { expression, value } from "../shape-fixture.ts";
import { input, NOW, toolOf } from "../validate-fixture.ts";

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or bytes as they are. */
  readonly body?: Json | Uint8Array;
  readonly type?: string;
}
/** Answers a request, or fails as the outside does. */
export type Script = (asked: Asked) => Scripted | Promise<Scripted>;
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly signal: EgressRequest["signal"];
}

const METHODS = ["GET", "POST"] as const;

/** Two operations over `/{name}`: the first reads, the second writes. */
const OPERATIONS: readonly OperationPlan[] = METHODS.map((method) => ({
  key: `${method} /{name}`,
  method,
  path: "/{name}",
  server: "https://api.example.com",
  parameters: [],
  accept: "application/json",
  security: [],
  safe: method === "GET",
}));

type Binds = Readonly<Record<string, string | Value>>;

function bind(place: Place, of: string | Value, more: Partial<Binding> = {}): Binding {
  const given = typeof of === "string" ? value(of) : of;
  return { place, value: given, pinned: false, type: "any", required: false, nullable: false, ...more };
}
const path = (name: string): Binding =>
  bind({ in: "path", name: "name", pointer: [] }, { kind: "literal", value: name }, { required: true, type: "string" });
export const query = (name: string, of: string | Value, more: Partial<Binding> = {}): Binding =>
  bind({ in: "query", name, pointer: [] }, of, more);

export type StepOptions = Partial<Omit<CallStep, "kind" | "call" | "safe">> & {
  readonly needs?: readonly number[];
  readonly when?: string;
  /** Query parameters, each by an expression. */
  readonly args?: Binds;
  readonly bindings?: readonly Binding[];
  readonly call?: Partial<Call>;
  readonly each?: string;
  readonly max?: number;
};

/** A step that sends GET /id, or POST /id. */
export function read(id: string, options: StepOptions = {}): Step & CallStep {
  return callStep(id, 0, options);
}
export function write(id: string, options: StepOptions = {}): Step & CallStep {
  return callStep(id, 1, options);
}
function callStep(id: string, operation: number, options: StepOptions): Step & CallStep {
  const { needs = [], when, args = {}, bindings = [], call, each, max = 10, optional = false, ...more } = options;
  return {
    kind: "call",
    id,
    needs,
    call: {
      operation,
      bindings: [path(id), ...Object.entries(args).map(([name, of]) => query(name, of)), ...bindings],
      ...call,
    },
    safe: operation === 0,
    optional,
    ...(when !== undefined && { when: expression(when) }),
    ...(each !== undefined && { forEach: { list: expression(each), max } }),
    ...more,
  };
}
export function compute(id: string, jmespath: string, needs: readonly number[] = []): Step & ValueStep {
  return { kind: "value", id, needs, value: expression(jmespath) };
}

/** `{name: expression}` as `result.value`. */
export function values(entries: Readonly<Record<string, string>>, budget = 25_000): Shape {
  const template: ValueTemplate = {
    kind: "object",
    entries: Object.entries(entries).map(([name, of]) => [name, { kind: "expression", expression: expression(of) }]),
  };
  return { kind: "value", value: template, budget };
}

const INPUTS = [input("q", { kind: "string" }), input("deep", { kind: "boolean" })];

export interface Flow {
  readonly steps: readonly Step[];
  readonly script: Script;
  readonly shape?: Shape;
  readonly tool?: Partial<Tool>;
  readonly toolset?: Partial<Toolset>;
  readonly concurrency?: number;
}

/** A runner of one workflow over a scripted upstream, and what it was asked, in the order of asking. */
export function startFlow({ steps, script, shape, tool, toolset, concurrency = 16 }: Flow) {
  const sent: string[] = [];
  const reported: unknown[] = [];
  const flow: Tool = {
    ...toolOf(INPUTS, shape ?? { kind: "object", budget: 25_000 }),
    plan: { kind: "steps", steps },
    ...tool,
  };
  const upstream: Toolset["upstream"] = {
    headers: [],
    credentials: [],
    timeoutMs: 20_000,
    retries: 0,
    maxResponseBytes: 1_000_000,
    concurrency,
    redirects: [],
    errors: { message: expression("message") },
  };
  const runner = createRunner(
    {
      version: 1,
      server: { name: "t", instructions: "", structured: true },
      upstream,
      operations: OPERATIONS,
      pins: [],
      entities: [],
      tools: [flow],
      ...toolset,
    },
    { env: {} },
    {
      egress: { request: (request) => answer(request, script, sent), close: async () => {} },
      authorize: openAuthorizer(),
      observe: () => {},
      report: (error) => reported.push(error),
      now: () => NOW,
    },
  );
  const call = async (args: JsonObject = {}, caller: Partial<Caller> = {}): Promise<ToolReply> =>
    runner.call(flow.name, args, { key: {}, signal: new AbortController().signal, ...caller });
  const ask = async (args: JsonObject = {}, caller: Partial<Caller> = {}): Promise<JsonObject> =>
    JSON.parse((await call(args, caller)).text) as JsonObject;
  return { ask, call, sent, reported };
}

async function answer(request: EgressRequest, script: Script, sent: string[]): Promise<EgressReply> {
  const { pathname, searchParams, search } = new URL(request.url);
  sent.push(`${request.method} ${pathname}${search}`);
  request.onSent?.();
  const asked = { method: request.method, path: pathname, query: searchParams, signal: request.signal };
  const { status = 200, headers = {}, body = {}, type = "application/json" } = await script(asked);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  async function* chunks() {
    yield bytes;
  }
  return {
    status,
    url: request.url,
    headers: new Map(Object.entries({ "content-type": type, ...headers })),
    body: chunks(),
  };
}

/** Never answers: ends as the request's signal does. */
export function hang({ signal }: Asked): Promise<Scripted> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
