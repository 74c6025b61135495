import type { Caller, ToolReply } from "../model/exchange.ts";
import { type ListedTool, listedTool } from "../model/listed-tool.ts";
import type { Toolset } from "../model/tool.ts";

/** The running side of a toolset, as far as this room needs it (`Runner` of run/ is one). Throws `UnknownTool` only. */
export interface ToolCaller {
  call(name: string, args: unknown, caller: Caller): Promise<ToolReply>;
  /** Whether a text is the token of a question that it asked. Absent: it asks none. */
  gaveConfirmation?(token: string): boolean;
}

/** One toolset ready to be served: immutable, made once, shared by every connection and request. */
export interface Generation {
  readonly identity: { readonly name: string; readonly title?: string; readonly version: string };
  readonly instructions: string;
  readonly structured: boolean;
  /** Sorted by name. */
  readonly tools: readonly ListedTool[];
  readonly caller: ToolCaller;
}

/** What is served now, and a way to hear of the next one. */
export interface ToolsetSource {
  current(): Generation;
  /** Returns the function that ends the subscription. */
  onChange(listener: () => void): () => void;
}

/** Makes everything of a toolset that does not depend on a request. `version` is the program's own. */
export function makeGeneration(toolset: Toolset, version: string, caller: ToolCaller): Generation {
  const { name, title, instructions, structured } = toolset.server;
  return {
    identity: { name, ...(title !== undefined && { title }), version },
    instructions,
    structured,
    tools: toolset.tools
      .map((tool) => listedTool(tool, structured))
      .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))),
    caller,
  };
}
