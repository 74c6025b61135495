import type { Curation } from "../../curation/format.ts";
import type { Problem } from "../../model/problem.ts";
import { openReport } from "../open-report.ts";
import { describeConduct, type ListedTool } from "./describe-conduct.ts";
import { withoutTools } from "./leave-out-tools.ts";
import { stripHidden } from "./plain-text.ts";
import { emittedName, replaceToolNames, type ToolNames } from "./tool-names.ts";

export interface ServerDescription {
  readonly instructions: string;
  readonly problems: readonly Problem[];
}

/** Clients cut instructions here. */
const LONGEST = 2_048;
const MOST_ORDERS = 5;

/**
 * The author's instructions, then, as far as there is room for it, what can be read off the tools, the important first: the order of calls, where
 * IDs come from, which calls may run beside each other, and what an answer does not mean.
 */
export function describeServer(curation: Curation, tools: readonly ListedTool[], names: ToolNames): ServerDescription {
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
  const sources = sourcesOf(curation, names, listed);
  const added = [
    ...describeOrder(curation, tools, sources, names),
    ...describeIds(tools, sources),
    ...describeConduct(tools),
  ];
  const instructions = added.reduce((text, sentence) => {
    const longer = text === "" ? sentence : `${text}${text === own ? "\n" : " "}${sentence}`;
    return longer.length > LONGEST ? text : longer;
  }, own);
  return { instructions, problems: report.problems };
}

/** The tool that lists the things of each kind, as callers see it. */
type Sources = ReadonlyMap<string, string>;

function sourcesOf(curation: Curation, names: ToolNames, listed: ReadonlySet<string>): Sources {
  const found = Object.entries(curation.content.entities ?? {}).flatMap(([name, { from }]) => {
    const emitted = emittedName(from, names);
    return emitted !== undefined && listed.has(emitted) ? [[name, emitted] as const] : [];
  });
  return new Map(found);
}

/** From each tool that no other leads to, what comes after it: `a`, then `b` or `c`, then `d`. A list leads to what takes its IDs. */
function describeOrder(curation: Curation, tools: readonly ListedTool[], sources: Sources, names: ToolNames): string[] {
  const listed = new Set(tools.map((tool) => tool.name));
  const after = new Map(
    Object.entries(curation.content.tools).map(([name, tool]) => {
      const emitted = names.get(name) ?? name;
      const said = Object.keys(tool.next ?? {}).flatMap((next) => emittedName(next, names) ?? []);
      const takers = tools.filter(({ inputs }) => inputs.some(({ entity }) => sources.get(entity ?? "") === emitted));
      const next = [...said, ...takers.map((one) => one.name)].filter((one) => listed.has(one) && one !== emitted);
      return [emitted, [...new Set(next)]];
    }),
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

const MOST_SOURCES = 8;

function describeIds(tools: readonly ListedTool[], sources: Sources): string[] {
  const inputs = tools.flatMap((tool) => tool.inputs);
  const taken = [...sources].filter(([kind]) => inputs.some(({ entity }) => entity === kind)).slice(0, MOST_SOURCES);
  const where = taken.map(([kind, tool]) => `${kind} from \`${tool}\``);
  if (where.length > 0) return [`Never make up an ID: take ${where.join(", ")}.`];
  const takesId = inputs.some(({ name }) => /(^i|[_a-z]I|_i)ds?$|IDs?$/.test(name));
  return takesId ? ["Never make up an ID."] : [];
}
