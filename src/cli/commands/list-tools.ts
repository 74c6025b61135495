import { counted } from "../../model/counted.ts";
import type { PortableSchema } from "../../model/schema.ts";
import { conductsOf, type Manifest, type ManifestTool } from "../../surface/manifest-format.ts";

/** The list as text: what each tool is for, takes, gives and sends. */
export function listTools({ server, tools, tokens, pins }: Manifest): string {
  const title = server.title === undefined ? "" : `: ${server.title}`;
  const head = `${server.name}${title} (${counted(tools.length, "tool")}, ${words(tokens)})`;
  const notes = [
    ...(server.instructions === "" ? [] : [server.instructions.trim()]),
    ...(pins.length === 0 ? [] : [`Pinned: ${pins.join(", ")}`]),
  ];
  return [head, ...notes, ...tools.map(entry)].join("\n\n");
}

function entry(tool: ManifestTool): string {
  const conducts = conductsOf(tool);
  const limit = tool.conduct?.limit;
  const rows = limit === undefined ? [] : [`  rows     ${limit.default}, at most ${limit.max}`];
  const operations = [...new Set(conducts.flatMap((one) => one.operations))];
  return [
    `${tool.name}  ${words(tool.tokens)}`,
    `  ${tool.title}`,
    ...tool.description.split("\n").map((line) => `  ${line}`.trimEnd()),
    ...inputLines(tool.inputSchema),
    ...rows,
    `  budget   ${Math.max(...conducts.map(({ budget }) => budget))} bytes`,
    `  sends    ${operations.join(", ") || "nothing"}`,
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
