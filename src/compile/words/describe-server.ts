import type { Curation } from "../../curation/format.ts";
import type { Problem } from "../../model/problem.ts";
import { openReport } from "../open-report.ts";
import { withoutTools } from "./leave-out-tools.ts";
import { stripHidden } from "./plain-text.ts";
import { emittedName, replaceToolNames, type ToolNames } from "./tool-names.ts";

export interface ServerDescription {
  readonly instructions: string;
  readonly problems: readonly Problem[];
}

/** A tool as far as the instructions need it. */
export interface ListedInputs {
  /** As callers see it. */
  readonly name: string;
  readonly inputs: readonly { readonly name: string }[];
}

/** Clients cut instructions here. */
const LONGEST = 2_048;
const MOST_ORDERS = 5;

/** The author's instructions, then what the tools' `next` says of the order of calls, as far as there is room for it. */
export function describeServer(
  curation: Curation,
  tools: readonly ListedInputs[],
  names: ToolNames,
): ServerDescription {
  const report = openReport(curation);
  const at = ["server", "instructions"];
  const written = stripHidden(curation.content.server.instructions ?? "").trim();
  const listed = new Set(tools.map((tool) => tool.name));
  const hidden = new Set([...names.values()].filter((name) => !listed.has(name)));
  const own = withoutTools(replaceToolNames(written, at, names, report), hidden);
  if (own.length > LONGEST) {
    const message = `The instructions have ${own.length} characters, and clients cut them at ${LONGEST}.`;
    report.add("error", "instructions_too_long", at, message, "Keep what cannot be read off the tools.");
  }
  const added = [...describeOrder(curation, names, listed), ...describeIds(tools)];
  const instructions = added.reduce((text, sentence) => {
    const longer = text === "" ? sentence : `${text}${text === own ? "\n" : " "}${sentence}`;
    return longer.length > LONGEST ? text : longer;
  }, own);
  return { instructions, problems: report.problems };
}

/** From each tool that no other leads to, what comes after it: `a`, then `b` or `c`, then `d`. */
function describeOrder(curation: Curation, names: ToolNames, listed: ReadonlySet<string>): string[] {
  const after = new Map(
    Object.entries(curation.content.tools).map(([name, tool]) => [
      names.get(name) ?? name,
      Object.keys(tool.next ?? {}).flatMap((next) => {
        const emitted = emittedName(next, names);
        return emitted !== undefined && listed.has(emitted) ? emitted : [];
      }),
    ]),
  );
  const leading = [...after].filter(([name, next]) => next.length > 0 && listed.has(name)).map(([name]) => name);
  const reached = new Set(leading.flatMap((name) => (after.get(name) ?? []).filter((next) => next !== name)));
  const starts = leading.filter((name) => !reached.has(name));
  // Where every tool is led to by another, the first in the file begins.
  const orders = (starts.length > 0 ? starts : leading.slice(0, 1)).slice(0, MOST_ORDERS).map((start) => {
    const steps = levelsFrom(start, after).map((level) => level.map((name) => `\`${name}\``).join(" or "));
    return steps.join(", then ");
  });
  return orders.length === 0 ? [] : [`Order of calls: ${orders.join("; ")}.`];
}

/** Each tool once, at the fewest calls after which it makes sense. */
function levelsFrom(start: string, after: ReadonlyMap<string, readonly string[]>): string[][] {
  const levels: string[][] = [];
  const seen = new Set([start]);
  for (let level = [start]; level.length > 0; ) {
    levels.push(level);
    const next = new Set(level.flatMap((name) => after.get(name) ?? []).filter((name) => !seen.has(name)));
    for (const name of next) seen.add(name);
    level = [...next];
  }
  return levels;
}

function describeIds(tools: readonly ListedInputs[]): string[] {
  const takesId = tools.some((tool) => tool.inputs.some(({ name }) => /(^i|[_a-z]I|_i)ds?$|IDs?$/.test(name)));
  return takesId ? ["Never make up an ID."] : [];
}
