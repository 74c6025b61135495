import type { Severity } from "../model/problem.ts";
import type { PortableSchema } from "../model/schema.ts";
import type { Manifest, ManifestTool } from "./manifest.ts";
import type { Profile } from "./profiles.ts";

/** What a client will not take (error), or takes at a loss (warning). Without `tool` it is about the whole list. */
export interface ProfileFinding {
  readonly severity: Severity;
  readonly code: string;
  readonly tool?: string;
  readonly message: string;
}

/** Of the schemas of one tool: beyond the first a model does worse, beyond the second some clients refuse. */
const BOUNDS = {
  inputs: { code: "many_inputs", what: "inputs", warn: 15, most: 25 },
  depth: { code: "deep_schema", what: "levels of input", warn: 3, most: 5 },
  values: { code: "many_values", what: "values of one input", warn: 20, most: 50 },
} as const;
/** OpenAI, Structured Outputs, supported schemas. */
const STRICT = { properties: 5_000, depth: 10, values: 1_000 };

/** The list as a client of the profile takes it. */
export function checkProfile({ server, tools }: Manifest, profile: Profile): readonly ProfileFinding[] {
  const { mostTools, manyTools, longestInstructions } = profile;
  const whole: ProfileFinding[] = [];
  if (mostTools !== undefined && tools.length > mostTools)
    whole.push({ severity: "error", code: "too_many_tools", message: `${tools.length} tools; it takes ${mostTools}.` });
  else if (tools.length > manyTools) {
    const message = `${tools.length} tools; from ${manyTools} on the right one is found less often.`;
    whole.push({ severity: "warning", code: "many_tools", message });
  }
  const { length } = server.instructions;
  if (longestInstructions !== undefined && length > longestInstructions) {
    const message = `The instructions have ${length} characters; it cuts them at ${longestInstructions}.`;
    whole.push({ severity: "warning", code: "instructions_too_long", message });
  }
  return [...whole, ...tools.flatMap((tool) => checkTool(server.name, tool, profile))];
}

function checkTool(server: string, tool: ManifestTool, profile: Profile): readonly ProfileFinding[] {
  const findings: ProfileFinding[] = [];
  const add = (severity: Severity, code: string, message: string) =>
    findings.push({ severity, code, tool: tool.name, message });
  const full = profile.fullName(server, tool.name);
  if (full.length > profile.longestName)
    add("error", "name_too_long", `\`${full}\` has ${full.length} characters; it takes ${profile.longestName}.`);
  const { length } = tool.description;
  if (length > profile.longestDescription)
    add("error", "description_too_long", `${length} characters; it takes ${profile.longestDescription}.`);
  if (profile.longestReply !== undefined && tool.budget > profile.longestReply)
    add("warning", "reply_cut", `A reply may have ${tool.budget} bytes; it shows ${profile.longestReply}.`);
  const size = sizeOf(tool.inputSchema);
  for (const key of ["inputs", "depth", "values"] as const) {
    const { code, what, warn, most } = BOUNDS[key];
    if (size[key] > most) add("warning", code, `${size[key]} ${what}; some models and clients take ${most}.`);
    else if (size[key] > warn) add("note", code, `${size[key]} ${what}; over ${warn} a model does worse.`);
  }
  if (profile.dialect === "openai-strict")
    for (const key of ["properties", "depth", "values"] as const)
      if (size[key] > STRICT[key])
        add("error", "strict_limit", `${size[key]} ${key}; strict mode takes ${STRICT[key]}.`);
  return findings;
}

interface SchemaSize {
  /** At the root. */
  readonly inputs: number;
  /** At any depth. */
  readonly properties: number;
  /** Levels of objects. */
  readonly depth: number;
  /** The longest enum. */
  readonly values: number;
}

function sizeOf(schema: PortableSchema): SchemaSize {
  const own = Object.values(schema.properties ?? {});
  const inside = [...own, ...(schema.items === undefined ? [] : [schema.items])].map(sizeOf);
  const most = (read: (size: SchemaSize) => number) => Math.max(0, ...inside.map(read));
  return {
    inputs: own.length,
    properties: own.length + inside.reduce((sum, one) => sum + one.properties, 0),
    depth: most(({ depth }) => depth) + Number(schema.properties !== undefined),
    values: Math.max(
      schema.enum?.length ?? 0,
      most(({ values }) => values),
    ),
  };
}
