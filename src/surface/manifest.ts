import { exposeToolset } from "../model/group/expose-toolset.ts";
import type { JsonObject } from "../model/json.ts";
import { type ListedTool, listedTool } from "../model/listed-tool.ts";
import { callsOf } from "../model/map-calls.ts";
import type { Shape } from "../model/shape.ts";
import type { Tool, Toolset } from "../model/tool.ts";
import { measureList } from "./measure-cost.ts";

/** The tool list as a product: what callers see, what it costs, and what stands behind it. Holds no secret and nothing of the environment. */
export interface Manifest {
  readonly manifest: 1;
  readonly server: {
    readonly name: string;
    readonly title?: string;
    readonly instructions: string;
    readonly structured: boolean;
  };
  /** o200k_base tokens of the whole list. */
  readonly tokens: number;
  readonly pins: readonly string[];
  readonly tools: readonly ManifestTool[];
}

export interface ManifestTool extends ListedTool {
  /** `METHOD /path` of every operation that a call may send. */
  readonly operations: readonly string[];
  readonly limit?: { readonly default: number; readonly max: number };
  /** Bytes of a reply's JSON text. */
  readonly budget: number;
  readonly tags: readonly string[];
  /** Without one of these the tool does not exist. */
  readonly states?: readonly string[];
  /** Old names: still callable, not listed. */
  readonly aliases?: readonly string[];
  readonly tokens: number;
}

/** The same for the same toolset, whatever machine and environment it is asked on. */
export async function makeManifest(toolset: Toolset): Promise<Manifest> {
  const exposed = exposeToolset(toolset);
  const { name, title, instructions, structured } = exposed.server;
  const listed = exposed.tools.map((tool) => listedTool(tool, structured));
  const cost = await measureList(listed);
  return {
    manifest: 1,
    server: { name, ...(title !== undefined && { title }), instructions, structured },
    tokens: cost.list.tokens,
    pins: toolset.pins.map((pin) => pin.name),
    tools: exposed.tools.map((tool, at) => ({
      ...listedTool(tool, structured),
      ...behind(tool, toolset),
      tokens: cost.tools[at]?.tokens ?? 0,
    })),
  };
}

/** The canonical text: keys in order, two spaces, line feeds, one at the end. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, (_, value: unknown) => sortKeys(value), 2)}\n`;
}

function behind(tool: Tool, toolset: Toolset) {
  const limit = limitOf(tool.shape);
  return {
    operations: explored(tool) ?? [
      ...new Set(callsOf(tool).map((call) => toolset.operations[call.operation]?.key ?? "")),
    ],
    ...(limit !== undefined && { limit }),
    budget: tool.shape.budget,
    tags: tool.tags,
    ...(tool.states !== undefined && { states: tool.states }),
    ...(tool.aliases !== undefined && { aliases: tool.aliases }),
  };
}

/** What `call_operation` sends is in no toolset. */
function explored({ plan }: Tool): string[] | undefined {
  return plan.kind === "explore" && plan.does === "call" ? ["* (any operation that only reads)"] : undefined;
}

function limitOf(shape: Shape): { default: number; max: number } | undefined {
  return shape.kind === "list" ? shape.limit : undefined;
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
}
