import type { Tool } from "../tool.ts";

/** A tool as far as the instructions need it. */
export interface GuidedTool extends Partial<Pick<Tool, "annotations" | "shape" | "group">> {
  /** As callers see it. */
  readonly name: string;
  readonly inputs: readonly { readonly name: string; readonly entity?: string }[];
}

const MOST_NAMED = 6;

/** Which calls may run beside each other, and what an answer does not mean. */
export function describeConduct(tools: readonly GuidedTool[]): string[] {
  return [...describeParallel(tools), ...describeEmptiness(tools)];
}

function describeParallel(tools: readonly GuidedTool[]): string[] {
  const known = tools.flatMap(({ name, annotations }) => (annotations === undefined ? [] : [{ name, annotations }]));
  const writers = known.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => `\`${name}\``);
  if (known.length - writers.length < 2) return [];
  if (writers.length === 0) return ["Calls that do not need each other may run in parallel: all tools only read."];
  const named = writers.length > MOST_NAMED ? "tools that write" : writers.join(", ");
  return [`Calls that only read may run in parallel; ${named} one at a time.`];
}

function describeEmptiness(tools: readonly GuidedTool[]): string[] {
  const lists = tools.flatMap(({ shape }) => (shape?.kind === "list" ? [shape] : []));
  if (lists.length === 0) return [];
  const empty = "No rows means that nothing matched these arguments, not that there is nothing";
  return [
    lists.some(({ totals }) => totals !== undefined)
      ? `${empty}; a summary without a total means that it is not known, not that it is zero.`
      : `${empty}.`,
  ];
}
