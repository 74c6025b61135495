import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompileOptions, type CompileResult, compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Api } from "../../src/model/api.ts";
import type { Problem } from "../../src/model/problem.ts";
import type { Input, Tool } from "../../src/model/tool.ts";
import { loadApi } from "../../src/spec/load-api.ts";

const folder = mkdtempSync(join(tmpdir(), "compile-"));
let count = 0;

/** An Api of a spec that is written in the test: the whole of it, or what stands beside `openapi`, `info` and `servers`. */
export function apiOfText(spec: string): Promise<Api> {
  const head = "openapi: 3.1.0\ninfo: {title: Test, version: '1'}\nservers: [{url: 'https://api.example.com/v1'}]\n";
  count += 1;
  const file = join(folder, `spec-${count}.yaml`);
  writeFileSync(file, /^(openapi|swagger):/m.test(spec) ? spec : `${head}${spec}`);
  return loadApi(file, {});
}

/** Compiles `tools:` of a curation; `more` are further top-level sections. The curation must be right in itself. */
export async function compileTools(spec: string, tools: string, more: CurationParts = {}): Promise<CompileResult> {
  return compileText(await apiOfText(spec), curationText(tools, more), more.options);
}

export interface CurationParts {
  readonly api?: string;
  readonly server?: string;
  readonly pins?: string;
  readonly options?: CompileOptions;
}

export function curationText(tools: string, { api = "", server = "", pins }: CurationParts = {}): string {
  const sections = [
    "vitrine: 1",
    `api: {spec: spec.yaml${api && `, ${api}`}}`,
    `server: {name: test${server && `, ${server}`}}`,
    ...(pins === undefined ? [] : [`pins: ${pins}`]),
    `tools:\n${indent(tools)}`,
  ];
  return `${sections.join("\n")}\n`;
}

export function compileText(api: Api, text: string, options: CompileOptions = {}): CompileResult {
  const { curation, problems } = loadCuration("test.yaml", text);
  if (curation === undefined || problems.length > 0)
    throw new Error(`The curation is wrong in itself: ${shown(problems).join("; ")}`);
  return compileToolset(curation, api, options);
}

function indent(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

/** `line code`, one a finding. */
export function shown(problems: readonly Problem[]): string[] {
  return problems.map((problem) => `${problem.line} ${problem.code}: ${problem.message} ${problem.hint ?? ""}`);
}

/** The codes of what ends a compilation. */
export function errorsOf({ problems }: CompileResult): string[] {
  return problems.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

/** The one tool of a compilation without errors. */
export function toolOf(result: CompileResult, name = result.toolset?.tools[0]?.name): Tool {
  const tool = result.toolset?.tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool: ${shown(result.problems).join("; ")}`);
  return tool;
}

export function inputOf(result: CompileResult, name: string): Input {
  const input = toolOf(result).inputs.find((one) => one.name === name);
  if (input === undefined) throw new Error(`There is no input ${name}.`);
  return input;
}
