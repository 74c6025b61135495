import { counted } from "../../model/counted.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { applyProfile, PROFILE_NAMES } from "../../surface/apply-profile.ts";
import { type EndpointCost, measureEndpoints } from "../../surface/endpoint-tools.ts";
import { makeManifest, manifestText } from "../../surface/manifest.ts";
import type { Manifest } from "../../surface/manifest-format.ts";
import { openEncodings } from "../../surface/measure-cost.ts";
import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { EXPOSE_HELP, readExpose } from "../read-expose.ts";
import { AS_HELP, readKey, requestAs } from "../read-key.ts";
import { readProfile } from "../read-profile.ts";
import { readTags, TAG_HELP, TAG_OPTIONS } from "../read-tags.ts";
import { canServe } from "../toolset/can-serve.ts";
import { compileCuration } from "../toolset/compile-curation.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { madeFrom } from "../toolset/made-from.ts";
import { readRequest } from "../toolset/spec-request.ts";
import type { ToolsetRequest } from "../toolset/toolset-request.ts";
import { formatCosts } from "./format-costs.ts";
import { formatProfile } from "./format-profile.ts";
import { listTools } from "./list-tools.ts";
import { lockTools } from "./lock-tools.ts";

const HELP = `vitrine tools CURATION: show the tools as a caller sees them, with what they cost an agent (o200k_base tokens unless said)
vitrine tools CURATION --lock: write them beside the curation, to be committed: NAME.lock.json, and NAME.tools.md for people
vitrine tools --spec SPEC: the tools by which an API is explored without a curation

  --lock               write both files; with --check write none, show what is different and exit 1 where they are not those of the tools as they are
  --json               print the canonical manifest; the same whatever the environment holds
  --profile NAME       show the full names, limits and warnings of one client instead; exit 1 where it refuses something. With --json the
                       manifest in its dialect. NAME: ${PROFILE_NAMES.join(", ")}
  --read-only          leave out every tool that writes
${EXPOSE_HELP}
${TAG_HELP}
${AS_HELP}
  --spec SPEC          an OpenAPI document in place of a curation: a file or an https URL
  --base-url URL       with --spec: where the API is, where the spec does not say it
  --root DIR           the folder that bounds the files a curation names (default: the parent of its folder)`;

const OPTIONS = {
  json: { type: "boolean", default: false },
  lock: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  "read-only": { type: "boolean", default: false },
  root: { type: "string" },
  profile: { type: "string" },
  spec: { type: "string" },
  "base-url": { type: "string" },
  as: { type: "string" },
  expose: { type: "string" },
  ...TAG_OPTIONS,
} as const;
const WITH_LOCK: ReadonlySet<string> = new Set(["lock", "check", "root"]);

export const tools: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, { positionals: "[CURATION]", options: OPTIONS });
    const { json, lock, check } = values;
    const profile = readProfile(values.profile);
    const tags = readTags(values);
    if (tags && values.spec !== undefined)
      throw new UsageError("Tags choose among the tools of a curation, and --spec has none.");
    const expose = readExpose(values.expose);
    const asked = { ...readRequest(positionals[0], values), ...(tags && { tags }), ...(expose && { expose }) };
    const request = requestAs(asked, await readKey(values.as));
    if (lock || check) {
      checkLockOptions(args);
      return lockTools(request, check, shell);
    }
    return json || profile !== undefined ? showManifest(request, values, shell) : showList(request, shell);
  },
};

/** The lock is of the tools as the curation alone makes them. */
function checkLockOptions(args: readonly string[]): void {
  if (!args.includes("--lock")) throw new UsageError("--check goes with --lock; `vitrine check` checks a curation.");
  const other = Object.keys(OPTIONS).find(
    (name) => !WITH_LOCK.has(name) && args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`)),
  );
  if (other !== undefined) throw new UsageError(`--lock is of the whole curation as it stands: leave out --${other}.`);
}

async function showManifest(
  request: ToolsetRequest,
  { profile, json }: { readonly profile?: string | undefined; readonly json: boolean },
  shell: Shell,
): Promise<number> {
  const loaded = await loadToolset(request, shell.env);
  if (!(await canServe(loaded, shell)) || loaded.toolset === undefined) return 1;
  const manifest = await makeManifest(loaded.toolset, madeFrom(request, loaded));
  return profile === undefined ? printManifest(manifest, shell) : showProfile(manifest, profile, json, shell);
}

async function showList(request: ToolsetRequest, shell: Shell): Promise<number> {
  let endpoints: EndpointCost | undefined;
  const loaded = await compileCuration(request, {
    errorsOnly: true,
    look: async (api) => {
      endpoints = await measureEndpoints(api);
    },
  });
  if (!(await canServe(loaded, shell)) || loaded.toolset === undefined || endpoints === undefined) return 1;
  const manifest = await makeManifest(loaded.toolset, madeFrom(request, loaded));
  shell.print(`${listTools(manifest)}\n\n${await compareCosts(loaded.toolset, endpoints)}`);
  return 0;
}

function printManifest(manifest: Manifest, shell: Shell): number {
  shell.print(manifestText(manifest).trimEnd());
  return 0;
}

/** The exit code says whether the client refuses anything. */
function showProfile(whole: Manifest, name: string, asJson: boolean, shell: Shell): number {
  const applied = applyProfile(whole, name)!;
  if (asJson) printManifest(applied.manifest, shell);
  if (asJson) shell.note(formatProfile(applied));
  else shell.print(formatProfile(applied));
  return applied.findings.some(({ severity }) => severity === "error") ? 1 : 0;
}

async function compareCosts(toolset: Toolset, endpoints: EndpointCost): Promise<string> {
  const { tools, server } = exposeToolset(toolset);
  const tokensOf = await openEncodings();
  const row = (label: string, value: unknown) => {
    const text = JSON.stringify(value);
    return { label, bytes: Buffer.byteLength(text), tokens: tokensOf(text) };
  };
  const listed = tools.map((tool) => listedTool(tool, server.structured));
  const rows = listed.map((tool) => row(tool.name, tool));
  return formatCosts(rows, row(`the list of ${counted(listed.length, "tool")}`, listed), endpoints);
}
