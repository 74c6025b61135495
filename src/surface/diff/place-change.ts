import type { Curation } from "../../curation/format.ts";
import { unescapeToken } from "../../model/json-pointer.ts";
import type { Change } from "./change.ts";

type Path = readonly (string | number)[];
type Content = Curation["content"];

/**
 * Where in a curation's content that is said which a change is about; what is not there is found at its nearest ancestor. `key` is the tool's in
 * `tools`, undefined of one that the curation does not have (any more).
 */
export function placeChange(
  { tool, path }: Pick<Change, "tool" | "path">,
  content: Content,
  key: string | undefined,
): Path {
  const names = path.split("/").slice(1).map(unescapeToken);
  if (tool === null) return placeOfServer(names);
  if (key === undefined) return ["tools"];
  const entry = content.tools[key];
  const inTool = entry === undefined ? [] : placeInTool(names, entry);
  return ["tools", key, ...inTool];
}

const SERVER_KEYS: ReadonlyMap<string, string> = new Map([["pageTokenTtlMs", "pageTokenTtl"]]);

const UPSTREAM_KEYS: ReadonlyMap<string, Path> = new Map([
  ["timeoutMs", ["api", "timeout"]],
  ["retries", ["api", "retries"]],
  ["maxResponseBytes", ["api", "maxResponse"]],
  ["concurrency", ["api", "concurrency"]],
  ["headers", ["api", "headers"]],
  ["tls", ["api", "tls"]],
  ["address", ["api", "baseUrl"]],
]);

function placeOfServer([first = "", second = "", third = ""]: readonly string[]): Path {
  if (second === "upstream") return UPSTREAM_KEYS.get(third) ?? ["api"];
  if (first === "server") return ["server", SERVER_KEYS.get(second) ?? second];
  return first === "pins" ? ["pins"] : ["tools"];
}

type Entry = Content["tools"][string];

/** By the first key of the manifest's tool; what stands in none of them is about the whole tool. */
function placeInTool([first = "", ...rest]: readonly string[], entry: Entry): Path {
  switch (first) {
    case "inputSchema":
      return placeOfInput(rest, entry);
    case "outputSchema":
      return placeOfOutput(rest, entry);
    case "conduct":
      return placeOfConduct(rest, entry);
    case "description":
      return ["use"];
    case "annotations":
      return [rest[0] === "idempotentHint" ? "idempotent" : rest[0] === "openWorldHint" ? "openWorld" : "effect"];
    case "title":
    case "tags":
    case "aliases":
      return [first];
    default:
      return [];
  }
}

/** Inputs that are not the author's own are given by other keys. */
const BUILT_IN: ReadonlyMap<string, Path> = new Map([
  ["limit", ["result", "limit"]],
  ["pageToken", ["pages"]],
  ["filter", ["filter", "fields"]],
  ["confirm", ["confirm"]],
]);

function placeOfInput(names: readonly string[], { input }: Entry): Path {
  const at = names.indexOf("properties");
  const [name, keyword] = at === -1 ? [] : names.slice(at + 1);
  if (name === undefined) return ["input"];
  if (input === undefined || !Object.hasOwn(input, name)) return BUILT_IN.get(name) ?? ["input", name];
  return ["input", name, ...(keyword === undefined ? [] : [keyword === "description" ? "describe" : keyword])];
}

function placeOfOutput(names: readonly string[], { result }: Entry): Path {
  const fields = names.flatMap((name, at) => (names[at - 1] === "properties" ? [name] : []));
  const [first = "", ...deeper] = fields;
  if ((first === "summary" || first === "other") && result?.totals !== undefined) return ["result", "totals"];
  if (result?.value !== undefined) return ["result", "value", ...fields];
  const column = first === "data" ? deeper[0] : first;
  return column === undefined || column === "" ? ["result"] : ["result", "fields", column];
}

const CONDUCT: ReadonlyMap<string, Path> = new Map([
  ["limit", ["result", "limit"]],
  ["budget", ["result", "budget"]],
  ["order", ["result", "order"]],
  ["totals", ["result", "totals"]],
  ["group", ["result", "group"]],
  ["all", ["result", "all"]],
  ["text", ["result", "text"]],
  ["fields", ["result", "fields"]],
  ["replies", ["result"]],
  ["inputs", ["input"]],
  ["defaults", ["input"]],
  ["deadlineMs", ["deadline"]],
  ["filter", ["filter"]],
  ["pages", ["pages"]],
  ["emptyNote", ["result", "emptyNote"]],
  ["errors", ["errors"]],
  ["confirm", ["confirm"]],
  ["states", ["states"]],
  ["unpinned", ["unpinned"]],
  ["suggest", ["suggest"]],
]);

function placeOfConduct([first = "", ...rest]: readonly string[], entry: Entry): Path {
  const { steps, args } = entry;
  if (first === "said") return placeOfOutput(rest, entry);
  if (first === "requests" && args !== undefined) return ["args"];
  const at = CONDUCT.get(first);
  return at === undefined ? [steps === undefined ? "operation" : "steps"] : [...at, ...rest];
}
