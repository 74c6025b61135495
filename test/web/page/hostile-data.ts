import type { PageAction, PageCalls, PageData, PageTool, TryAnswer } from "../../../src/web/page-data.ts";

/** Markup, script, templates and an address in one text; `at` says where it stood. */
export const hostile = (at: string): string =>
  `${at} "'><img src="https://evil.example/i" onerror="alert(1)"><script>alert(1)</script><svg onload=alert(1)></svg><iframe src="javascript:alert(1)"></iframe><a href="javascript:alert(1)">x</a>\${alert(1)}{{alert(1)}}&lt;b&gt;\`code<b>\``;

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true } as const;
const schema = {
  type: "object",
  properties: {
    [hostile("input")]: { type: "string", description: hostile("input text") },
    word: { type: "string", enum: [hostile("word"), "b"], description: hostile("enum") },
    words: { type: "array", items: { type: "string", enum: [hostile("tick"), "b"] } },
    count: { type: "integer", minimum: 1, maximum: 9, default: 3 },
    flag: { type: "boolean", description: hostile("flag") },
    lines: { type: "array", items: { type: "string" } },
    when: { type: "string", pattern: hostile("pattern") },
    nested: { type: "object", properties: { inner: { type: "string", description: hostile("inner") } } },
  },
  required: ["word"],
} as const;
const at = { file: hostile("file"), line: 3, column: 1 };
const inputs = {
  word: { entity: hostile("entity"), from: { tool: hostile("from"), action: "a", field: hostile("field") } },
};
const example = { word: "b", count: 2, nested: { inner: hostile("example") } };

const action = (name: string, runs: "tries" | "shows"): PageAction => ({
  action: name,
  title: hostile("action title"),
  description: hostile("action description"),
  inputSchema: schema,
  annotations: { title: hostile("annotation"), ...hints },
  runs,
  inputs,
  examples: [example],
  at,
  states: [hostile("action state")],
});

function tool(name: string, more: Partial<PageTool> = {}): PageTool {
  return {
    listed: {
      name,
      title: hostile("title"),
      description: hostile("description"),
      inputSchema: schema,
      outputSchema: schema,
      annotations: { title: hostile("annotation"), ...hints },
    },
    cost: { tokens: 120, bytes: 480 },
    runs: "tries",
    actions: [],
    inputs,
    examples: [example],
    at,
    states: [hostile("state")],
    ...more,
  };
}

export const GROUP = "group";
export const PLAIN = `name "'><img src=x onerror="alert(1)"><script>alert(1)</script>`;

/** Every text of a page, hostile; with a server that is clean there are no such names, but the page does not count on it. */
export function hostileData(revision: string): PageData {
  const actions = [action(hostile("action"), "tries"), action("write", "shows")];
  const names = [PLAIN, GROUP];
  return {
    kind: "serve",
    revision,
    server: {
      name: hostile("server"),
      title: hostile("server title"),
      version: hostile("version"),
      instructions: hostile("instructions"),
      file: hostile("curation"),
    },
    watches: true,
    hasCalls: true,
    pending: [],
    tools: [
      tool(PLAIN, { listed: { ...tool(PLAIN).listed, description: hostile(`description ${revision}`) } }),
      tool(GROUP, { discriminator: "action", actions, inputs: {}, examples: [] }),
    ],
    cost: {
      list: { tokens: 260, bytes: 1_000 },
      instructions: { tokens: 20, bytes: 80 },
      endpoints: { tokens: 9_000, bytes: 36_000, operations: 40, isAtLeast: true },
    },
    clients: [
      {
        name: hostile("client"),
        fullNames: names,
        longestName: 64,
        room: hostile("room"),
        findings: [{ severity: "warning", message: hostile("client finding"), tool: PLAIN }],
      },
    ],
    chain: {
      nodes: [
        { id: PLAIN, tool: PLAIN, runs: "tries" },
        { id: `${GROUP}/write`, tool: GROUP, action: "write", runs: "shows" },
      ],
      links: [
        { from: PLAIN, to: `${GROUP}/write`, kind: "identifier", label: hostile("link"), input: hostile("link input") },
        { from: `${GROUP}/write`, to: PLAIN, kind: "suggests", label: hostile("why") },
      ],
    },
    states: [{ name: hostile("state"), holds: true, tools: names }],
    findings: (["error", "warning", "note"] as const).map((severity) => ({
      ...at,
      severity,
      code: hostile("code"),
      message: hostile("message"),
      hint: hostile("hint"),
      tool: PLAIN,
      excerpt: { firstLine: 2, lines: [hostile("line 2"), hostile("line 3"), ""] },
    })),
    isBroken: true,
  };
}

export const hostileAnswer: TryAnswer = {
  kind: "ran",
  reply: {
    isError: false,
    text: hostile("reply"),
    value: { note: hostile("note"), [hostile("key")]: [hostile("item"), { a: 1, b: true, c: null }], data: [] },
    isCut: true,
    marks: [
      { pointer: "/note", kind: "told", words: hostile("told") },
      { pointer: "/data", kind: "cut", words: hostile("cut") },
    ],
    blocks: [{ mediaType: hostile("media type"), bytes: 12 }],
  },
  exchanges: [
    {
      request: {
        operation: hostile("operation"),
        method: hostile("method"),
        url: hostile("url"),
        headers: { [hostile("header")]: hostile("header value") },
        body: { text: hostile("body") },
      },
      answer: {
        kind: "answered",
        status: 200,
        cost: { tokens: 900, bytes: 4_000 },
        text: hostile("answer"),
        cutBytes: 12,
        isJson: false,
      },
      ms: 12,
    },
  ],
  furtherExchanges: 2,
  cost: { reply: { tokens: 90, bytes: 400 }, upstream: { tokens: 900, bytes: 4_000 } },
  ms: 12.5,
  notes: [hostile("trial note")],
};

export const hostileCalls: PageCalls = {
  from: "2026-11-29T12:00:00.000Z",
  to: "2026-11-29T13:00:00.000Z",
  bucketMs: 1_800_000,
  tools: [hostile("called"), null].map((name) => ({
    tool: name,
    calls: 4,
    errors: 1,
    p50: 12,
    p95: 90,
    bytesOut: 400,
    bytesUpstream: 4_000,
    overTime: [
      { calls: 1, errors: 0, p95: 12 },
      { calls: 3, errors: 1, p95: 90 },
    ],
  })),
  lost: 2,
  faulty: 1,
  isPart: true,
};
