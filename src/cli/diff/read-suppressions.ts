import { readYaml } from "../../curation/read-yaml.ts";
import { UnreadableInput } from "../../model/errors.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import { CHANGE_RULES, findChangeRule } from "../../surface/diff/change-rules.ts";
import type { Suppression } from "../../surface/diff/suppressions.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { readFile } from "../toolset/read-file.ts";

const KEYS = ["rule", "tool", "path", "reason", "until"];

/** A YAML list of `{rule, tool?, path?, reason, until?}`. Throws `UnreadableInput`, which names the first mistake and its line. */
export function readSuppressions(file: string): Suppression[] {
  const { text } = readFile(file);
  const { value, tree, findings } = readYaml(file, text);
  const [finding] = findings;
  if (finding !== undefined) throw new UnreadableInput(`${file}: ${finding.message}`);
  if (value === null) return [];
  if (!Array.isArray(value))
    throw new UnreadableInput(`${file}: expected a list of {rule, tool, path, reason, until}.`);
  const items = tree.root !== null && "items" in tree.root ? (tree.root.items as readonly unknown[]) : [];
  return value.map((entry: Json, at) => {
    const line = lineOf(text, items[at]);
    const fault = faultOf(entry);
    if (fault !== undefined) throw new UnreadableInput(`${file}:${line}: ${fault}`);
    return { ...(entry as unknown as Suppression), file, line };
  });
}

function faultOf(entry: Json): string | undefined {
  if (!isJsonObject(entry)) return "expected {rule, tool, path, reason, until}.";
  const stray = Object.keys(entry).find((key) => !KEYS.includes(key));
  if (stray !== undefined) return `there is no key ${visibleText(stray, 100)}. There are: ${KEYS.join(", ")}.`;
  const odd = Object.entries(entry).find(([, value]) => typeof value !== "string" || value.trim() === "");
  if (odd !== undefined) return `${odd[0]} is not a text.`;
  const { rule, reason, until } = entry as unknown as Partial<Suppression>;
  if (rule === undefined || reason === undefined) return `${rule === undefined ? "rule" : "reason"} is missing.`;
  if (findChangeRule(rule) === undefined) return unknownRule(rule);
  return until === undefined || isDay(until) ? undefined : "until is not a day such as 2027-01-31.";
}

function unknownRule(rule: string): string {
  const [nearest] = nearestNames(
    rule,
    CHANGE_RULES.map((one) => one.rule),
  );
  return `there is no rule ${visibleText(rule, 100)}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`;
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

function lineOf(text: string, node: unknown): number {
  const { range } = (node ?? {}) as { range?: readonly number[] | null };
  return text.slice(0, range?.[0] ?? 0).split("\n").length;
}
