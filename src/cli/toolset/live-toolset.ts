import { type Generation, makeGeneration, type ToolCaller, type ToolsetSource } from "../../mcp/make-generation.ts";
import type { Toolset } from "../../model/tool.ts";
import { version } from "../version.ts";

/** The running side of one toolset, with what it holds open. */
export interface OpenedCaller {
  readonly runner: ToolCaller & {
    /** Hears when what somebody sees has changed; gives what ends that. */
    onChange?(listener: () => void): () => void;
  };
  /** What events call its tools by. */
  readonly toolsSha?: () => Promise<string>;
  close(): Promise<void>;
}

/** What is served now, and may be replaced while it is. */
export interface LiveToolset<Opened extends OpenedCaller = OpenedCaller> extends ToolsetSource {
  /** Behind `current`. */
  served(): { readonly toolset: Toolset; readonly opened: Opened };
  replace(toolset: Toolset, opened: Opened): void;
  close(): Promise<void>;
}

/** Starts with one toolset. One that is replaced is closed when its last running call has ended, so that a reload breaks no call. */
export function openLiveToolset<Opened extends OpenedCaller>(toolset: Toolset, opened: Opened): LiveToolset<Opened> {
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  let serving = openServing(toolset, opened, tell);
  let served = { toolset, opened };
  return {
    current: () => serving.generation,
    served: () => served,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    replace: (next, nextOpened) => {
      serving.retire();
      serving = openServing(next, nextOpened, tell);
      served = { toolset: next, opened: nextOpened };
      tell();
    },
    close: () => serving.close(),
  };
}

function openServing(
  toolset: Toolset,
  { runner, toolsSha, close }: OpenedCaller,
  onChange: () => void,
): { generation: Generation; retire(): void; close(): Promise<void> } {
  let running = 0;
  let retired = false;
  const caller: ToolCaller = {
    gaveConfirmation: (token) => runner.gaveConfirmation?.(token) === true,
    ...(runner.seenBy !== undefined && { seenBy: runner.seenBy }),
    async call(name, args, by) {
      running += 1;
      try {
        return await runner.call(name, args, by);
      } finally {
        running -= 1;
        if (retired && running === 0) void close();
      }
    },
  };
  const stopListening = runner.onChange?.(onChange);
  return {
    generation: makeGeneration(toolset, version, caller, toolsSha),
    retire: () => {
      stopListening?.();
      retired = true;
      if (running === 0) void close();
    },
    close: () => {
      stopListening?.();
      return close();
    },
  };
}
