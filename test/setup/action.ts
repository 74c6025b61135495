import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "./program.ts";

export interface Step {
  readonly id: string;
  readonly shell: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

export interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { description: string; required?: boolean; default?: string }>>;
  readonly outputs: Readonly<Record<string, { description: string; value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const actionText = readFileSync(join(repository, "action.yml"), "utf8");
export const action: Action = parse(actionText);
export const [step] = action.runs.steps as [Step];

/** The environment of the action's step for these inputs, as a runner makes it. `event` is `github.event`. */
export function stepEnv(given: Readonly<Record<string, string>>, event: object = {}): Record<string, string> {
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""]);
  const context = { inputs: { ...Object.fromEntries(defaults), ...given }, github: { event } };
  const env = Object.entries(step.env).map(([name, text]) => [name, evaluate(text, context)]);
  return { ...Object.fromEntries(env), GITHUB_ACTION_PATH: repository };
}

/** `${{ a.b || c.d }}`: the first that is there and not empty. */
function evaluate(text: string, context: object): string {
  const [, expression] = /^\$\{\{ (.+) \}\}$/.exec(text) ?? [];
  if (expression === undefined) throw new Error(`no expression alone: ${text}`);
  const values = expression.split(" || ").map((path) => {
    if (!/^[a-z_-]+(\.[a-z_-]+)+$/.test(path)) throw new Error(`no path: ${path}`);
    return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], context);
  });
  return String(values.find((value) => value !== undefined && value !== "") ?? "");
}

/** A step's log as the runner reads it: commands are lines that, trimmed, begin with `::` (or hold `##[`), but none between `stop-commands` and its token. */
export function readLog(log: string): { commands: string[]; text: string } {
  const commands: string[] = [];
  const text: string[] = [];
  let token: string | undefined;
  for (const line of log.split("\n").map((one) => one.trim())) {
    const [, stop] = /^::stop-commands::(\w{32})$/.exec(line) ?? [];
    if (token !== undefined && line === `::${token}::`) token = undefined;
    else if (token !== undefined) text.push(line);
    else if (stop !== undefined) token = stop;
    else if (line.startsWith("::") || line.includes("##[")) commands.push(line);
  }
  if (token !== undefined) throw new Error("The runner is never told to take commands again.");
  return { commands, text: text.join("\n") };
}
