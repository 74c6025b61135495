import { madeFrom } from "./made-from.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** What events call the tools of one toolset by: SHA-256 of the manifest, in hex. Counting its tokens takes the processor a moment. */
export async function makeToolsSha(request: Pick<ToolsetRequest, "file">, loaded: LoadedToolset): Promise<string> {
  if (loaded.toolset === undefined) throw new Error("There are no tools.");
  const { makeManifest, manifestSha } = await import("../../surface/manifest.ts");
  return manifestSha(await makeManifest(loaded.toolset, madeFrom(request, loaded)));
}
