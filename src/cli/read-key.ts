import { UnreadableInput } from "../model/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { nearestNames } from "../model/nearest.ts";
import type { TagChoice } from "../model/visible/hide-by-tags.ts";
import { UsageError } from "./command.ts";
import { readFile } from "./toolset/read-file.ts";
import type { ToolsetRequest } from "./toolset/toolset-request.ts";

export const AS_HELP = `  --as FILE            a key, as YAML: \`claims:\`, what the curation reads as \${key.NAME}; \`tags: {all, any, exclude}\` and \`writes: false\`, what it shows`;

/** Who the caller is, as a host file says it of a key. */
export interface CallerKey {
  /** What the curation reads as `${key.NAME}`. */
  readonly claims: JsonObject;
  /** Of the tools that the server shows, those that this caller may see. */
  readonly tags?: TagChoice;
  /** False: no tool that writes. */
  readonly writes: boolean;
}

/** The key in the file of `--as` (YAML: `claims: {tenantID: t-1}`, `tags: {any: [public]}`, `writes: false`). Throws `UnreadableInput`. */
export async function readKey(file: string | undefined): Promise<CallerKey> {
  if (file === undefined) return { claims: {}, writes: true };
  const { text } = readFile(file);
  const { readYaml } = await import("../curation/read-yaml.ts");
  const { value, findings } = readYaml(file, text);
  const [finding] = findings;
  if (finding !== undefined) throw new UnreadableInput(`${file}: ${finding.path.join(".")}: ${finding.message}`);
  return readEntry(file, value);
}

/** The request as this caller makes it. Throws `UsageError`. */
export function requestAs(request: ToolsetRequest, { tags, writes }: CallerKey): ToolsetRequest {
  if (tags !== undefined && request.explored !== undefined)
    throw new UsageError("The key's tags choose among the tools of a curation, and --spec has none.");
  return { ...request, readOnly: request.readOnly || !writes, ...(tags !== undefined && { keyTags: tags }) };
}

const KEYS = ["claims", "tags", "writes"] as const;
const TAG_KEYS = ["all", "any", "exclude"] as const;

function readEntry(file: string, value: Json): CallerKey {
  if (!isJsonObject(value) || Object.keys(value).length === 0)
    throw new UnreadableInput(
      `${file}: expected \`claims:\` with a name and a value a line, \`tags:\` or \`writes:\`.`,
    );
  checkKeys(file, "", value, KEYS);
  const { claims = {}, tags, writes = true } = value;
  if (!isJsonObject(claims)) throw new UnreadableInput(`${file}: \`claims\` must be names with values.`);
  if (typeof writes !== "boolean") throw new UnreadableInput(`${file}: \`writes\` must be true or false.`);
  return { claims, writes, ...(tags !== undefined && { tags: readChoice(file, tags) }) };
}

function readChoice(file: string, tags: Json): TagChoice {
  if (!isJsonObject(tags)) throw new UnreadableInput(`${file}: \`tags\` must hold lists under all, any or exclude.`);
  checkKeys(file, "tags.", tags, TAG_KEYS);
  return Object.fromEntries(Object.entries(tags).map(([key, list]) => [key, readTagList(file, key, list)]));
}

/** An empty list would choose otherwise than was meant. */
function readTagList(file: string, key: string, list: Json): readonly string[] {
  const isList = Array.isArray(list) && list.length > 0;
  if (!isList || !list.every((tag): tag is string => typeof tag === "string" && tag !== ""))
    throw new UnreadableInput(`${file}: \`tags.${key}\` must be a list of at least one tag.`);
  return list;
}

function checkKeys(file: string, path: string, value: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, known);
  const hint =
    nearest === undefined
      ? `There are ${known.map((key) => `\`${key}:\``).join(", ")}.`
      : `Did you mean \`${nearest}\`?`;
  throw new UnreadableInput(`${file}: \`${path}${unknown}\` is unknown. ${hint}`);
}
