import { UnreadableInput } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { readFile } from "./toolset/read-file.ts";

/** The claims in the file of `--as` (YAML: `claims: {tenantID: t-1}`); `{}` without a file. Throws `UnreadableInput`. */
export async function readClaims(file: string | undefined): Promise<JsonObject> {
  if (file === undefined) return {};
  const { text } = readFile(file);
  const { readYaml } = await import("../curation/read-yaml.ts");
  const { value, findings } = readYaml(file, text);
  const [finding] = findings;
  if (finding !== undefined) throw new UnreadableInput(`${file}: ${finding.path.join(".")}: ${finding.message}`);
  const entries = isJsonObject(value) ? Object.keys(value) : [];
  if (!isJsonObject(value) || entries.join() !== "claims" || !isJsonObject(value.claims)) {
    throw new UnreadableInput(`${file}: expected \`claims:\` with a name and a value a line, and nothing else.`);
  }
  return value.claims;
}
