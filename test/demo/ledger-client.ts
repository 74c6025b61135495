import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { expect } from "vitest";
import type { RunningLedger } from "../../src/demo/start-ledger.ts";

export const KEY = "test-key";
/** The moment that the tests live in: October 2026 is the last complete month. */
export const NOW = new Date("2026-11-29T12:00:00Z");
export const YEAR = { from: "2025-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" };
export const OCTOBER = { from: "2026-10-01T00:00:00Z", to: "2026-11-01T00:00:00Z" };

export const spec = load(readFileSync("specs/ledger.yaml", "utf8")) as Spec;

interface Spec {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { $ref?: string }> }>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads bodies of every shape.
type Body = any;
export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export interface Client {
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** All pages of a cost query, joined. */
  allRows(body: Record<string, unknown>): Promise<Body[]>;
}

/** A client that also checks every answer against the response schema of the spec. */
export function connect(ledger: RunningLedger): Client {
  const check = checkAnswers();
  const send = async (method: string, path: string, url: string, body?: unknown): Promise<Answer> => {
    const headers = { "X-Ledger-Key": KEY, "Content-Type": "application/json" };
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const answer = { status: response.status, body: await response.json() };
    check(method.toLowerCase(), path, answer);
    return answer;
  };
  const post = (path: string, body: unknown) => send("POST", path, ledger.url + path, body);
  return {
    post,
    get: (path, query = {}) => send("GET", path, `${ledger.url}${path}?${new URLSearchParams(query)}`),
    async allRows(body) {
      const rows: Body[] = [];
      for (let pageToken: string | null = null; ; ) {
        const page: Answer = await post("/v1/costs/query", { ...body, pageToken });
        expect(page.status).toBe(200);
        rows.push(...page.body.rows);
        if (page.body.nextPageToken === undefined) return rows;
        pageToken = page.body.nextPageToken;
      }
    },
  };
}

function checkAnswers() {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(spec, "ledger");
  return (method: string, path: string, { status, body }: Answer) => {
    const declared = spec.paths[path]?.[method]?.responses[String(status)];
    expect(declared, `${method} ${path} answered ${status}, which the spec does not declare`).toBeDefined();
    const at = declared?.$ref ?? `#/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}`;
    const validate = ajv.compile({ $ref: `ledger${at}/content/application~1json/schema` });
    expect(validate(body) ? [] : validate.errors).toEqual([]);
  };
}

/** The one number that a statement gives. */
export async function numberOf(ledger: RunningLedger, sql: string): Promise<number> {
  const [row = {}] = await ledger.query(sql);
  return Number(Object.values(row)[0]);
}
