import { isDeepStrictEqual } from "node:util";
import type { Toolset } from "../../src/model/tool.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { portableFaults } from "../compile/portable-faults.ts";
import { type CompiledPart, compileOperations } from "./compile-operations.ts";
import { CHOICE_ALONE, type Exception, explainException } from "./exceptions.ts";
import { openValidator, type Validator } from "./open-validator.ts";
import { type Planned, RequestPlanner } from "./plan-requests.ts";
import type { PublishedSpec } from "./published-specs.ts";
import { readRawDocument } from "./raw-document.ts";
import { contentTypeOf, validateRequests } from "./validate-requests.ts";
import type { WholeTool } from "./write-curation.ts";

/** What came of one document. */
export interface Proof {
  readonly name: string;
  readonly operations: number;
  readonly compiled: number;
  readonly sent: number;
  readonly valid: number;
  /** The same with arguments that were drawn from the tools' own types. */
  readonly sentByTypes: number;
  readonly validByTypes: number;
  readonly exceptions: readonly Exception[];
  readonly toolset: ToolsetFigures;
  readonly ms: number;
  readonly peakMB: number;
}

export interface ToolsetFigures {
  readonly curations: number;
  readonly compileMs: number;
  /** The slowest curation, by its operations. */
  readonly slowestMsPerTool: number;
  readonly notPortable: readonly string[];
  readonly largestInput: { readonly operation: string; readonly bytes: number };
  readonly largestOutput: { readonly operation: string; readonly bytes: number };
  readonly medianInput: number;
}

/** What is not explained in `exceptions.ts`; empty where all is well. */
export function faultsOf({ name, exceptions, toolset }: Proof): string[] {
  const open = exceptions.filter((exception) => explainException(name, exception) === undefined);
  return [...open.map(({ operation, stage, reason }) => `${operation} ${stage}: ${reason}`), ...toolset.notPortable];
}

const BATCH = 25;
const MOST_DRAWS = 12;

type Sent = Extract<Planned, { kind: "sent" }>;

/** Compiles every operation of a document, sends each with drawn arguments, and has every request validated against the document. */
export async function proveSpec(spec: PublishedSpec, seed: string, every = 1): Promise<Proof> {
  const started = performance.now();
  const api = await loadApi(spec.file, {});
  const document = await readRawDocument(spec.file);
  const validator = await openValidator();
  const exceptions: Exception[] = [];
  const figures = openFigures();
  let [compiled, sent, valid, sentByTypes, validByTypes] = [0, 0, 0, 0, 0];
  try {
    for (const part of compileOperations(api, exceptions, every)) {
      figures.add(part);
      compiled += part.toolset.tools.length;
      const planner = new RequestPlanner(part.toolset, api);
      for (let at = 0; at < part.tools.length; at += BATCH) {
        const tools = part.tools.slice(at, at + BATCH);
        const bySpec = await proveTools(tools, planner, seed, "spec", { document, validator });
        const byTypes = await proveTools(tools, planner, seed, "types", { document, validator });
        exceptions.push(...bySpec.exceptions, ...byTypes.exceptions);
        sent += bySpec.sent;
        valid += bySpec.valid;
        sentByTypes += byTypes.sent;
        validByTypes += byTypes.valid;
      }
    }
  } finally {
    validator.close();
  }
  return {
    name: spec.name,
    operations: api.index.length,
    compiled,
    sent,
    valid,
    sentByTypes,
    validByTypes,
    exceptions,
    toolset: figures.read(),
    ms: performance.now() - started,
    peakMB: process.resourceUsage().maxRSS / 1000,
  };
}

interface Proving {
  readonly document: Parameters<typeof validateRequests>[0];
  readonly validator: Validator;
}

/**
 * A request that is not valid although it carries exactly what was drawn shows that the draw was bad (two choices of a `oneOf` fit, say): it is
 * drawn again. What differs from the draw is the fault of who built it.
 */
async function proveTools(
  tools: readonly WholeTool[],
  planner: RequestPlanner,
  seed: string,
  from: "spec" | "types",
  { document, validator }: Proving,
) {
  const exceptions: Exception[] = [];
  let [sent, valid] = [0, 0];
  let open: readonly WholeTool[] = tools;
  for (let round = 0; round < MOST_DRAWS && open.length > 0; round += 1) {
    const isLast = round === MOST_DRAWS - 1;
    const again: WholeTool[] = [];
    const requests: { tool: WholeTool; planned: Sent }[] = [];
    for (const tool of open) {
      const planned = await planner.plan(tool, `${seed} ${round}`, from);
      if (planned.kind === "sent") requests.push({ tool, planned });
      else if (!isLast) again.push(tool);
      else exceptions.push({ operation: tool.operation.key, stage: planned.stage, from, reason: planned.reason });
    }
    const sentNow = requests.map(({ tool: { operation }, planned }) => ({
      path: operation.path,
      method: operation.method,
      request: planned.request,
    }));
    const verdicts = await validateRequests(document, sentNow, validator);
    const loosely = from === "types" ? await validateLoosely(sentNow, verdicts, { document, validator }) : new Set();
    for (const [at, { tool, planned }] of requests.entries()) {
      const verdict = verdicts[at]!;
      if (!verdict.valid && !isLast && from === "spec" && carriesTheDraw(planned)) {
        again.push(tool);
        continue;
      }
      sent += 1;
      if (verdict.valid) valid += 1;
      else
        exceptions.push({
          operation: tool.operation.key,
          stage: "validate",
          from,
          reason: `${loosely.has(at) ? CHOICE_ALONE : ""}${verdict.faults.join("; ")}\n${shown(planned)}`,
        });
    }
    open = again;
  }
  return { exceptions, sent, valid };
}

/** The positions of invalid requests that are valid where the choices of each union are taken together, as the tool's types have them. */
async function validateLoosely(
  requests: Parameters<typeof validateRequests>[1],
  verdicts: readonly { readonly valid: boolean }[],
  { document, validator }: Proving,
): Promise<ReadonlySet<number>> {
  const invalid = requests.flatMap((_, at) => (verdicts[at]!.valid ? [] : [at]));
  const again = await validateRequests(
    document,
    invalid.map((at) => requests[at]!),
    validator,
    true,
  );
  return new Set(invalid.filter((_, at) => again[at]!.valid));
}

function carriesTheDraw({ request, body }: Sent): boolean {
  if (body === undefined || typeof request.body !== "string" || !/json/.test(contentTypeOf(request) ?? ""))
    return false;
  return isDeepStrictEqual(JSON.parse(request.body), body);
}

function shown({ request }: Sent): string {
  const body =
    request.body === undefined
      ? ""
      : Buffer.from(request.body as Uint8Array)
          .toString("utf8")
          .slice(0, 600);
  return `${request.method} ${request.url.slice(0, 400)} ${contentTypeOf(request) ?? ""} ${body}`;
}

function openFigures() {
  let [curations, compileMs, slowestMsPerTool] = [0, 0, 0];
  let [largestInput, largestOutput] = [
    { operation: "", bytes: 0 },
    { operation: "", bytes: 0 },
  ];
  const notPortable: string[] = [];
  const inputs: number[] = [];
  return {
    add({ toolset, tools, compileMs: ms }: CompiledPart): void {
      curations += 1;
      compileMs += ms;
      slowestMsPerTool = Math.max(slowestMsPerTool, ms / Math.max(tools.length, 1));
      for (const tool of toolset.tools) {
        const operation = keyOf(toolset, tool);
        const bytes = Buffer.byteLength(JSON.stringify(tool.inputSchema));
        inputs.push(bytes);
        if (bytes > largestInput.bytes) largestInput = { operation, bytes };
        const output = tool.outputSchema === undefined ? 0 : Buffer.byteLength(JSON.stringify(tool.outputSchema));
        if (output > largestOutput.bytes) largestOutput = { operation, bytes: output };
        notPortable.push(...portableFaults(tool.inputSchema).map((fault) => `${operation} ${fault}`));
      }
    },
    read(): ToolsetFigures {
      const medianInput = inputs.toSorted((a, b) => a - b)[inputs.length >> 1] ?? 0;
      return { curations, compileMs, slowestMsPerTool, notPortable, largestInput, largestOutput, medianInput };
    },
  };
}

function keyOf(toolset: Toolset, { plan }: Toolset["tools"][number]): string {
  return plan.kind === "call" ? (toolset.operations[plan.call.operation]?.key ?? "") : plan.kind;
}
