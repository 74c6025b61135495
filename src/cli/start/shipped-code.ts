import { join } from "node:path";
import { attempt, readSummed } from "../toolset/kept-file.ts";

/** Its code is taken by the Node that made it alone; make-code.mjs says the same. */
export function nodeName(): string {
  return [process.version, process.versions.v8, process.platform, process.arch].join("-");
}

/**
 * What V8 compiled of a script when the program was built, and tried: for a start of which nothing is kept. It lies beside the script and is trusted as
 * that is. Undefined where another Node built it.
 */
export function findShippedCode(dist: string, script: string): Buffer | undefined {
  return attempt(() => readSummed(join(dist, "code", nodeName(), `${script}.code`)));
}
