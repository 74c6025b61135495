import { describe, expect, test } from "vitest";
import { openAuthorizer } from "../../src/auth/open-authorizer.ts";
import type { EgressReply, EgressRequest } from "../../src/egress/open-egress.ts";
import type { Binding, OperationPlan } from "../../src/model/call.ts";
import { DestinationBlocked, MissingSetting, UnknownTool, UpstreamUnreachable } from "../../src/model/errors.ts";
import type { Caller, RunEvent, ToolReply } from "../../src/model/exchange.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Place } from "../../src/model/place.ts";
import type { Pin, Tool, Toolset } from "../../src/model/tool.ts";
import { createRunner, type Outside } from "../../src/run/run-tool.ts";
import { column, expression, list, value } from "./shape-fixture.ts";
import { input, NOW, toolOf } from "./validate-fixture.ts";

const SECRET = "sk-live-0123456789";

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

function operation(more: Partial<OperationPlan> = {}): OperationPlan {
  return {
    key: "GET /v1/things",
    method: "GET",
    path: "/v1/things",
    server: "https://api.example.com",
    parameters: [],
    accept: "application/json",
    security: [[{ scheme: "key", scopes: [] }]],
    safe: true,
    ...more,
  };
}

function bind(place: Place, jmespath: string, more: Partial<Binding> = {}): Binding {
  return { place, value: value(jmespath), pinned: false, type: "any", required: false, nullable: false, ...more };
}
const query = (name: string): Place => ({ in: "query", name, pointer: [] });

function toolsetOf(tools: readonly Tool[], more: Partial<Toolset> & { operation?: OperationPlan } = {}): Toolset {
  const { operation: plan = operation(), ...rest } = more;
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
    operations: [plan],
    pins: [],
    entities: [],
    tools,
    ...rest,
  };
}

/** A runner over an upstream that answers so, and what happened around it. */
function start(
  toolset: Toolset,
  answer: Answer | ((request: EgressRequest) => Promise<Answer>),
  more: Partial<Outside> = {},
) {
  const sent: EgressRequest[] = [];
  const events: RunEvent[] = [];
  const reported: unknown[] = [];
  const outside: Outside = {
    egress: {
      async request(request) {
        sent.push(request);
        return replyOf(typeof answer === "function" ? await answer(request) : answer, request.url);
      },
      close: async () => {},
    },
    authorize: openAuthorizer(),
    observe: (event) => events.push(event),
    report: (error) => reported.push(error),
    now: () => NOW,
    ...more,
  };
  const runner = createRunner(toolset, { env: { KEY: SECRET } }, outside);
  const call = (args: unknown, caller: Partial<Caller> = {}, name = toolset.tools[0]!.name) =>
    runner.call(name, args, { key: {}, signal: new AbortController().signal, ...caller });
  return { runner, call, sent, events, reported };
}

function replyOf(
  { status = 200, headers = { "content-type": "application/json" }, body = "" }: Answer,
  url: string,
): EgressReply {
  async function* chunks() {
    yield typeof body === "string" ? Buffer.from(body) : body;
  }
  return { status, headers: new Map(Object.entries(headers)), url, body: chunks() };
}

const json = (body: unknown, status = 200): Answer => ({ status, body: JSON.stringify(body) });
const structured = (reply: ToolReply): JsonObject => (reply.isError ? {} : (reply.structured ?? {}));
const error = (reply: ToolReply): JsonObject => JSON.parse(reply.isError ? reply.text : "{}");

const things: Tool = {
  ...toolOf(
    [input("q", { kind: "string" }), input("n", { kind: "integer" })],
    list({ fields: [column("id")], limit: { default: 2, max: 10 } }),
  ),
  plan: { kind: "call", call: { operation: 0, bindings: [bind(query("q"), "input.q"), bind(query("n"), "input.n")] } },
};

const PAGED = { type: "object", properties: { pageToken: { type: "string" } } } as const;

describe("a call", () => {
  test("tells whoever makes it of its own requests, and of no other call's", async () => {
    const { call } = start(toolsetOf([things]), json({ rows: [] }));
    const heard = ["a", "b", "c"].map((q) => ({ q, events: [] as RunEvent[] }));
    await Promise.all(heard.map(({ q, events }) => call({ q }, { observe: (event) => void events.push(event) })));
    const urls = heard.map(({ events }) => events.map(({ type, request }) => `${type} ${request.url}`));
    expect(urls).toEqual(
      heard.map(({ q }) => ["request", "reply"].map((type) => `${type} https://api.example.com/v1/things?q=${q}`)),
    );
    expect(heard.map(({ events: [sent, got] }) => sent?.request === got?.request)).toEqual([true, true, true]);
  });

  test("goes from arguments to request to reply", async () => {
    const { call, sent, events } = start(toolsetOf([things]), json({ rows: [{ id: 1 }, { id: 2 }, { id: 3 }] }));
    const reply = await call({ q: "a b", n: "5" });
    expect(sent.map(({ url }) => url)).toEqual(["https://api.example.com/v1/things?q=a%20b&n=5"]);
    expect(sent[0]?.headers).toContainEqual(["x-key", SECRET]);
    expect(structured(reply)).toMatchObject({ rowCount: 2, hasMore: true, data: [{ id: 1 }, { id: 2 }] });
    expect(reply.isError || JSON.parse(reply.text)).toEqual(structured(reply));
    expect(events.map(({ type }) => type)).toEqual(["request", "reply"]);
  });

  test("without structured content has the same text", async () => {
    const body = json({ rows: [{ id: 1 }] });
    const whole = await start(toolsetOf([things]), body).call({});
    const server = { name: "t", instructions: "", structured: false };
    const plain = await start(toolsetOf([things], { server }), body).call({});
    expect(plain).toEqual({ isError: false, text: whole.text });
  });

  test("by an old name runs the tool, and a page token is good by either name", async () => {
    const body = json({ rows: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    const { call } = start(toolsetOf([{ ...things, inputSchema: PAGED, aliases: ["ledger_old"] }]), body);
    const first = structured(await call({}, {}, "ledger_old"));
    const rest = structured(await call({ pageToken: first["nextPageToken"] as string }));
    expect([first["data"], rest["data"]]).toEqual([[{ id: 1 }, { id: 2 }], [{ id: 3 }]]);
  });

  test("of a name that is not listed throws, and that alone", async () => {
    const { call, sent } = start(toolsetOf([things]), json({}));
    await expect(call({}, {}, "toString")).rejects.toBeInstanceOf(UnknownTool);
    expect(sent).toEqual([]);
  });

  test("with wrong arguments sends nothing", async () => {
    const { call, sent } = start(toolsetOf([things]), json({}));
    expect(error(await call({ quary: 1 }))).toMatchObject({
      error: "unknown_argument",
      path: "quary",
      retryable: false,
    });
    expect(error(await call({ limit: 11 }))).toMatchObject({ error: "invalid_arguments", path: "limit", got: 11 });
    expect(sent).toEqual([]);
  });

  test("answered by nothing is done", async () => {
    expect((await start(toolsetOf([things]), { status: 204 }).call({})).text).toBe('{"done":true}');
  });

  test("sees arguments in the upstream's form when sending and in the caller's when replying", async () => {
    const tool: Tool = {
      ...toolOf([input("at", { kind: "date-time" }, { form: { as: "unix" } })], {
        kind: "value",
        value: { kind: "expression", expression: expression("{asked: $.input.at, got: at}") },
        budget: 512,
      }),
      plan: { kind: "call", call: { operation: 0, bindings: [bind(query("at"), "input.at")] } },
    };
    const { call, sent } = start(toolsetOf([tool]), json({ at: 7 }));
    expect(structured(await call({ at: "1970-01-02" }))).toEqual({ asked: "1970-01-02", got: 7 });
    expect(sent[0]?.url).toMatch(/\?at=86400$/);
  });

  test("keeps the digits of 64-bit integers on both ways", async () => {
    const id = input("id", { kind: "integer", digits: true });
    const target = {
      kind: "object",
      properties: [{ name: "target", wire: "target", required: true, type: id.type }],
    } as const;
    const tool: Tool = {
      ...toolOf([id, input("data", target)]),
      plan: {
        kind: "call",
        call: {
          operation: 0,
          bindings: [
            bind({ in: "path", name: "id", pointer: [] }, "input.id", { type: "integer", required: true }),
            bind({ in: "body", pointer: [] }, "input.data", { type: "object" }),
          ],
        },
      },
    };
    const plan = operation({
      key: "POST /notes/{id}",
      method: "POST",
      path: "/notes/{id}",
      safe: false,
      body: { required: true, mediaType: "application/json", encoding: [] },
    });
    const { call, sent } = start(toolsetOf([tool], { operation: plan }), { body: '{"id":9007199254740997}' });
    const reply = await call({ id: "9007199254740993", data: '{"target":"9007199254740995"}' });
    expect(sent[0]).toMatchObject({
      url: "https://api.example.com/notes/9007199254740993",
      body: '{"target":9007199254740995}',
    });
    expect(reply.text).toBe('{"id":"9007199254740997"}');
  });
});

describe("pins", () => {
  const pins: readonly Pin[] = [{ name: "tenantID", value: value("key.tenantID") }];
  const pinned: Tool = {
    ...things,
    plan: {
      kind: "call",
      call: { operation: 0, bindings: [bind(query("tenantID"), "pins.tenantID", { pinned: true, required: true })] },
    },
  };
  const access: Tool = {
    ...toolOf([], {
      kind: "value",
      value: {
        kind: "object",
        entries: [
          [
            "pins",
            {
              kind: "object",
              entries: [["tenantID", { kind: "expression", expression: expression('$.pins."tenantID"') }]],
            },
          ],
        ],
      },
      budget: 25_000,
    }),
    name: "describe_access",
    plan: { kind: "access" },
  };
  const toolset = toolsetOf([pinned, access], { pins });
  const caller = { key: { tenantID: "t-1" } };

  test("are sent whatever the caller says, who may not say anything", async () => {
    const { call, sent } = start(toolset, json({ rows: [] }));
    await call({}, caller);
    expect(sent[0]?.url).toMatch(/\?tenantID=t-1$/);
    expect(error(await call({ TENANTID: "t-2" }, caller))).toMatchObject({
      error: "pinned_argument",
      path: "TENANTID",
    });
    expect(sent).toHaveLength(1);
  });

  test("are described, and nothing is sent for it", async () => {
    const { call, sent } = start(toolset, json({}));
    const reply = structured(await call({}, caller, "describe_access"));
    expect(reply).toEqual({ note: expect.stringContaining("every call"), pins: { tenantID: "t-1" } });
    expect(sent).toEqual([]);
  });

  test("without a value end the call before anything is sent, and are told when serving begins", async () => {
    const { runner, call, sent, reported } = start(toolset, json({}));
    expect(error(await call({}, { key: { other: 1 } }))).toMatchObject({ error: "internal" });
    expect(sent).toEqual([]);
    expect(reported).toEqual([expect.any(MissingSetting)]);
    expect(() => runner.checkSettings({ key: {} })).toThrow(/tenantID/);
    expect(() => runner.checkSettings({ key: { tenantID: "t-1" } })).not.toThrow();
  });

  test("two callers never share what their keys lead to", async () => {
    const { call, sent } = start(toolset, json({ rows: [] }));
    await Promise.all(["a", "b"].map((tenantID) => call({}, { key: { tenantID } })));
    expect(sent.map(({ url }) => url.slice(-1)).sort()).toEqual(["a", "b"]);
  });
});

describe("secrets", () => {
  const raw = toolOf([], { kind: "object", budget: 600 });

  test.each([
    ["in a reply", json({ echo: `key ${SECRET}`, [SECRET]: 1 })],
    ["in a reply that is cut just there", json({ long: "x".repeat(420) + SECRET + "y".repeat(500) })],
    ["in a text", { headers: { "content-type": "text/plain" }, body: `your ${SECRET}` }],
    ["in an error", json({ message: `bad key ${SECRET}` }, 400)],
    ["in an error that is cut just there", { status: 500, headers: {}, body: "z".repeat(295) + SECRET }],
    ["in an error's code", json({ code: SECRET }, 403)],
  ])("are never %s", async (_, answer) => {
    const { call } = start(toolsetOf([raw]), answer);
    const { text } = await call({});
    expect(text).not.toContain(SECRET.slice(0, 6));
    expect(text.length).toBeGreaterThan(10);
  });

  test("are in no event", async () => {
    const { call, events } = start(toolsetOf([raw]), json({}));
    await call({});
    expect(JSON.stringify(events.map((event) => event.request))).not.toContain(SECRET);
  });
});

describe("failures", () => {
  const rule = {
    status: "400",
    when: expression("code == 'UNKNOWN_FIELD'"),
    error: "unknown_fields",
    recover: "Call `list`.",
  };
  const cases: readonly [title: string, answer: Answer, code: string][] = [
    ["a rule of the curation", json({ code: "UNKNOWN_FIELD" }, 400), "unknown_fields"],
    ["another 400", json({ code: "OTHER" }, 400), "upstream_rejected"],
    ["a 404", json({}, 404), "upstream_not_found"],
    ["a 401", json({}, 401), "upstream_unauthorized"],
    [
      "a page with status 500",
      { status: 500, headers: { "content-type": "text/html" }, body: "<html>Oops" },
      "upstream_unavailable",
    ],
    [
      "a page where rows were promised",
      { headers: { "content-type": "text/html" }, body: "<html>Log in" },
      "upstream_bad_response",
    ],
    ["invalid JSON", { body: "{rows:" }, "upstream_bad_response"],
    ["JSON without the rows", json({ items: [] }), "upstream_bad_response"],
    ["a redirect", { status: 302, headers: { location: "https://elsewhere.example.com" } }, "upstream_bad_response"],
  ];
  test.each(cases)("%s", async (_, answer, code) => {
    const { call } = start(toolsetOf([{ ...things, errors: [rule] }]), answer);
    const reply = await call({});
    expect(error(reply)).toMatchObject({
      error: code,
      message: expect.any(String),
      recover: expect.any(String),
      retryable: expect.any(Boolean),
    });
    expect(reply).not.toHaveProperty("structured");
  });

  test("is told with what hides the secrets of the caller whose call it was, and of no other", async () => {
    const told: string[] = [];
    const report: Outside["report"] = (error, hide = String) => told.push(hide(String(error)));
    const fault = () => Promise.reject(new Error("Sent key-of-ann, not key-of-bob."));
    const { call } = start(toolsetOf([things]), fault, { report });
    const keyed = (text: string): Partial<Caller> => {
      const credential = {
        kind: "apiKey",
        in: "header",
        name: "X-Key",
        value: { kind: "literal", value: text },
      } as const;
      return { id: text, key: {}, credentials: [{ scheme: "key", credential }] };
    };
    for (const key of ["key-of-ann", "key-of-bob"]) await call({}, keyed(key));
    expect(told).toEqual(["Error: Sent ***, not key-of-bob.", "Error: Sent key-of-ann, not ***."]);
  });
  test("of ours tell the caller nothing and the operator everything", async () => {
    const fault = new TypeError(`cannot read ${SECRET} of /home/operator`);
    const { call, reported } = start(toolsetOf([things]), () => Promise.reject(fault));
    const reply = await call({});
    expect(error(reply)).toMatchObject({ error: "internal" });
    expect(reply.text).not.toMatch(/sk-live|operator\/|TypeError|at .*:\d/);
    expect(reported).toEqual([fault]);
  });

  test("an address that is not allowed is told to the operator, and not to the caller", async () => {
    const fault = new DestinationBlocked("api.example.com leads to 10.0.0.1, which is not a public address.");
    const { call, reported } = start(toolsetOf([things]), () => Promise.reject(fault));
    const reply = await call({});
    expect(error(reply)).toMatchObject({ error: "destination_blocked" });
    expect(reply.text).not.toContain("10.0.0.1");
    expect(reported).toEqual([expect.objectContaining({ cause: fault })]);
  });

  test("that this machine has no files left for a connection is told to the operator; to the caller the API cannot be reached", async () => {
    const fault = new UpstreamUnreachable("exhausted", "api.example.com could not be connected to (EMFILE).");
    const { call, reported } = start(toolsetOf([things]), () => Promise.reject(fault));
    const reply = await call({});
    expect(error(reply)).toMatchObject({ error: "upstream_unavailable", retryable: true });
    expect(reply.text).not.toMatch(/EMFILE|example\.com/);
    expect(reported).toEqual([expect.objectContaining({ cause: fault })]);
  });

  test("a log that fails does not fail the call", async () => {
    const report = () => {
      throw new Error("disk full");
    };
    const { call } = start(toolsetOf([things]), () => Promise.reject(new Error("x")), { report });
    expect(error(await call({}))).toMatchObject({ error: "internal" });
  });

  const never = (request: EgressRequest) =>
    new Promise<Answer>((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));

  test("a tool's deadline ends the call", async () => {
    const { call } = start(toolsetOf([{ ...things, deadlineMs: 30 }]), never);
    expect(error(await call({}))).toMatchObject({ error: "upstream_timeout", retryable: true });
  });

  test("a caller who goes away ends it as well", async () => {
    const leaving = new AbortController();
    const { call, sent } = start(toolsetOf([things]), (request) => {
      const waiting = never(request);
      leaving.abort();
      return waiting;
    });
    expect(error(await call({}, { signal: leaving.signal }))).toMatchObject({ error: "cancelled" });
    expect(sent[0]?.signal.aborted).toBe(true);
  });
});
