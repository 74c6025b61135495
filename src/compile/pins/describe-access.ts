import type { Curation, ToolEntry } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { Problem } from "../../model/problem.ts";
import type { Tool } from "../../model/tool.ts";
import { buildShape } from "../reply/build-shape.ts";
import { inputSchema } from "../types/portable-schema.ts";
import { annotateTool } from "../words/annotate-tool.ts";
import { describeTool } from "../words/describe-tool.ts";
import type { ToolNames } from "../words/tool-names.ts";
import type { PinPlan } from "./plan-pins.ts";

export const DESCRIBE_ACCESS = "describe_access";

const DEADLINE_MS = 45_000;

/** The tool that says where a caller is: every server with pins has it, and it sends nothing. */
export function describeAccess(
  curation: Curation,
  api: Api,
  pins: readonly PinPlan[],
  names: ToolNames,
): { readonly tool: Tool; readonly problems: readonly Problem[] } {
  const at = ["pins"];
  const entry = accessEntry(pins);
  const structured = curation.content.server.structured ?? true;
  const context = {
    curation,
    api,
    inputs: [],
    pins: pins.map(({ name }) => name),
    names,
    structured,
    comparable: false,
  };
  const { shape, output, problems: shapeProblems } = buildShape(entry, at, context);
  const { title, description, problems } = describeTool(DESCRIBE_ACCESS, entry, at, { curation, names });
  const { annotations } = annotateTool(entry, at, [], curation);
  const tool: Tool = {
    name: names.get(DESCRIBE_ACCESS) ?? DESCRIBE_ACCESS,
    title,
    description,
    annotations,
    inputSchema: inputSchema([]),
    ...(output !== undefined && { outputSchema: output }),
    inputs: [],
    plan: { kind: "access" },
    shape,
    errors: [],
    deadlineMs: DEADLINE_MS,
    tags: [],
  };
  return { tool, problems: [...shapeProblems, ...problems] };
}

function accessEntry(pins: readonly PinPlan[]): ToolEntry {
  // Names are quoted: a pin may be called what is no name in JMESPath.
  const values = pins.map(({ name }) => [name, `$.pins.${JSON.stringify(name)}`] as const);
  return {
    title: "Describe access",
    use: "Where this connection is: the values that are fixed for it in every call. Nobody can change them from here.",
    returns: "pins, one entry a fixed value.",
    result: { value: { pins: Object.fromEntries(values) } },
  };
}
