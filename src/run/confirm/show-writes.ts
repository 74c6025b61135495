import { createHash } from "node:crypto";
import type { UpstreamRequest } from "../../model/exchange.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import { clipCharacters } from "../clip-characters.ts";
import type { Access } from "../open-access.ts";
import { jsonBytes } from "../shape/json-bytes.ts";
import type { PlannedWrite } from "./plan-writes.ts";
import { showInvisible } from "./show-invisible.ts";

/** One request as a caller and a person see it: `{method, url, headers?, body?}`, or `{step, operation, note}` of one that is still open. */
export type ShownWrite = JsonObject;

const OPEN = "What it says depends on the answers to the requests before it.";
/** Ours on every request, and those of the body. */
const USUAL_HEADERS = new Set(["accept", "user-agent", "content-type"]);

/**
 * What is going to be sent, whole, without credentials and secrets. Bodies that would take more than `budget` bytes together are cut, and it is said
 * of which length and digest they are.
 */
export function showWrites(
  writes: readonly PlannedWrite[],
  { upstream, hider }: Pick<Access, "upstream" | "hider">,
  budget: number,
): ShownWrite[] {
  const own = new Set(upstream.headers.map(([name]) => name));
  const share = Math.max(LEAST_SHARE, Math.floor(budget / Math.max(1, writes.length)));
  return writes.map((one): ShownWrite => {
    if (one.kind === "open") return { step: one.step, operation: one.operation, note: OPEN };
    const { method, url, headers, body } = one.request;
    const further = headers.filter(([name]) => !USUAL_HEADERS.has(name) && !own.has(name));
    const shown: JsonObject = {
      method,
      url,
      ...(further.length > 0 && { headers: Object.fromEntries(further) }),
      ...(body !== undefined && showBody(one.request, body, share)),
    };
    return hider.json(shown);
  });
}

const LEAST_SHARE = 500;

function showBody({ headers }: UpstreamRequest, body: string | Uint8Array, share: number): JsonObject {
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const shown = readableBody(body, type);
  const digest = `SHA-256 ${createHash("sha256").update(body).digest("hex")}`;
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  if (shown === undefined) return { body: null, bodyOmitted: `${bytes} bytes of ${type}, ${digest}` };
  if (jsonBytes(shown) <= share) return { body: shown };
  // A character takes up to six bytes where it has to be escaped.
  const text = clipCharacters(typeof shown === "string" ? shown : JSON.stringify(shown), Math.floor(share / 6));
  return { body: text, bodyOmitted: `the rest of ${bytes} bytes, ${digest}` };
}

/** JSON as such, other text as text; undefined for what no person reads. */
function readableBody(body: string | Uint8Array, type: string): Json | undefined {
  const text = typeof body === "string" ? body : decode(body);
  if (text === undefined || !/[/+]json\b/i.test(type)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The same for a person: what is asked, and below it each request on lines of its own, with nothing in it that cannot be seen. */
export function writeQuestion(text: string, writes: readonly ShownWrite[]): string {
  const requests = writes.map(({ method, url, headers, body, bodyOmitted, operation, step, note }) => {
    const first = method === undefined ? `${operation} (step ${step}): ${note}` : `${method} ${url}`;
    const rest = [headers, body].flatMap((one) => (one === undefined || one === null ? [] : [plainText(one)]));
    return [first, ...rest, ...(bodyOmitted === undefined ? [] : [`(${bodyOmitted})`])]
      .map(String)
      .map(showInvisible)
      .join("\n");
  });
  return [
    text,
    writes.length === 1 ? "This will be sent:" : `These ${writes.length} requests will be sent:`,
    ...requests,
  ].join("\n\n");
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
