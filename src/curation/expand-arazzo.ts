import { UnreadableInput } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import { readWorkflow, type Workflow } from "./arazzo/read-workflow.ts";
import { createLocator, type Locate } from "./create-locator.ts";
import type { Curation, LeftOut, ToolEntry } from "./format.ts";
import { readYaml } from "./read-yaml.ts";

/** The files of workflows that tools name: `file#workflowId`. */
export function arazzoFiles(
  curation: Curation,
): readonly { readonly tool: string; readonly file: string; readonly id: string }[] {
  return Object.entries(curation.content.tools).flatMap(([tool, { steps }]) => {
    if (steps === undefined || Array.isArray(steps)) return [];
    const [file = "", ...id] = steps.arazzo.split("#");
    return [{ tool, file, id: id.join("#") }];
  });
}

/** The text of a file as `read` found it; its name is that of findings. Undefined where that was reported. */
export type ReadArazzo = (file: string) => { readonly path: string; readonly text: string } | undefined;

interface Flow {
  readonly workflow: Workflow;
  readonly locate: Locate;
}

/**
 * The curation with each workflow of an Arazzo file in the words of its own `steps`, inputs and result; what the curation says itself counts. What has
 * no counterpart is a finding in the file of the workflow, and what is found of its steps later stands there too.
 */
export function expandArazzo(curation: Curation, read: ReadArazzo): { curation: Curation; problems: Problem[] } {
  const named = arazzoFiles(curation);
  if (named.length === 0) return { curation, problems: [] };
  const problems: Problem[] = [];
  const flows = new Map<string, Flow>();
  const leftOut: LeftOut[] = [];
  for (const { tool, file, id } of named) {
    const at = ["tools", tool, "steps", "arazzo"];
    const flow = readFlow(
      { file, id, read },
      (found) => problems.push(found),
      (code, message, hint) =>
        problems.push({ ...curation.locate(at, "value"), code, severity: "error", message, hint }),
    );
    if (flow === undefined) leftOut.push({ path: at.slice(0, 3), value: null });
    else flows.set(tool, flow);
  }
  const tools = Object.entries(curation.content.tools).map(([name, entry]) => {
    const flow = flows.get(name);
    return [name, flow === undefined ? entry : withWorkflow(entry, flow.workflow)] as const;
  });
  const locate: Curation["locate"] = (path, at = "key", part) => locateIn(path, at, part, curation, flows);
  const content = { ...curation.content, tools: Object.fromEntries(tools) };
  const expanded = { ...curation, content, leftOut: [...curation.leftOut, ...leftOut], locate };
  // What a workflow says of all its steps is told once.
  const distinct = new Map(problems.map((one) => [`${one.file}:${one.line}:${one.column}:${one.message}`, one]));
  return { curation: expanded, problems: [...distinct.values()] };
}

interface Wanted {
  readonly file: string;
  readonly id: string;
  readonly read: ReadArazzo;
}

function readFlow(
  { file, id, read }: Wanted,
  add: (problem: Problem) => void,
  refuse: (code: string, message: string, hint: string) => void,
): Flow | undefined {
  if (file === "" || id === "") {
    refuse("bad_value", "A workflow is named by its file and its ID.", "Write it as flows.arazzo.yaml#workflowId.");
    return undefined;
  }
  const source = read(file);
  if (source === undefined) return undefined;
  try {
    const yaml = readYaml(source.path, source.text);
    const locate = createLocator(source.path, source.text, yaml.tree);
    let isWhole = yaml.findings.length === 0;
    for (const { code, path, message, hint, at } of yaml.findings)
      add({ ...locate(path, at), code, severity: "error", message, ...(hint !== undefined && { hint }) });
    const workflow = readWorkflow(yaml.value, id, (code, path, message, hint) => {
      const isIgnored = code === "arazzo_ignored";
      if (!isIgnored) isWhole = false;
      add({ ...locate(path, "key"), code, severity: isIgnored ? "warning" : "error", message, hint });
    });
    return workflow === undefined || !isWhole ? undefined : { workflow, locate };
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    refuse("unreadable_arazzo", error.message, "Mend the file, or name another.");
    return undefined;
  }
}

function withWorkflow(entry: ToolEntry, { summary, inputs, steps, outputs }: Workflow): ToolEntry {
  const own = entry.input ?? {};
  const merged = Object.entries(inputs).map(([name, said]) => [name, { ...said, ...own[name] }] as const);
  return {
    ...entry,
    steps: [...steps],
    ...(entry.use === undefined && summary !== undefined && { use: summary }),
    input: { ...own, ...Object.fromEntries(merged) },
    ...(entry.result === undefined && outputs !== undefined && { result: { value: { ...outputs } } }),
  };
}

/** What a tool has from its workflow stands in the file of that. */
function locateIn(
  path: Parameters<Curation["locate"]>[0],
  at: "key" | "value",
  part: string | undefined,
  curation: Curation,
  flows: ReadonlyMap<string, Flow>,
) {
  const [top, tool, ...below] = path;
  const flow = top === "tools" ? flows.get(String(tool)) : undefined;
  const written = curation.content.tools[String(tool)];
  const [key, name] = below;
  const isOwn =
    (key === "input" && Object.hasOwn(written?.input ?? {}, String(name))) ||
    (key === "result" && written?.result !== undefined);
  const origin = isOwn ? undefined : flow?.workflow.origin(below);
  return origin === undefined || flow === undefined ? curation.locate(path, at, part) : flow.locate(origin, at, part);
}
