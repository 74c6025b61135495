import { readFileSync } from "node:fs";

/** Put in by build.mjs. */
declare const VITRINE_VERSION: string | undefined;
declare const VITRINE_BUILD: string | undefined;

export const version: string = typeof VITRINE_VERSION === "string" ? VITRINE_VERSION : versionOfPackage();

/** A hash of what the program was built from; undefined where the source runs as it is, whose changes nobody counts. */
export const build: string | undefined = typeof VITRINE_BUILD === "string" ? VITRINE_BUILD : undefined;

function versionOfPackage(): string {
  return (JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string })
    .version;
}
