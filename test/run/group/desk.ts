import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CompileOptions, compileToolset } from "../../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import type { Caller, ToolReply } from "../../../src/model/exchange.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Toolset } from "../../../src/model/tool.ts";
import { createRunner, type Outside } from "../../../src/run/run-tool.ts";
import { loadApi } from "../../../src/spec/load-api.ts";

// A desk of 30 actions in 4 namespaces, over an upstream that always answers the same.

const FOLDER = join(import.meta.dirname, "../../fixtures/groups");
const api = loadApi(join(FOLDER, "desk.openapi.yaml"), {});

export async function compileDesk(options: CompileOptions): Promise<Toolset> {
  const file = join(FOLDER, "desk.yaml");
  const { curation, problems } = loadCuration(file, readFileSync(file, "utf8"));
  if (curation === undefined || problems.length > 0) throw new Error(JSON.stringify(problems));
  const { toolset, problems: found } = compileToolset(curation, await api, options);
  if (toolset === undefined) throw new Error(JSON.stringify(found));
  return toolset;
}

export interface Desk {
  readonly sent: readonly string[];
  call(tool: string, args: unknown, caller?: Partial<Caller>): Promise<ToolReply>;
}

export function openDesk(toolset: Toolset): Desk {
  const sent: string[] = [];
  const outside: Outside = {
    egress: {
      async request({ method, url, body, onSent }) {
        sent.push(`${method} ${new URL(url).pathname}${new URL(url).search} ${Buffer.from(body ?? "").toString()}`);
        onSent?.();
        const [status, answer] = answerTo(method, new URL(url));
        const headers = new Map(status === 204 ? [] : [["content-type", "application/json"]]);
        return { status, headers, url, body: chunks(status === 204 ? "" : JSON.stringify(answer)) };
      },
      close: async () => {},
    },
    authorize: async (request) => ({ request, secrets: [] }),
    observe: () => {},
    report: (error) => {
      throw error;
    },
    now: () => new Date("2026-11-29T12:00:00Z"),
  };
  const runner = createRunner(toolset, { env: {} }, outside);
  const nobody = { key: {}, signal: new AbortController().signal };
  return { sent, call: (tool, args, caller = {}) => runner.call(tool, args, { ...nobody, ...caller }) };
}

const LINES = [1, 2, 3, 4].map((at) => ({ text: `Line ${at}`, amount: at }));

function invoice(id: string): JsonObject {
  const status = id === "i1" ? "paid" : "open";
  return { id, status, customer: "Ann", total: 10, lines: LINES, lineCount: 7 };
}

function answerTo(method: string, { pathname, searchParams }: URL): [status: number, body: Json] {
  const [collection = "", id] = pathname.split("/").slice(2);
  if (method === "DELETE") return [204, null];
  if (id === "none") return [404, { error: "There is no such thing." }];
  const last = searchParams.get("cursor") === "2";
  if (collection === "invoices" && method === "GET" && id === undefined)
    return [200, { items: (last ? ["i4", "i5"] : ["i1", "i2", "i3"]).map(invoice), next: last ? null : "2" }];
  if (pathname.endsWith("/lines")) return [200, { items: id === "i5" ? [] : LINES, next: null }];
  if (collection === "invoices") return [200, invoice(id ?? "i6")];
  const things = ["a", "b", "c"].map((one) => ({ id: `${collection}-${one}`, name: `The ${one}`, note: "x" }));
  const isList =
    method === "GET" && (id === undefined || id === "search" || /(events|history|versions)$/.test(pathname));
  return [200, isList && collection !== "usage" ? { items: things, next: null } : { ...things[0], id: id ?? "new" }];
}

async function* chunks(text: string) {
  yield Buffer.from(text);
}
