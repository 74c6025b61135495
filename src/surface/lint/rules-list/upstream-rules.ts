import { ownValue } from "../../../model/json.ts";
import { callsOf } from "../../../model/map-calls.ts";
import type { LintRule } from "../lint-rule.ts";
import { operationOf } from "../operation-of.ts";
import { schemaAt } from "../rules-reply/schema-at.ts";

const deprecatedOperation: LintRule = {
  code: "deprecated_operation",
  severity: "warning",
  title: "A tool over an operation that will go",
  why: "The spec says that the operation is deprecated: the tool will fail one day without any change of its own.",
  *check({ curation, api, toolset, tools }) {
    for (const [name, tool] of tools) {
      const { steps } = ownValue(curation.content.tools, name) ?? {};
      const told = new Set<string>();
      for (const { operation } of callsOf(tool)) {
        const { key = "", id } = toolset.operations[operation] ?? {};
        const entry = api.find(key);
        if (entry?.deprecated !== true || told.has(key)) continue;
        told.add(key);
        const index = Array.isArray(steps)
          ? steps.findIndex((step) => "operation" in step && api.find(step.operation)?.key === key)
          : -1;
        const at = index < 0 ? ["tools", name, "operation"] : ["tools", name, "steps", index, "operation"];
        const message = `The spec says that \`${id ?? key}\` is deprecated.`;
        yield {
          severity: "warning",
          at,
          tool: name,
          message,
          hint: "Use what takes its place; the spec's description may name it.",
        };
      }
    }
  },
};

const deprecatedInput: LintRule = {
  code: "deprecated_input",
  severity: "note",
  title: "An input that will go",
  why: "The spec says that the parameter is deprecated: the upstream may ignore it one day, and the reply is then wider than the caller believes.",
  *check({ curation, api, toolset, tools }) {
    for (const [name, tool] of tools) {
      const call = tool.plan.kind === "call" ? tool.plan.call : undefined;
      const operation = call && operationOf(toolset.operations[call.operation]?.key ?? "", api);
      if (operation === undefined) continue;
      for (const { name: input, place } of tool.inputs) {
        if (place === undefined || ownValue(curation.content.tools, name)?.input?.[input] === undefined) continue;
        const parameter = operation.parameters.find(
          (one) => one.in === place.in && "name" in place && one.name === place.name,
        );
        const root = place.in === "body" ? operation.body?.content[0]?.schema : parameter?.schema;
        const schema = root && schemaAt(root, place.pointer, api);
        if (parameter?.deprecated !== true && schema?.deprecated !== true) continue;
        const message = `The spec says that what \`${input}\` is sent as is deprecated.`;
        const hint = "Leave the input out, or send what takes its place.";
        yield { severity: "note", at: ["tools", name, "input", input], tool: name, message, hint };
      }
    }
  },
};

export const UPSTREAM_RULES: readonly LintRule[] = [deprecatedOperation, deprecatedInput];
