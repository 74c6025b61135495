import { openAuthorizer } from "../../../src/auth/open-authorizer.ts";
import type { Egress, EgressRequest } from "../../../src/egress/open-egress.ts";
import type { Binding, Call, FilledPlace, OperationPlan, ParameterPlan } from "../../../src/model/call.ts";
import { ToolError } from "../../../src/model/errors.ts";
import type { FilterField, FilterTarget } from "../../../src/model/filter.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Place } from "../../../src/model/place.ts";
import type { Pin, Tool, ToolFilter, Toolset, ValueSource } from "../../../src/model/tool.ts";
import type { Arguments } from "../../../src/run/arguments/validate-arguments.ts";
import type { Asking } from "../../../src/run/exchange/ask-upstream.ts";
import { createSlots } from "../../../src/run/exchange/limit-concurrency.ts";
import { openAccess } from "../../../src/run/open-access.ts";
import { expression, value } from "../shape-fixture.ts";
import { input, NOW, toolOf } from "../validate-fixture.ts";

export { expression, input, NOW, value };

export const query = (name: string, ...pointer: string[]): Place => ({ in: "query", name, pointer });
export const body = (...pointer: string[]): Place => ({ in: "body", pointer });
export const filled = (place: Place, type: FilledPlace["type"] = "any"): FilledPlace => ({ place, type });

export function bind(place: Place, from: string | { readonly literal: Json }, more: Partial<Binding> = {}): Binding {
  const made = typeof from === "string" ? value(from) : ({ kind: "literal", value: from.literal } as const);
  return { place, value: made, pinned: false, type: "any", required: false, nullable: false, ...more };
}

export function operation(path: string, more: Partial<OperationPlan> = {}): OperationPlan {
  const method = more.method ?? "GET";
  return {
    key: `${method} ${path}`,
    method,
    path,
    server: "http://127.0.0.1:1",
    parameters: [],
    accept: "application/json",
    security: [],
    safe: true,
    ...more,
  };
}

export const POST: Partial<OperationPlan> = {
  method: "POST",
  body: { required: true, mediaType: "application/json", encoding: [] },
};

export function parameter(name: string, more: Partial<ParameterPlan> = {}): ParameterPlan {
  return { name, in: "query", required: false, style: "form", explode: true, allowReserved: false, ...more };
}

export function field(name: string, more: Partial<FilterField> = {}): FilterField {
  return { name, to: name, type: "string", nullable: true, ...more };
}

/** The list at `GET /dimensions`, operation 1 of a toolset. */
export function dimensions(more: Partial<ValueSource> = {}): ValueSource {
  return {
    call: { operation: 1, bindings: [] },
    rows: expression("dimensions"),
    field: expression("schemaFieldName"),
    tool: "ledger_list_dimensions",
    ...more,
  };
}

/** The tool that lists them for callers. */
export const listing: Tool = {
  ...toolOf([], {
    kind: "list",
    rows: expression("dimensions"),
    fields: [{ kind: "column", name: "name", path: expression("schemaFieldName") }],
    budget: 25_000,
  }),
  name: "ledger_list_dimensions",
};

export interface Given {
  readonly tool?: Partial<Tool>;
  readonly filter?: Partial<ToolFilter>;
  readonly call?: Partial<Call>;
  readonly target?: FilterTarget;
  readonly operations?: readonly OperationPlan[];
  readonly pins?: JsonObject;
  readonly toolset?: Partial<Toolset>;
  readonly input?: JsonObject;
  readonly wire?: JsonObject;
  readonly access?: Asking["access"];
  readonly now?: Date;
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
}

/** What all requests of one call have in common, over an egress of the test. */
export function askingOf(given: Given, egress: Egress = NO_EGRESS): Asking {
  const { call = {}, filter, pins = {}, input: inputs = {}, target } = given;
  const whole: Call = {
    operation: 0,
    bindings: [],
    ...(target !== undefined && { filter: { target } }),
    ...call,
  };
  const tool: Tool = {
    ...toolOf([]),
    plan: { kind: "call", call: whole },
    ...(filter !== undefined && { filter: { offered: true, depth: 2, fields: [], always: [], ...filter } }),
    ...given.tool,
  };
  const toolset: Toolset = {
    version: 1,
    server: { name: "ledger", instructions: "", structured: true },
    upstream: {
      headers: [],
      credentials: [],
      timeoutMs: 5_000,
      retries: 0,
      maxResponseBytes: 1_000_000,
      concurrency: 8,
      redirects: [],
      errors: {},
    },
    operations: given.operations ?? [operation("/things"), operation("/dimensions")],
    entities: [],
    pins: Object.entries(pins).map(([name, one]): Pin => ({ name, value: { kind: "literal", value: one } })),
    tools: [tool, listing],
    ...given.toolset,
  };
  return {
    tool,
    toolset,
    slots: createSlots(8),
    access: given.access ?? openAccess(toolset, { KEY: "sk-live-0123456789" }, { key: {} }),
    caller: { key: {}, signal: given.signal ?? new AbortController().signal },
    outside: { egress, authorize: openAuthorizer(), observe: () => {}, report: () => {}, now: () => given.now ?? NOW },
    deadlineAt: performance.now() + (given.deadlineMs ?? 10_000),
    roots: { input: inputs, pins },
    wire: { input: given.wire ?? inputs, pins },
    reach: () => {},
  };
}

export const callOf = ({ tool }: Asking): Call => {
  if (tool.plan.kind !== "call") throw new Error("The tool has no call.");
  return tool.plan.call;
};

/** Arguments as they come out of validation, in the caller's form and the upstream's. */
export function argumentsOf(values: JsonObject, filter?: unknown): Arguments {
  const map = new Map(Object.entries(values));
  return { values: map, wire: map, ...(filter !== undefined && { filter }) };
}

const NO_EGRESS: Egress = {
  request: async ({ url }) => {
    throw new Error(`Nothing may be sent, and this was: ${url}`);
  },
  close: async () => {},
};

export type Script = (request: EgressRequest) => Promise<Json | { readonly status: number; readonly body?: string }>;

/** An egress that answers JSON as scripted, and what was asked of it. */
export function scripted(script: Script | Json): { readonly egress: Egress; readonly sent: EgressRequest[] } {
  const sent: EgressRequest[] = [];
  const answer = async (request: EgressRequest) => (typeof script === "function" ? script(request) : script);
  const egress: Egress = {
    close: async () => {},
    async request(request) {
      sent.push(request);
      const found = await answer(request);
      const isRaw = typeof found === "object" && found !== null && "status" in found;
      const { status, body: text = "" } = isRaw
        ? (found as { status: number; body?: string })
        : { status: 200, body: JSON.stringify(found) };
      async function* chunks() {
        yield Buffer.from(text);
      }
      const headers = new Map(text === "" ? [] : [["content-type", "application/json"]]);
      return { status, headers, url: request.url, body: chunks() };
    },
  };
  return { egress, sent };
}

/** The ToolError of what fails, or whatever else it failed with. */
export async function failureOf(run: () => unknown): Promise<ToolError> {
  try {
    await run();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("Nothing failed.");
}

/** An error as data: code and details. */
export async function refusalOf(run: () => unknown): Promise<JsonObject> {
  const { code, detail } = await failureOf(run);
  return { error: code, ...(detail as unknown as JsonObject) };
}
