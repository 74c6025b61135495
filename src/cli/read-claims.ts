import { UnreadableInput } from "../model/errors.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { readFile } from "./read-file.ts";

/** The claims in the file of `--as` (YAML: `claims: {tenantID: t-1}`); `{}` without a file. Throws `UnreadableInput`. */
export async function readClaims(file: string | undefined): Promise<JsonObject> {
  if (file === undefined) return {};
  const { text } = readFile(file);
  const content: unknown = await parseYaml(file, text);
  const entries = isJsonObject(content) ? Object.keys(content) : [];
  if (!isJsonObject(content) || entries.join() !== "claims" || !isJsonObject(content.claims)) {
    throw new UnreadableInput(`${file}: expected \`claims:\` with a name and a value a line, and nothing else.`);
  }
  return content.claims;
}

async function parseYaml(file: string, text: string): Promise<unknown> {
  const { parse, YAMLParseError } = await import("yaml");
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof YAMLParseError) {
      const at = error.linePos?.[0];
      throw new UnreadableInput(`${file}:${at?.line ?? 1}:${at?.col ?? 1}: ${error.message.split("\n", 1)[0]}`);
    }
    throw new UnreadableInput(`${file}: not YAML that can be read.`, { cause: error });
  }
}
