import type { CallStepEntry, Curation, ToolEntry } from "../../curation/format.ts";
import type { Problem } from "../../model/problem.ts";
import type { Annotations } from "../../model/tool.ts";
import { type EntryPath, openReport, type Report } from "../open-report.ts";

/** What a method promises by itself. */
interface MethodPromise {
  readonly safe: boolean;
  /** It only adds (MCP, `destructiveHint`: false where a tool performs only additive updates). */
  readonly additive: boolean;
  readonly idempotent: boolean;
}

const READS: MethodPromise = { safe: true, additive: true, idempotent: true };
const REPLACES: MethodPromise = { safe: false, additive: false, idempotent: true };
const UNKNOWN: MethodPromise = { safe: false, additive: false, idempotent: false };

/**
 * RFC 9110 9.2.1 (safe) and 9.2.2 (idempotent). No unsafe method is additive by itself: PUT and PATCH overwrite, DELETE destroys, and a
 * POST may create, charge, cancel or send, which only its author can tell.
 */
const METHODS: ReadonlyMap<string, MethodPromise> = new Map([
  ["GET", READS],
  ["HEAD", READS],
  ["OPTIONS", READS],
  ["TRACE", READS],
  ["QUERY", READS],
  ["PUT", REPLACES],
  ["DELETE", REPLACES],
  ["PATCH", UNKNOWN],
  ["POST", UNKNOWN],
]);

export interface ToolAnnotations {
  readonly annotations: Annotations;
  /** The tool only reads. */
  readonly safe: boolean;
  readonly problems: readonly Problem[];
}

/** An operation behind a tool; `effect` is what a step of a workflow says of itself. */
export interface SentOperation {
  readonly method: string;
  readonly effect?: CallStepEntry["effect"];
}

/** Whether a request only reads: by what its step or its tool declares, else by its method. */
export function isSafe({ method, effect }: SentOperation, tool?: Pick<ToolEntry, "effect">): boolean {
  if (effect !== undefined) return effect === "read";
  return tool?.effect === "read" || promiseOf({ method }).safe;
}

function promiseOf({ method, effect }: SentOperation): MethodPromise {
  const byMethod = METHODS.get(method.toUpperCase()) ?? UNKNOWN;
  if (effect === undefined) return byMethod;
  if (effect === "read") return READS;
  return { safe: false, additive: effect === "write", idempotent: byMethod.idempotent && !byMethod.safe };
}

/**
 * The four hints, from what the author declared, else from the least safe method behind the tool:
 *
 *   effect     readOnly  destructive  idempotent unless declared
 *   read       true      false        true
 *   write      false     false        as the methods, false for a safe one: it then breaks its method's promise
 *   destroy    false     true         likewise
 *   unsaid     as the methods; whatever may not be read-only may destroy
 *
 * A step's own `effect` stands for its method. Several requests, one of which writes, are never repeatable by their methods: what they send may
 * depend on what an earlier one has changed.
 *
 * `openWorld` is true unless declared: the API is outside. A tool without operations only tells what the server knows.
 */
export function annotateTool(
  tool: Pick<ToolEntry, "effect" | "idempotent" | "openWorld">,
  at: EntryPath,
  operations: readonly SentOperation[],
  curation: Curation,
): ToolAnnotations {
  const report = openReport(curation);
  const promises = operations.map(promiseOf);
  const methodsRead = promises.every((one) => one.safe);
  const readOnly = tool.effect === undefined ? methodsRead : tool.effect === "read";
  const destructive = tool.effect === undefined ? !promises.every((one) => one.additive) : tool.effect === "destroy";
  const isSingle = promises.length === 1 || methodsRead;
  const repeatable = promises.every((one) => one.idempotent) && (readOnly || !methodsRead) && isSingle;
  reportSafer(tool, at, { methodsRead, repeatable }, operations, report);
  return {
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: tool.idempotent ?? (readOnly || repeatable),
      openWorldHint: tool.openWorld ?? operations.length > 0,
    },
    safe: readOnly,
    problems: report.problems,
  };
}

interface ByMethod {
  readonly methodsRead: boolean;
  readonly repeatable: boolean;
}

/** A declaration is believed, and what it takes back of the methods' warning is said. */
function reportSafer(
  tool: Pick<ToolEntry, "effect" | "idempotent">,
  at: EntryPath,
  { methodsRead, repeatable }: ByMethod,
  operations: readonly SentOperation[],
  report: Report,
): void {
  const methods = [...new Set(operations.map(({ method }) => method))].join(", ");
  const say = (key: "effect" | "idempotent", message: string) =>
    report.add(
      "note",
      "declared_safer",
      [...at, key],
      message,
      "Callers are told so, and clients may skip a question.",
    );
  if (!methodsRead && tool.effect === "read") say("effect", `Declared to only read, though it sends ${methods}.`);
  if (!methodsRead && tool.effect === "write")
    say("effect", `Declared to destroy nothing, though it sends ${methods}.`);
  if (tool.idempotent === true && !repeatable && tool.effect !== "read")
    say("idempotent", `Declared to be repeatable without effect, though it sends ${methods}.`);
}
