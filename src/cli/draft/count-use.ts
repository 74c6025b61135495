import type { Api, OperationEntry, Server } from "../../model/api.ts";
import type { SeenRequest } from "./read-har.ts";

export interface Use {
  /** By operation, how many requests called it. */
  readonly counts: ReadonlyMap<string, number>;
  /** Requests that called an operation. */
  readonly matched: number;
  /** Requests to the API's own hosts, all requests where the document names none. */
  readonly toApi: number;
}

/** Counts which operations recorded requests have called. Requests to other hosts than the API's do not count. */
export function countUse({ index, servers }: Pick<Api, "index" | "servers">, requests: readonly SeenRequest[]): Use {
  const bases = basesOf(servers);
  const match = openMatcher(index);
  const found = new Map<string, string | undefined>();
  const counts = new Map<string, number>();
  let [matched, toApi] = [0, 0];
  for (const { method, url } of requests) {
    const rests = bases.flatMap((base) => base(url) ?? []);
    if (rests.length === 0) continue;
    toApi += 1;
    const memo = `${method} ${url.host}${url.pathname}`;
    if (!found.has(memo))
      found.set(
        memo,
        rests.map((path) => match(method, path)).find((one) => one !== undefined),
      );
    const key = found.get(memo);
    if (key === undefined) continue;
    matched += 1;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { counts, matched, toApi };
}

type Base = (url: URL) => string | undefined;

/** The path behind each server's own, where the host is one of the API's; the longest base first. A document without an address matches any host. */
function basesOf(servers: readonly Server[]): Base[] {
  const read = servers.map(({ url }) => {
    const [, host, path = ""] = /^(?:https?:)?\/\/([^/]*)(.*)$/i.exec(url) ?? [undefined, undefined, url];
    return { host, path: path.split(/[?#]/, 1)[0]!.replace(/\/+$/, "") };
  });
  const all = read.length === 0 ? [{ host: undefined, path: "" }] : read;
  return all
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(({ host, path }) => {
      const hosts = host === undefined ? undefined : templateOf(host.toLowerCase(), "[^/]*");
      const begins = templateOf(path.startsWith("/") || path === "" ? path : `/${path}`, "[^/]*", "(?=/|$)");
      return (url) => {
        if (hosts !== undefined && !hosts.test(url.host) && !hosts.test(url.hostname)) return undefined;
        const own = begins.exec(url.pathname)?.[0];
        return own === undefined ? undefined : url.pathname.slice(own.length) || "/";
      };
    });
}

/** `{…}` stands for `hole`. */
function templateOf(text: string, hole: string, end = "$"): RegExp {
  const parts = text.split(/\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(hole)}${end}`, "i");
}

interface Branch {
  readonly literals: Map<string, Branch>;
  readonly patterns: { readonly text: string; readonly pattern: RegExp; readonly branch: Branch }[];
  /** By method, the operation that ends here. */
  readonly ends: Map<string, string>;
}

/** Steps for one path: where many templates begin alike, each of many paths would else lead through all of them. */
const MOST_STEPS = 2_000;
const LONGEST_PART = 300;

/** By path and method; a part that is written out goes before one that is a parameter (OAS 3.1 4.8.8.2). */
function openMatcher(index: readonly OperationEntry[]): (method: string, path: string) => string | undefined {
  const root = openBranch();
  for (const { method, path, key } of index) {
    let at = root;
    for (const part of partsOf(path.split(/[?#]/, 1)[0]!)) at = branchFor(at, part);
    if (!at.ends.has(method)) at.ends.set(method, key);
  }
  return (method, path) => {
    let steps = 0;
    const parts = partsOf(path);
    const walk = (branch: Branch, at: number): string | undefined => {
      steps += 1;
      if (steps > MOST_STEPS) return undefined;
      const part = parts[at];
      if (part === undefined) return branch.ends.get(method);
      const literal = branch.literals.get(part);
      const found = literal && walk(literal, at + 1);
      if (found !== undefined || part.length > LONGEST_PART) return found;
      for (const { pattern, branch: next } of branch.patterns) {
        const deeper = pattern.test(part) ? walk(next, at + 1) : undefined;
        if (deeper !== undefined) return deeper;
      }
      return undefined;
    };
    return walk(root, 0);
  };
}

function openBranch(): Branch {
  return { literals: new Map(), patterns: [], ends: new Map() };
}

function branchFor({ literals, patterns }: Branch, part: string): Branch {
  if (!part.includes("{")) {
    const known = literals.get(part) ?? openBranch();
    literals.set(part, known);
    return known;
  }
  const text = part.replace(/\{[^{}]*\}/g, "{}");
  const known = patterns.find((one) => one.text === text);
  if (known !== undefined) return known.branch;
  const branch = openBranch();
  patterns.push({ text, pattern: templateOf(part, "[^/]+?"), branch });
  // What says more of a part goes first.
  patterns.sort((a, b) => b.text.length - a.text.length);
  return branch;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}
