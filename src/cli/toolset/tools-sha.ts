import { once } from "../../model/once.ts";
import { madeFrom } from "./made-from.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";

/** What events call the tools of one toolset by. */
export interface ToolsSha {
  /** SHA-256 of the manifest, in hex. Where nobody has made it before it waits for `give` or `make`. */
  readonly known: () => Promise<string>;
  /** From now on it is made for whoever asks, or has asked. */
  give(): void;
  /** Makes it. Counting the manifest's tokens takes the processor a moment, so this is called when callers have what they began with. */
  make(): Promise<string>;
}

export interface Remembered {
  /** What was made of this very toolset before. */
  readonly sha?: string | undefined;
  /** Is given what is made now, for the next time. */
  keep(sha: string): void;
}

export function openToolsSha(
  request: Pick<ToolsetRequest, "file">,
  loaded: LoadedToolset,
  remembered?: Remembered,
): ToolsSha {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const known = once(async () => {
    if (remembered?.sha !== undefined) return remembered.sha;
    await given;
    if (loaded.toolset === undefined) throw new Error("There are no tools.");
    const { makeManifest, manifestSha } = await import("../../surface/manifest.ts");
    const made = manifestSha(await makeManifest(loaded.toolset, madeFrom(request, loaded)));
    remembered?.keep(made);
    return made;
  });
  const make = (): Promise<string> => {
    give();
    return known();
  };
  return { known, give, make };
}
