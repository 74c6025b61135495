import { cacheFolder, type Env } from "../toolset/cache-folder.ts";
import { digest } from "../toolset/digest-file.ts";
import { attempt, readKept, writeKept } from "../toolset/kept-file.ts";
import { build } from "../version.ts";
import { nodeName } from "./shipped-code.ts";

/** How many are kept: at most four for each command of a build. */
const KEEP = 30;

/** What V8 compiled of a script of the program for one command. It counts for this build and this Node alone, and V8 looks whether it is of its own kind. */
export interface KeptCode {
  find(): Buffer | undefined;
  store(code: Uint8Array): void;
}

/**
 * In the folder of the toolsets, and trusted as those are: it is run. Whatever goes wrong here means compiling instead. Undefined where the source runs
 * unbuilt, there is no folder, or `command` cannot be one.
 */
export function openKeptCode(
  env: Env,
  command: string | undefined,
  script: string,
  program: string | undefined = build,
): KeptCode | undefined {
  const folder = cacheFolder(env);
  if (folder === undefined || program === undefined || !/^[a-z]+$/.test(command ?? "")) return undefined;
  const name = `${script}-${digest(JSON.stringify([program, nodeName(), command]))}.code`;
  return {
    find: () => attempt(() => readKept(folder, name)),
    store: (code) => attempt(() => writeKept(folder, name, code, KEEP)),
  };
}
