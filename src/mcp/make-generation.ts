import { compareTexts } from "../model/compare-texts.ts";
import type { Caller, Identity, ToolReply } from "../model/exchange.ts";
import { callableNames } from "../model/group/callable-names.ts";
import { exposeToolset } from "../model/group/expose-toolset.ts";
import { plainNames } from "../model/group/plain-names.ts";
import { type ListedTool, listedTool } from "../model/listed-tool.ts";
import { once } from "../model/once.ts";
import { onceFor } from "../model/once-for.ts";
import type { Toolset } from "../model/tool.ts";
import { hideByStates } from "../model/visible/hide-by-states.ts";

/** The running side of a toolset, as far as this room needs it (`Runner` of run/ is one). Throws `UnknownTool` only. */
export interface ToolCaller {
  call(name: string, args: unknown, caller: Caller): Promise<ToolReply>;
  /** Whether a text is the token of a question that it asked. Absent: it asks none. */
  gaveConfirmation?(token: string): boolean;
  /** The toolset as this caller sees it now. Absent: as it is, without what needs a state. */
  seenBy?(who: Identity): Promise<Toolset>;
}

/** One toolset ready to be served: immutable, made once, shared by every connection and request. */
export interface Generation {
  readonly identity: { readonly name: string; readonly title?: string; readonly version: string };
  readonly instructions: string;
  readonly structured: boolean;
  /** Those that are always there, whatever the upstream says. Sorted by name. */
  readonly tools: readonly ListedTool[];
  /** Tools come and go with what the upstream says. */
  readonly changes: boolean;
  /** Whether a tool is called so, or was, whoever may see it: for what counts calls, never for callers. */
  knows(name: string): boolean;
  /** Whether a tool that is called so, whoever may see it, never asks a person. */
  isPlain(name: string): boolean;
  /** Those that this caller sees now. */
  list(who: Identity): Promise<readonly ListedTool[]>;
  readonly caller: ToolCaller;
  /** SHA-256 of the tools' manifest, in hex: what events call them by. Absent where nobody makes it. */
  readonly toolsSha?: () => Promise<string>;
}

/** What is served now, and a way to hear of the next one. */
export interface ToolsetSource {
  current(): Generation;
  /** Returns the function that ends the subscription. */
  onChange(listener: () => void): () => void;
}

/** Makes everything of a toolset that does not depend on a request. `version` is the program's own. */
export function makeGeneration(
  toolset: Toolset,
  version: string,
  caller: ToolCaller,
  toolsSha?: () => Promise<string>,
): Generation {
  // A client reads the instructions once, so they tell only of tools that stay.
  const lasting = hideByStates(toolset, new Set());
  const { name, title, instructions, structured } = exposeToolset(lasting).server;
  const names = once(() => callableNames(exposeToolset(toolset)));
  const plain = once(() => plainNames(exposeToolset(toolset)));
  const listOf = onceFor(listTools);
  return {
    identity: { name, ...(title !== undefined && { title }), version },
    instructions,
    structured,
    tools: listOf(lasting),
    changes: lasting !== toolset,
    knows: (name) => names().has(name),
    isPlain: (name) => plain().has(name),
    list: async (who) => listOf((await caller.seenBy?.(who)) ?? lasting),
    caller,
    ...(toolsSha !== undefined && { toolsSha }),
  };
}

function listTools(seen: Toolset): readonly ListedTool[] {
  const { tools, server } = exposeToolset(seen);
  return tools.map((tool) => listedTool(tool, server.structured)).toSorted((a, b) => compareTexts(a.name, b.name));
}
