import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { explainIssues } from "./explain-issues.ts";
import type { Finding } from "./finding.ts";
import { CurationFile } from "./format.ts";
import { nameKnownKeys } from "./name-known-keys.ts";

/** Checks data against the format. The content is there when nothing was found. */
export function checkShape(value: Json): { readonly content?: CurationFile; readonly findings: readonly Finding[] } {
  if (!isJsonObject(value)) return { findings: [notACuration(value)] };
  if (isOpenApi(value)) return { findings: [AN_OPENAPI_DOCUMENT] };
  const version = checkVersion(value.vitrine);
  // The version's own finding says more than the schema's would, and the rest is checked all the same.
  const { file, parsed } = parse(version === undefined ? value : { ...value, vitrine: 1 });
  const findings = [...(version === undefined ? [] : [version]), ...explainIssues(parsed.error?.issues ?? [], file)];
  return parsed.success && version === undefined ? { content: parsed.data, findings } : { findings };
}

/** The content alone, where nothing is wrong with it: that is told much sooner than what is. */
export function readShape(value: Json): CurationFile | undefined {
  return isJsonObject(value) ? parse(value).parsed.data : undefined;
}

function parse(value: JsonObject) {
  const file = Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith("x-")));
  // Writing code for each schema pays only where one is used again and again.
  return { file, parsed: CurationFile.safeParse(file, { error: nameKnownKeys, jitless: true }) };
}

const START = "A curation begins with vitrine: 1, api: { spec: … }, server: { name: … } and tools:.";

function notACuration(value: Json): Finding {
  const message = value === null ? "The file is empty." : "The file must be a mapping.";
  return { code: "wrong_type", path: [], at: "value", message, hint: START };
}

/** The document itself in the place of the curation that names it. */
function isOpenApi({ vitrine, openapi, swagger }: JsonObject): boolean {
  return vitrine === undefined && (openapi !== undefined || swagger !== undefined);
}

const AN_OPENAPI_DOCUMENT: Finding = {
  ...{ code: "wrong_type", path: [], at: "value" },
  message: "This is an OpenAPI document, not a curation.",
  hint: "`vitrine draft DOCUMENT -o CURATION` writes a curation for it, and `vitrine serve --spec DOCUMENT` explores it without one.",
};

function checkVersion(version: Json | undefined): Finding | undefined {
  if (version === 1 || version === undefined) return undefined;
  const at = { path: ["vitrine"], at: "value" } as const;
  return { code: "bad_version", ...at, message: "The format's version is not 1.", hint: "Write vitrine: 1." };
}
