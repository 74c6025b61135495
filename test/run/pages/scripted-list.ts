import type { Call, FilledPlace, OperationPlan, PagePlan, PageSize } from "../../../src/model/call.ts";
import { ToolError } from "../../../src/model/errors.ts";
import type { UpstreamRequest } from "../../../src/model/exchange.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { Place } from "../../../src/model/place.ts";
import type { Answer, Ask } from "../../../src/run/exchange/ask-upstream.ts";
import { lookAtRows } from "../../../src/run/pages/look-at-rows.ts";
import type { ListSource } from "../../../src/run/pages/open-pages.ts";
import { planRequest } from "../../../src/run/request/plan-request.ts";
import { expression, rootsOf } from "../shape-fixture.ts";

export const STYLES = ["page", "offset", "token", "last", "link", "range"] as const;
export type Style = PagePlan["style"];

export const ORIGIN = "https://api.example.com";

export const LISTING: OperationPlan = {
  key: "GET /things",
  method: "GET",
  path: "/things",
  server: ORIGIN,
  parameters: [],
  accept: "application/json",
  security: [],
  safe: true,
};

const query = (name: string): Place => ({ in: "query", name, pointer: [] });
export const place = (name: string): FilledPlace => ({ place: query(name), type: "string" });

/** A plan of this style as the scripted upstream understands it. */
export function planOf(style: Style, more: PageSize = {}): PagePlan {
  const common = { size: place("size"), ...more };
  switch (style) {
    case "page":
      return { style, send: place("page"), first: 1, ...common };
    case "offset":
      return { style, send: place("offset"), ...common };
    case "token":
      return { style, send: place("token"), next: expression("next"), ...common };
    case "last":
      return { style, send: place("after"), next: expression("id"), ...common };
    case "link":
      return { style, ...common };
    case "range": {
      const { size: _, ...rest } = common;
      return { style, unit: "items", ...rest };
    }
    default:
      return style satisfies never;
  }
}

export interface Script {
  /** Asked for anew with every request, so that they may change in between. */
  readonly rows: () => readonly JsonObject[];
  /** Rows of a page where nobody asks for a size. */
  readonly size?: number;
  /** A larger size is cut down to it without a word. */
  readonly bound?: number;
  /** Adds `more` to the body. */
  readonly more?: boolean;
  /** Adds `total` to the Content-Range. */
  readonly total?: boolean;
  /** Beyond the last page: 404, or an empty list. */
  readonly beyond?: 404 | undefined;
  /** Answers 204 to everything. */
  readonly nothing?: boolean;
  /** Every second page has no rows (`token` alone). */
  readonly gaps?: boolean;
}

export interface Scripted {
  readonly send: Ask;
  readonly requests: UpstreamRequest[];
}

/** An upstream that answers each style of paging by its own rules, from the request as it would be sent. */
export function scriptList(style: Style, script: Script, operation = LISTING): Scripted {
  const requests: UpstreamRequest[] = [];
  const send: Ask = async (call) => {
    const request = planRequest(call, operation, { headers: [], credentials: new Map(), secrets: [] }, rootsOf());
    requests.push(request);
    return answerPage(style, script, request);
  };
  return { send, requests };
}

export function answerPage(
  style: Style,
  script: Script,
  { url, headers }: Pick<UpstreamRequest, "url" | "headers">,
): Answer {
  if (script.nothing) return { status: 204, url, headers: new Map(), bytes: 0, body: { kind: "empty" } };
  const asked = new URL(url);
  const rows = script.rows();
  const given = Number(asked.searchParams.get("size") ?? script.size ?? 10);
  const size = Math.min(given, script.bound ?? given);
  const text = (name: string) => asked.searchParams.get(name) ?? "";
  switch (style) {
    case "page": {
      const page = Number(text("page") || 1);
      return listFrom((page - 1) * size, size);
    }
    case "offset":
      return listFrom(Number(text("offset") || 0), size);
    case "token": {
      const [start = 0, gap = 0] = text("token").split(".").map(Number);
      const isGap = script.gaps === true && gap === 1;
      const page = isGap ? [] : rows.slice(start, start + size);
      const next = `${start + page.length}${script.gaps && !isGap ? ".1" : ".0"}`;
      const isLast = start + page.length >= rows.length;
      return reply({ rows: page, next: isLast ? null : next }, url);
    }
    case "last": {
      const after = text("after");
      const at = after === "" ? 0 : rows.findIndex(({ id }) => String(id) === after) + 1;
      return listFrom(at, size);
    }
    case "link": {
      const start = Number(text("from") || 0);
      const next = start + size;
      const links = `</things?from=0&size=${size}>; rel="first", <?from=${next}&size=${size}>; title="a, \\"b\\""; rel="last next"`;
      return reply({ rows: rows.slice(start, next) }, url, next < rows.length ? { link: links } : {});
    }
    case "range": {
      const range = headers.find(([name]) => name === "range")?.[1] ?? "items=0-";
      const [, first = "0", last = ""] = /^items=(\d+)-(\d*)$/.exec(range) ?? [];
      const start = Number(first);
      const end =
        last === "" ? rows.length : Math.min(Number(last) + 1, start + (script.bound ?? Number.POSITIVE_INFINITY));
      if (start >= rows.length) throw failure(416);
      const page = rows.slice(start, end);
      const shown = `items ${start}-${start + page.length - 1}/${script.total ? rows.length : "*"}`;
      return reply({ rows: page }, url, { "content-range": shown }, 206);
    }
    default:
      return style satisfies never;
  }

  function listFrom(start: number, length: number): Answer {
    if (script.beyond === 404 && start > 0 && start >= rows.length) throw failure(404);
    const page = rows.slice(start, start + length);
    const more = start + page.length < rows.length;
    return reply({ rows: page, ...(script.more && { more }) }, url);
  }
}

export function reply(value: Json, url: string, headers: Record<string, string> = {}, status = 200): Answer {
  return { status, url, headers: new Map(Object.entries(headers)), bytes: 1, body: { kind: "json", value } };
}

export function failure(status: number): ToolError {
  return new ToolError("upstream_rejected", {
    message: `No (${status}).`,
    recover: "Ask otherwise.",
    retryable: false,
    upstream: { status },
  });
}

export const callOf = (pages?: PagePlan, more: Partial<Call> = {}): Call => ({
  operation: 0,
  bindings: [],
  ...(pages && { pages }),
  ...more,
});

export function sourceOf(plan?: PagePlan, rows = "rows", more: Partial<Call> = {}): ListSource {
  const roots = rootsOf();
  return { call: callOf(plan, more), roots, look: (body) => lookAtRows(expression(rows), body, roots) };
}

/** So many rows with an ID. */
export function rowsWithIds(count: number, from = 0): JsonObject[] {
  return Array.from({ length: count }, (_, at) => ({ id: `r${from + at}`, at: from + at }));
}
