import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { listedTool } from "../../model/listed-tool.ts";
import type { Toolset } from "../../model/tool.ts";
import { applyProfile, PROFILE_NAMES } from "../../surface/apply-profile.ts";
import { type EndpointCost, measureEndpoints } from "../../surface/endpoint-tools.ts";
import { type Manifest, makeManifest, manifestText } from "../../surface/manifest.ts";
import { openEncodings } from "../../surface/measure-cost.ts";
import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { EXPOSE_HELP, readExpose } from "../read-expose.ts";
import { readTags, TAG_HELP, TAG_OPTIONS } from "../read-tags.ts";
import { canServe } from "../toolset/can-serve.ts";
import { compileCuration } from "../toolset/compile-curation.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { formatCosts } from "./format-costs.ts";
import { formatProfile } from "./format-profile.ts";
import { listTools } from "./list-tools.ts";

const HELP = `vitrine tools CURATION: show the tools as a caller sees them, with what they cost an agent (o200k_base tokens unless said)

  --json         print the canonical manifest; the same whatever the environment holds
  --profile NAME show the full names, limits and warnings of one client instead; exit 1 where it refuses something. With --json the manifest in its
                 dialect. NAME: ${PROFILE_NAMES.join(", ")}
  --read-only    leave out every tool that writes
${EXPOSE_HELP}
${TAG_HELP}
  --root DIR     the folder that bounds the files a curation names (default: the parent of its folder)`;

export const tools: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "CURATION",
      options: {
        json: { type: "boolean", default: false },
        "read-only": { type: "boolean", default: false },
        root: { type: "string" },
        profile: { type: "string" },
        expose: { type: "string" },
        ...TAG_OPTIONS,
      },
      later: ["lock", "check"],
    });
    const { profile } = values;
    checkProfileName(profile);
    const tags = readTags(values);
    const expose = readExpose(values.expose);
    const request = {
      file: positionals[0] ?? "",
      root: values.root,
      readOnly: values["read-only"],
      ...(tags && { tags }),
      ...(expose && { expose }),
    };
    if (values.json || profile !== undefined) {
      const loaded = await loadToolset(request, shell.env);
      if (!(await canServe(loaded, shell)) || loaded.toolset === undefined) return 1;
      const manifest = await makeManifest(loaded.toolset);
      return profile === undefined
        ? printManifest(manifest, shell)
        : showProfile(manifest, profile, values.json, shell);
    }
    let endpoints: EndpointCost | undefined;
    const loaded = await compileCuration(request, {
      errorsOnly: true,
      look: async (api) => {
        endpoints = await measureEndpoints(api);
      },
    });
    if (!(await canServe(loaded, shell)) || loaded.toolset === undefined || endpoints === undefined) return 1;
    const manifest = await makeManifest(loaded.toolset);
    shell.print(`${listTools(manifest)}\n\n${await compareCosts(loaded.toolset, endpoints)}`);
    return 0;
  },
};

function checkProfileName(name: string | undefined): void {
  if (name !== undefined && !PROFILE_NAMES.includes(name))
    throw new UsageError(`There is no profile "${name}". There are: ${PROFILE_NAMES.join(", ")}`);
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
  return formatCosts(rows, row(`the list of ${listed.length} tools`, listed), endpoints);
}
