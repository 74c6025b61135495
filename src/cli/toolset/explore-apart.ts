import type { ExploredOperation, Explorer, OpenedOperation } from "../../model/explorer.ts";
import { once } from "../../model/once.ts";
import { build } from "../version.ts";
import { keepThread } from "./keep-thread.ts";
import { onceGood } from "./once-good.ts";
import type { ToolsetRequest } from "./toolset-request.ts";

/** What the thread begins with. */
export interface ExploreRequest {
  readonly request: Omit<ToolsetRequest, "reading">;
}

export type ExploreJob = { readonly kind: "list" } | { readonly kind: "has" | "open"; readonly name: string };

export type ExploreAnswer =
  | { readonly kind: "list"; readonly operations: readonly ExploredOperation[] }
  | { readonly kind: "has"; readonly has: boolean }
  | { readonly kind: "open"; readonly opened?: OpenedOperation };

export interface ExploringApart {
  /** The same as of `openExplorerLoader`. */
  load(): Promise<Explorer>;
  /** Loads what reads it in this thread, where the program of the other is taken away later. */
  prepare(): Promise<void>;
  close(): void;
}

export interface ApartOptions {
  /** How long the document is kept after the last question; a minute unless said. */
  readonly idleMs?: number;
  /** Absent where the source runs unbuilt. */
  readonly program?: URL | undefined;
}

/** How many operations are kept, so that what is made of one is made once. */
const KEEP = 200;
const PROGRAM = new URL("./explore-worker.js", import.meta.url);

/** Reads and explores a document in a thread of its own, so that the calls that are served meanwhile do not wait for it; where there can be none, in this one. */
export function exploreApart(
  { reading: _, ...request }: ToolsetRequest,
  { idleMs, program = build === undefined ? undefined : PROGRAM }: ApartOptions = {},
): ExploringApart {
  const workerData: ExploreRequest = { request };
  const thread = keepThread<ExploreJob, ExploreAnswer>({
    program,
    workerData,
    what: "Exploring",
    ...(idleMs && { idleMs }),
  });
  const loader = once(async () => (await import("./load-explorer.ts")).openExplorerLoader(request));
  const here = async () => (await loader())();
  const hereOf = async (name: string) => {
    const explorer = await here();
    return { explorer, operation: explorer.operations.find((one) => one.name === name) };
  };
  const has = async ({ name }: ExploredOperation): Promise<boolean> => {
    const answer = await thread.ask({ kind: "has", name });
    if (answer !== undefined) return answer.kind === "has" && answer.has;
    const { explorer, operation } = await hereOf(name);
    return operation !== undefined && explorer.has(operation);
  };
  const open = async ({ name }: ExploredOperation): Promise<OpenedOperation | undefined> => {
    const answer = await thread.ask({ kind: "open", name });
    if (answer !== undefined) return answer.kind === "open" ? answer.opened : undefined;
    const { explorer, operation } = await hereOf(name);
    return operation && explorer.open(operation);
  };
  const load = async (): Promise<Explorer> => {
    const answer = await thread.ask({ kind: "list" });
    return answer?.kind === "list" ? { operations: answer.operations, has, open: keepOpened(open) } : here();
  };
  return { load: onceGood(load), prepare: async () => void (await loader()), close: thread.end };
}

type Open = (operation: ExploredOperation) => Promise<OpenedOperation | undefined>;

function keepOpened(open: Open): Open {
  const kept = new Map<string, OpenedOperation>();
  return async (operation) => {
    const known = kept.get(operation.name);
    const opened = known ?? (await open(operation));
    if (known !== undefined || opened === undefined) return opened;
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= KEEP) kept.delete(oldest);
    kept.set(operation.name, opened);
    return opened;
  };
}
