import { expect, test } from "vitest";
import { compareManifests } from "../../../src/surface/diff/compare-manifests.ts";
import type { Conduct, Manifest, ManifestAction, ManifestTool } from "../../../src/surface/manifest-format.ts";

/** What a pair of manifests differs in: objects are laid over objects, everything else takes the old one's place, undefined takes it away. */
export type Patch = { readonly [key: string]: unknown };

/** A list by names, so that patches can say which tool. */
export interface SmallManifest extends Omit<Manifest, "tools"> {
  readonly tools: Readonly<Record<string, ManifestTool>>;
}

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

const CONDUCT: Conduct = {
  operations: ["GET /bugs"],
  access: ["token"],
  requests: { "value query.kind": "0123456789abcdef" },
  replies: { rows: "fedcba9876543210" },
  states: ["open"],
  limit: { default: 20, max: 100 },
  budget: 25_000,
  deadlineMs: 45_000,
  defaults: { state: "open", since: "30 days ago" },
  inputs: { since: { form: "unix" }, owner: { checks: "aaaaaaaaaaaaaaaa" } },
  fields: { cost: { form: "minor USD", unit: "USD", round: 2 }, text: { clip: 100 } },
  said: {
    type: "object",
    properties: {
      id: { type: "string" },
      status: { type: "string", enum: ["done", "new"] },
      cost: { type: "number", nullable: true },
      when: { type: "string", format: "date-time" },
      country: { type: "string", enumDigest: "249 values, 0123456789abcdef" },
      size: { type: "integer", format: "int32" },
      assignee: { type: "object", properties: { login: { type: "string", optional: true } } },
      labels: { type: "array", items: { type: "string" } },
      extra: { optional: true },
    },
  },
  filter: {
    offered: true,
    depth: 2,
    dialects: ["rsql"],
    fields: {
      status: { type: "enum", nullable: false, ops: ["eq", "in"], values: ["new", "done"] },
      size: { type: "integer", nullable: true, ops: ["eq", "gt", "lt"] },
    },
    always: ["tenant"],
  },
  order: ["-cost"],
  totals: { kind: "count", count: "total" },
  group: { by: ["status"], sum: ["cost"], maxPages: 5 },
  all: 1_000,
  pages: ["GET /bugs: page query.page"],
  errors: [{ on: "404", error: "no_such_bug", recover: "List them first." }],
  suggest: ["4444444444444444 @get_bug"],
};

const LIST: ManifestTool = {
  name: "list_bugs",
  title: "List bugs",
  description: "Bugs of a project. Not for: One bug; call `get_bug`.",
  annotations: { title: "List bugs", ...READS },
  inputSchema: {
    type: "object",
    properties: {
      state: { type: "string", enum: ["open", "closed"], description: "Which bugs. Default: open.", default: "open" },
      since: { type: "string", description: "From when on. Default: 30 days ago." },
      count: { type: "integer", minimum: 1, maximum: 50 },
      owner: { type: "string", minLength: 1, maxLength: 40, pattern: "^[a-z]+$", description: "Who has it." },
      label: { type: "array", maxItems: 5, items: { type: "string" } },
      when: { type: "string", format: "date-time" },
      place: { type: "object", properties: { city: { type: "string" }, zip: { type: "string" } }, required: ["city"] },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "The most rows. 1 to 100." },
      filter: { type: "object", properties: { field: { type: "string", enum: ["status", "size"] } } },
      project: { type: "string", description: "The key of the project." },
    },
    required: ["project"],
  },
  outputSchema: {
    type: "object",
    properties: {
      data: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "string" },
            text: { type: "string", description: "What is wrong." },
            status: { type: "string", enum: ["new", "done"] },
            cost: { type: "number", minimum: 0 },
            when: { type: "string", format: "date-time" },
            assignee: {},
          },
          required: ["id"],
        },
      },
      rowCount: { type: "integer" },
    },
    required: ["rowCount"],
  },
  tokens: 400,
  tags: ["public"],
  aliases: ["find_bugs"],
  conduct: CONDUCT,
};

const GET: ManifestTool = {
  name: "get_bug",
  title: "Get a bug",
  description: "One bug, whole.",
  annotations: { title: "Get a bug", ...READS },
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  tokens: 100,
  tags: [],
  conduct: {
    operations: ["GET /bugs/{id}"],
    access: ["token"],
    requests: { "value query.kind": "1111111111111111" },
    replies: { rows: "1111111111111111" },
    budget: 25_000,
    deadlineMs: 45_000,
  },
};

const CLOSE: ManifestTool = {
  name: "close_bug",
  title: "Close a bug",
  description: "Closes a bug for good.",
  annotations: {
    title: "Close a bug",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  inputSchema: {
    type: "object",
    properties: { bug: { type: "string" }, reason: { type: "string" }, confirm: { type: "string" } },
    required: ["bug"],
  },
  tokens: 100,
  tags: [],
  conduct: {
    operations: ["POST /bugs/{id}/close"],
    access: ["token", "token: bugs.write"],
    requests: { "value query.kind": "2222222222222222" },
    replies: { rows: "2222222222222222" },
    budget: 25_000,
    deadlineMs: 45_000,
    confirm: { text: "Close it?", human: false },
    keyed: true,
  },
};

export const SMALL: SmallManifest = {
  manifest: 1,
  made: { vitrine: "1.0.0", from: [] },
  server: {
    name: "bugs",
    title: "Bugs",
    instructions: "Call `list_bugs`, then `get_bug`.",
    structured: true,
    pageTokenTtlMs: 900_000,
    upstream: {
      timeoutMs: 30_000,
      retries: 2,
      maxResponseBytes: 20_000_000,
      concurrency: 16,
      answers: "5555555555555555",
    },
  },
  tokens: 600,
  pins: ["tenant"],
  tools: { list_bugs: LIST, get_bug: GET, close_bug: CLOSE },
};

/** The tools of `SMALL` in one group `bug`. */
export function grouped(small: SmallManifest, discriminator = "action"): SmallManifest {
  const actions = Object.entries(small.tools).map(
    ([name, tool]) => [name.replace(/_bugs?$/, ""), actionOf(tool)] as const,
  );
  const bug: ManifestTool = {
    name: "bug",
    title: "Bug",
    description: `Bug: ${actions.length} actions. ${actions.map(([action, one]) => `${action}: ${one.description}`).join(" ")}`,
    annotations: {
      title: "Bug",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    inputSchema: {
      type: "object",
      properties: {
        [discriminator]: { type: "string", enum: actions.map(([action]) => action) },
        ...Object.assign({}, ...actions.map(([, one]) => one.inputSchema.properties)),
      },
      required: [discriminator],
    },
    tokens: 600,
    tags: [],
    group: { discriminator, actions: Object.fromEntries(actions) },
  };
  return { ...small, tools: { bug } };
}

function actionOf({ tokens: _, group: __, conduct, ...tool }: ManifestTool): ManifestAction {
  return { ...tool, conduct: conduct! };
}

export function manifestOf({ tools, ...rest }: SmallManifest): Manifest {
  return { ...rest, tools: Object.values(tools).toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

export function lay(base: unknown, patch: unknown): unknown {
  if (!isPlain(patch)) return patch;
  const laid = new Map(isPlain(base) ? Object.entries(base) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) laid.delete(key);
    else laid.set(key, lay(laid.get(key), value));
  }
  return Object.fromEntries(laid);
}

/** `SMALL` with patches laid over it, one after the other. */
export function small(...patches: readonly Patch[]): Manifest {
  return manifestOf(patches.reduce<unknown>((base, patch) => lay(base, patch), SMALL) as SmallManifest);
}

function isPlain(value: unknown): value is Patch {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `CLASS rule at path`, of the server or of `list_bugs` unless the tool is told. */
export function told(base: Manifest, head: Manifest): string[] {
  return compareManifests(base, head).map(({ rule, class: is, tool, path }) => {
    const where = tool === null ? "server" : tool === "list_bugs" ? "" : tool;
    return `${is} ${rule} ${where}${path}`;
  });
}

export const list = (patch: Patch): Patch => ({ tools: { list_bugs: patch } });
export const input = (name: string, patch: Patch | undefined): Patch =>
  list({ inputSchema: { properties: { [name]: patch } } });
export const column = (name: string, patch: Patch | undefined): Patch =>
  list({ outputSchema: { properties: { data: { items: { properties: { [name]: patch } } } } } });
export const conduct = (patch: Patch): Patch => list({ conduct: patch });
export const close = (patch: Patch): Patch => ({ tools: { close_bug: patch } });
export const said = (name: string, patch: Patch | undefined): Patch =>
  conduct({ said: { properties: { [name]: patch } } });
export const SAID = "/conduct/said/properties";
export const IN = "/inputSchema/properties";
export const ROW = "/outputSchema/properties/data/items/properties";

export type Row = readonly [what: string, patch: Patch, there: readonly string[], back: readonly string[]];

export function runTable(rows: readonly Row[]): void {
  test.each(rows)("%s", (_, patch, there, back) => {
    expect(told(small(), small(patch))).toStrictEqual(there);
    expect(told(small(patch), small())).toStrictEqual(back);
  });
}
