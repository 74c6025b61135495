import type { Severity } from "../model/problem.ts";
import { conductsOf, type Manifest, type ManifestTool } from "./manifest-format.ts";
import type { Profile } from "./profiles.ts";
import { checkSize, sizeOf } from "./schema-size.ts";

/** What a client will not take (error), or takes at a loss (warning). Without `tool` it is about the whole list. */
export interface ProfileFinding {
  readonly severity: Severity;
  readonly code: string;
  readonly tool?: string;
  readonly message: string;
}

/** OpenAI, Structured Outputs, supported schemas. */
const STRICT = { properties: 5_000, depth: 10, values: 1_000 };

/** The list as a client of the profile takes it. */
export function checkProfile({ server, tools }: Manifest, profile: Profile): readonly ProfileFinding[] {
  const { mostTools, manyTools, mostOptional, longestInstructions } = profile;
  const whole: ProfileFinding[] = [];
  if (mostTools !== undefined && tools.length > mostTools)
    whole.push({ severity: "error", code: "too_many_tools", message: `${tools.length} tools; it takes ${mostTools}.` });
  else if (tools.length > manyTools) {
    const message = `${tools.length} tools; from ${manyTools} on the right one is found less often.`;
    whole.push({ severity: "warning", code: "many_tools", message });
  }
  const optional = tools.reduce((sum, { inputSchema }) => sum + sizeOf(inputSchema).optional, 0);
  if (mostOptional !== undefined && optional > mostOptional) {
    const message = `${optional} inputs of all tools may be left out; it takes ${mostOptional}. Take out what callers seldom need, require what they always give, or serve fewer tools by tags.`;
    whole.push({ severity: "warning", code: "many_optional_inputs", message });
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
  const budget = Math.max(0, ...conductsOf(tool).map((conduct) => conduct.budget));
  if (profile.longestReply !== undefined && budget > profile.longestReply)
    add("warning", "reply_cut", `A reply may have ${budget} bytes; it shows ${profile.longestReply}.`);
  const size = sizeOf(tool.inputSchema);
  for (const { severity, code, message } of checkSize(size)) add(severity, code, message);
  if (profile.dialect === "openai-strict")
    for (const key of ["properties", "depth", "values"] as const)
      if (size[key] > STRICT[key])
        add("error", "strict_limit", `${size[key]} ${key}; strict mode takes ${STRICT[key]}.`);
  return findings;
}
