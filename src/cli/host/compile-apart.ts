import { UnreadableInput } from "../../model/errors.ts";
import { askThread, type ThreadAnswer } from "../toolset/ask-thread.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { fromPlain, type PlainToolset } from "../toolset/plain-toolset.ts";
import type { LoadedToolset, ToolsetRequest } from "../toolset/toolset-request.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the thread is given. */
export interface ApartRequest {
  readonly request: Omit<ToolsetRequest, "reading">;
  readonly env: Env;
}

/** What it gives back, as plain data. */
export interface ApartAnswer extends ThreadAnswer {
  /** The further files that it read. */
  readonly seen: readonly string[];
  readonly answer:
    | { readonly kind: "loaded"; readonly loaded: PlainToolset }
    | { readonly kind: "unreadable" | "failed"; readonly message: string };
}

/**
 * The same as `loadToolset`, in a thread of its own, so that the calls that are served meanwhile do not wait for a large spec.
 */
export async function compileApart(request: ToolsetRequest, env: Env): Promise<LoadedToolset> {
  const { reading, ...plain } = request;
  // Where the cache is, and no secret.
  const { HOME, XDG_CACHE_HOME } = env;
  const given: ApartRequest = { request: plain, env: { HOME, XDG_CACHE_HOME } };
  const told = await askThread<ApartAnswer>(PROGRAM, given);
  if (told === undefined) return loadToolset(request, env);
  for (const path of told.seen) reading?.(path);
  const { answer } = told;
  if (answer.kind !== "loaded")
    throw answer.kind === "unreadable" ? new UnreadableInput(answer.message) : new Error(answer.message);
  return fromPlain(answer.loaded);
}

const PROGRAM = new URL("./compile-worker.js", import.meta.url);
