import { compileToolset } from "../../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../../src/curation/load-curation.ts";
import { lintToolset, openSubject } from "../../../src/surface/lint/check-lint.ts";
import type { ToolProblem } from "../../../src/surface/lint/waivers.ts";
import { apiOfText, type CurationParts, curationText, shown } from "../../compile/compile-text.ts";

/** Lints `tools:` of a curation against a spec that is written in the test; both must be right in themselves. */
export async function lintTools(
  spec: string,
  tools: string,
  more: CurationParts = {},
): Promise<readonly ToolProblem[]> {
  const api = await apiOfText(spec);
  const { curation, problems } = loadCuration("test.yaml", curationText(tools, more));
  const compiled = curation === undefined ? { problems } : compileToolset(curation, api, more.options);
  if (curation === undefined || compiled.toolset === undefined)
    throw new Error(`The curation is wrong in itself: ${shown([...problems, ...compiled.problems]).join("; ")}`);
  return lintToolset(await openSubject(curation, api, compiled.toolset));
}

/** A spec of one operation `list` with these query parameters, each `name: {schema, description}` in YAML. */
export function specOfQuery(parameters: readonly string[]): string {
  const list = parameters.map((text) => {
    const [, name = "", rest = ""] = /^(\S+): \{(.*)\}$/.exec(text) ?? [];
    return `{name: ${name}, in: query, ${rest}}`;
  });
  return `paths: {/things: {get: {operationId: list, parameters: [${list.join(", ")}], responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}}}`;
}
