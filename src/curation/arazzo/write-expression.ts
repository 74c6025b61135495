import { isJsonObject, type Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Path } from "../finding.ts";
import { findRuntimeExpressions, readRuntimeExpression } from "./runtime-expression.ts";

/** What can be named where an expression of a workflow stands. */
export interface FlowNames {
  /** Inputs as the tool calls them, by their names in the workflow. */
  readonly inputs: ReadonlyMap<string, string>;
  /** By the step's ID, then by the output's name: the expression; undefined where it has no counterpart. */
  readonly outputs: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>;
  /** The step whose own answer is read, as ours is called. */
  readonly self?: string;
}

/** Hears of what cannot be taken over; `arazzo_ignored` is a warning, of what the curation says in its place. */
export type Refuse = (
  code: "arazzo_unsupported" | "arazzo_invalid" | "arazzo_ignored",
  at: Path,
  message: string,
  hint: string,
) => void;

/** A value of the workflow as a value of a curation: its expressions in `${…}`. */
export function writeValue(value: Json, at: Path, names: FlowNames, refuse: Refuse): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => writeValue(item, [...at, index], names, refuse));
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, writeValue(entry, [...at, name], names, refuse)]),
    );
  if (typeof value !== "string") return value;
  const parts = findRuntimeExpressions(value).map((part) => {
    if (typeof part === "string") return part.replaceAll("${", () => "$${");
    return `\${${writeExpression(part.expression, at, names, refuse) ?? "`null`"}}`;
  });
  return parts.join("");
}

/** A runtime expression in JMESPath over the roots; undefined, and a finding, where there is no counterpart. */
export function writeExpression(text: string, at: Path, names: FlowNames, refuse: Refuse): string | undefined {
  const read = readRuntimeExpression(text);
  if (read === undefined) {
    refuse(
      "arazzo_invalid",
      at,
      `\`${text.slice(0, 80)}\` is no runtime expression.`,
      "One begins with $inputs, $steps or $response.",
    );
    return undefined;
  }
  switch (read.kind) {
    case "inputs": {
      const found = splitName(read.name, names.inputs);
      if (found !== undefined) return join(`input.${found.value}`, [...found.rest, ...read.path]);
      refuse(
        "arazzo_invalid",
        at,
        `The workflow has no input \`${read.name}\`.`,
        hintOf(read.name, [...names.inputs.keys()]),
      );
      return undefined;
    }
    case "output": {
      const outputs = names.outputs.get(read.step);
      const found = outputs && splitName(read.name, outputs);
      if (found?.value !== undefined) return join(found.value, [...found.rest, ...read.path]);
      if (outputs === undefined)
        refuse(
          "arazzo_invalid",
          at,
          `No step above is called \`${read.step}\`.`,
          hintOf(read.step, [...names.outputs.keys()]),
        );
      else if (found === undefined)
        refuse(
          "arazzo_invalid",
          at,
          `Step \`${read.step}\` has no output \`${read.name}\`.`,
          hintOf(read.name, [...outputs.keys()]),
        );
      else
        refuse(
          "arazzo_unsupported",
          at,
          `The output \`${read.name}\` of step \`${read.step}\` is no part of its body.`,
          "Steps here give their bodies only.",
        );
      return undefined;
    }
    case "body":
      if (names.self !== undefined) return join(`steps.${names.self}`, read.path);
      refuse("arazzo_invalid", at, "There is no response here.", "Name an output of a step: $steps.ID.outputs.NAME.");
      return undefined;
    case "other":
      refuse(
        "arazzo_unsupported",
        at,
        `\`${read.what}\` has no counterpart in steps.`,
        "Read $inputs, $response.body or an output of a step.",
      );
      return undefined;
    default:
      return read satisfies never;
  }
}

/** Names may hold dots, and a dot may also lead inside: the longest name that there is counts. */
function splitName<T>(text: string, known: ReadonlyMap<string, T>): { value: T; rest: string[] } | undefined {
  const parts = text.split(".");
  for (let end = parts.length; end > 0; end -= 1) {
    const name = parts.slice(0, end).join(".");
    if (known.has(name)) return { value: known.get(name) as T, rest: parts.slice(end) };
  }
  return undefined;
}

function join(root: string, path: readonly string[]): string {
  return path.reduce(
    (text, part) => (/^(0|[1-9]\d*)$/.test(part) ? `${text}[${part}]` : `${text}.${quoted(part)}`),
    root,
  );
}

function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function hintOf(name: string, known: readonly string[]): string {
  const [near] = nearestNames(name, known, 1);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return known.length === 0 ? "There is none." : `There is ${known.slice(0, 12).join(", ")}.`;
}
