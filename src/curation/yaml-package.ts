import { createRequire } from "node:module";

type YamlPackage = typeof import("yaml");

let loaded: YamlPackage | undefined;

/**
 * The `yaml` package, which knows where in a text each node stands. It is loaded when that is first asked for: a sound curation needs none of it,
 * and it is dear to load. By `require`, as a finding's place is asked for in the midst of compiling.
 */
export function yamlPackage(): YamlPackage {
  loaded ??= createRequire(import.meta.url)("yaml") as YamlPackage;
  return loaded;
}
