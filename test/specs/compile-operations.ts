import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import { type Api, isFault, type MediaType, type Operation } from "../../src/model/api.ts";
import type { Problem } from "../../src/model/problem.ts";
import type { Toolset } from "../../src/model/tool.ts";
import type { Exception } from "./exceptions.ts";
import { type WholeTool, wholeTool, writeCuration } from "./write-curation.ts";

/** A part of the document's operations, compiled: a curation may not be larger than 1 MB, so large documents take several. */
export interface CompiledPart {
  readonly toolset: Toolset;
  readonly tools: readonly WholeTool[];
  /** Of the last, successful compilation; loading the curation is not in it. */
  readonly compileMs: number;
}

export const BASE_URL = "https://specs.example.com";
const MOST_TOOLS = 250;
const MOST_INPUTS = 4_000;

/** Compiles every operation of a document. What does not compile goes to `failed`, one entry an operation. */
export function* compileOperations(api: Api, failed: Exception[], every = 1): Generator<CompiledPart> {
  let part: WholeTool[] = [];
  let inputs = 0;
  for (const [at, entry] of api.index.entries()) {
    if (at % every !== 0) continue;
    const operation = api.read(entry);
    if (isFault(operation)) {
      failed.push({ operation: entry.key, stage: "compile", reason: `spec_fault ${operation.fault}` });
      continue;
    }
    const tool = wholeTool(operation, at, preferredBody(operation), api);
    if (part.length >= MOST_TOOLS || inputs + tool.inputs.length > MOST_INPUTS) {
      const compiled = compilePart(part, api, failed);
      if (compiled !== undefined) yield compiled;
      [part, inputs] = [[], 0];
    }
    part.push(tool);
    inputs += tool.inputs.length;
  }
  const compiled = compilePart(part, api, failed);
  if (compiled !== undefined) yield compiled;
}

/** The media type that the tool will send where the curation says nothing: JSON, then forms. */
export function preferredBody(operation: Operation): MediaType | undefined {
  const content = operation.body?.content ?? [];
  const find = (pattern: RegExp) => content.find(({ mediaType }) => pattern.test(mediaType.split(";")[0]!.trim()));
  return (
    find(/^application\/json$/i) ??
    find(/[/+]json$/i) ??
    find(/x-www-form-urlencoded$/i) ??
    find(/^multipart\//i) ??
    content[0]
  );
}

/** Compiles until nothing is wrong any more: unions get a type, what may not be sent is left out, the rest is an exception. */
function compilePart(wanted: readonly WholeTool[], api: Api, failed: Exception[]): CompiledPart | undefined {
  let tools = wanted;
  for (let round = 0; round < 8 && tools.length > 0; round += 1) {
    const { text, lines } = writeCuration(tools, BASE_URL);
    const { curation, problems: own } = loadCuration("specs.yaml", text);
    const started = performance.now();
    const result = curation === undefined ? undefined : compileToolset(curation, api);
    const compileMs = performance.now() - started;
    const errors = [...own, ...(result?.problems ?? [])].filter(({ severity }) => severity === "error");
    if (errors.length === 0 && result?.toolset !== undefined) return { toolset: result.toolset, tools, compileMs };
    const dropped = new Set<WholeTool>();
    for (const error of errors) settle(error, lines.get(error.line), dropped, failed);
    tools = tools.filter((tool) => !dropped.has(tool));
  }
  for (const tool of tools) failed.push({ operation: tool.operation.key, stage: "compile", reason: "does not settle" });
  return undefined;
}

function settle(
  error: Problem,
  what: ReturnType<typeof writeCuration>["lines"] extends ReadonlyMap<number, infer V> ? V | undefined : never,
  dropped: Set<WholeTool>,
  failed: Exception[],
): void {
  if (what === undefined) throw new Error(`${error.line}: ${error.code}: ${error.message}`);
  const { tool, input } = what;
  if (
    input !== undefined &&
    (error.code === "union_needs_type" || error.code === "place_needs_type") &&
    input.type === undefined
  ) {
    input.type = "json";
    return;
  }
  // Headers that no caller sets (Accept, Authorization, Content-*): the tool is whole without them.
  if (
    input !== undefined &&
    (error.code === "refused_place" || (error.code === "bad_place" && error.message.startsWith("The header")))
  ) {
    const at = tool.inputs.indexOf(input);
    if (at >= 0) tool.inputs.splice(at, 1);
    return;
  }
  if (dropped.has(tool)) return;
  dropped.add(tool);
  failed.push({ operation: tool.operation.key, stage: "compile", reason: `${error.code} ${error.message}` });
}
