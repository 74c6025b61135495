import { expect, test } from "vitest";
import { plainNames } from "../../src/model/group/plain-names.ts";
import type { Tool, Toolset } from "../../src/model/tool.ts";
import { sampleToolset } from "../fixtures/mcp/sample-server.ts";

const [base] = sampleToolset.tools as [Tool];
const confirm = { text: { kind: "literal", value: "Really?" }, human: false } as unknown as NonNullable<
  Tool["confirm"]
>;
const explore: Tool["plan"] = { kind: "explore", does: "call" };
const group = (...tools: Tool[]): Tool["plan"] => ({
  kind: "group",
  discriminator: "action",
  actions: tools.map((tool) => [tool.name, tool]),
});

test.each<[what: string, tool: Tool, want: string[]]>([
  ["a tool that reads", base, ["sample_wait"]],
  ["its old names too", { ...base, aliases: ["before"] }, ["sample_wait", "before"]],
  ["none that asks", { ...base, confirm }, []],
  ["none that calls whatever it is told to", { ...base, plan: explore }, []],
  [
    "a group none of whose actions asks",
    { ...base, plan: group({ ...base, aliases: ["old"] }) },
    ["sample_wait", "old"],
  ],
  ["none with an action that asks", { ...base, plan: group(base, { ...base, confirm }) }, []],
  [
    "none with an action that calls whatever it is told to",
    { ...base, plan: group(base, { ...base, plan: explore }) },
    [],
  ],
])("names that are surely never asked about: %s", (_, tool, want) => {
  expect([...plainNames({ ...sampleToolset, tools: [tool] } as Toolset)]).toStrictEqual(want);
});
