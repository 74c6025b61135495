import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { CAPABILITIES, INFO, isKnownEnvelope, VERSION } from "./known-envelope.ts";

/** A request of which nothing is in doubt: the SDK would read it so, refuse nothing of it, and ask nothing back. */
export type Ordinary = (
  | { readonly method: "tools/call"; readonly name: string; readonly args: JsonObject }
  | { readonly method: "tools/list" }
) & {
  readonly id: string | number;
  /** Of 2026-07-28: what the client says that it can do. Absent: a request of 2025-11-25 or before. */
  readonly capabilities?: JsonObject;
};
export type OrdinaryCall = Extract<Ordinary, { readonly method: "tools/call" }>;

const MESSAGE = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS = { "tools/call": new Set(["name", "arguments", "_meta"]), "tools/list": new Set(["_meta"]) };
const ENVELOPE = new Set([VERSION, INFO, CAPABILITIES]);
/** Of the keys that begin so each has a meaning of its own. */
const RESERVED = "io.modelcontextprotocol/";
/** Keys that some readers of objects leave out or trip over. */
const TRAPS = ["__proto__", "constructor"];

/** Reads a message; undefined where it is another one, or has anything that is not met every day. */
export function readOrdinary(body: object): Ordinary | undefined {
  const { jsonrpc, id, method, params = {} } = body as Readonly<Record<string, unknown>>;
  if (jsonrpc !== "2.0" || (typeof id !== "string" && !Number.isSafeInteger(id))) return undefined;
  if ((method !== "tools/call" && method !== "tools/list") || !isJsonObject(params)) return undefined;
  if (!hasOnly(body, MESSAGE) || !hasOnly(params, PARAMS[method])) return undefined;
  const claim = readClaim(params["_meta"]);
  if (claim === undefined) return undefined;
  const common = { id: id as string | number, ...claim };
  if (method === "tools/list") return { method, ...common };
  const { name, arguments: args = {} } = params;
  if (typeof name !== "string" || !isJsonObject(args) || TRAPS.some((key) => Object.hasOwn(args, key)))
    return undefined;
  return { method, name, args, ...common };
}

function hasOnly(object: object, keys: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => keys.has(key));
}

/** What is said of the protocol beside the request itself. */
function readClaim(meta: unknown): Pick<Ordinary, "capabilities"> | undefined {
  if (meta === undefined) return {};
  if (!isJsonObject(meta)) return undefined;
  const isClaim = Object.hasOwn(meta, VERSION);
  for (const key of Object.keys(meta)) {
    if (key === "progressToken" || TRAPS.includes(key)) return undefined;
    if (key.startsWith(RESERVED) && !(isClaim && ENVELOPE.has(key))) return undefined;
  }
  if (!isClaim) return {};
  const capabilities = meta[CAPABILITIES];
  return isJsonObject(capabilities) && isKnownEnvelope(meta) ? { capabilities } : undefined;
}
