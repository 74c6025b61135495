import { createRequire } from "node:module";

type YamlPackage = typeof import("yaml");

let loaded: YamlPackage | undefined;

/**
 * The `yaml` package, our second parser, which is for texts that the first one does not take and for the line of a finding. It is dear to load,
 * so that happens when it is asked for; by `require`, as files are read in the midst of compiling.
 */
export function yamlPackage(): YamlPackage {
  loaded ??= createRequire(import.meta.url)("yaml") as YamlPackage;
  return loaded;
}
