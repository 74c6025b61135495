import { openToolsetCache } from "./toolset-cache.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The toolset of a curation: from the cache where none of its files has changed, else compiled and cached. Throws `UnreadableInput`.
 * A hit loads neither a parser nor the compiler. `later` is given the caching, where the caller has more urgent things to do.
 */
export async function loadToolset(
  request: ToolsetRequest,
  env: Env,
  later: (work: () => void) => void = (work) => work(),
): Promise<LoadedToolset> {
  // An API without a curation has no file that an entry could be found by.
  const cache = request.explored === undefined ? openToolsetCache(env) : undefined;
  const hit = cache?.find(request);
  if (hit !== undefined) return hit;
  const { compileCuration } = await import("./compile-curation.ts");
  const { api: _, ...loaded } = await compileCuration(request, { errorsOnly: true });
  later(() => {
    // Without a cache too, as this lets go of the spec.
    loaded.files();
    loaded.sources();
    cache?.store(request, loaded);
  });
  return loaded;
}

/** For the next time that this toolset comes from the cache. */
export function keepToolsSha(request: ToolsetRequest, env: Env, loaded: LoadedToolset, toolsSha: string): void {
  if (request.explored === undefined) openToolsetCache(env)?.store(request, { ...loaded, toolsSha });
}
