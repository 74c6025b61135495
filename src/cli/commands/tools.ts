import type { PortableSchema } from "../../model/schema.ts";
import { type Manifest, type ManifestTool, makeManifest, manifestText } from "../../surface/manifest.ts";
import { type Command, parseCommand } from "../command.ts";
import { canServe } from "../toolset/can-serve.ts";
import { loadToolset } from "../toolset/load-toolset.ts";

const HELP = `vitrine tools CURATION: show the tools as a caller sees them, with what they cost an agent (o200k_base tokens)

  --json         print the canonical manifest; the same whatever the environment holds
  --read-only    leave out every tool that writes
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
      },
      later: ["lock", "check", "expose", "tags", "any-tag", "exclude-tag", "profile"],
    });
    const request = { file: positionals[0] ?? "", root: values.root, readOnly: values["read-only"] };
    const loaded = await loadToolset(request, shell.env);
    if (!(await canServe(loaded, shell)) || loaded.toolset === undefined) return 1;
    const manifest = await makeManifest(loaded.toolset);
    shell.print(values.json ? manifestText(manifest).trimEnd() : listing(manifest));
    return 0;
  },
};

function listing({ server, tools, tokens, pins }: Manifest): string {
  const head = `${server.name}${server.title === undefined ? "" : `: ${server.title}`} (${tools.length} tools, ${words(tokens)})`;
  const notes = [
    ...(server.instructions === "" ? [] : [server.instructions.trim()]),
    ...(pins.length === 0 ? [] : [`Pinned: ${pins.join(", ")}`]),
  ];
  return [head, ...notes, ...tools.map(entry)].join("\n\n");
}

function entry(tool: ManifestTool): string {
  const limit = tool.limit === undefined ? [] : [`  rows     ${tool.limit.default}, at most ${tool.limit.max}`];
  return [
    `${tool.name}  ${words(tool.tokens)}`,
    `  ${tool.title}`,
    ...tool.description.split("\n").map((line) => `  ${line}`.trimEnd()),
    ...inputLines(tool.inputSchema),
    ...limit,
    `  budget   ${tool.budget} bytes`,
    `  sends    ${tool.operations.join(", ") || "nothing"}`,
  ].join("\n");
}

function inputLines({ properties = {}, required = [] }: PortableSchema): string[] {
  const inputs = Object.entries(properties);
  if (inputs.length === 0) return ["  input    none"];
  return inputs.map(([name, { type, enum: values, description = "" }]) => {
    const kind = `${values === undefined ? type : values.join("|")}${required.includes(name) ? ", required" : ""}`;
    return `  input    ${name} (${kind})${description === "" ? "" : `: ${description}`}`;
  });
}

function words(tokens: number): string {
  return `${tokens} tokens`;
}
