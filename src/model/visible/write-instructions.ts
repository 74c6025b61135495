import { openSaying } from "../group/say-tool.ts";
import type { Entity, Guide } from "../tool.ts";
import { describeConduct, type GuidedTool } from "./describe-conduct.ts";

/** Clients cut instructions here. */
export const LONGEST_INSTRUCTIONS = 2_048;
const MOST_ORDERS = 5;

/**
 * The author's instructions, then, as far as there is room for it, what can be read off the tools, the important first: the order of calls, where
 * IDs come from, which calls may run beside each other, and what an answer does not mean.
 */
export function writeInstructions(
  guide: Guide,
  tools: readonly GuidedTool[],
  entities: readonly Pick<Entity, "name" | "tool">[],
): string {
  const listed = new Set(tools.map((tool) => tool.name));
  const sources: Sources = new Map(
    entities.filter(({ tool }) => listed.has(tool)).map(({ name, tool }) => [name, tool] as const),
  );
  const added = [
    ...describeOrder(guide, tools, sources, listed),
    ...describeIds(tools, sources),
    ...describeConduct(tools),
  ];
  const say = openSaying(tools);
  return added.reduce((text, sentence) => {
    const longer = text === "" ? sentence : `${text}${text === guide.written ? "\n" : " "}${sentence}`;
    return say(longer).length > LONGEST_INSTRUCTIONS ? text : longer;
  }, guide.written);
}

/** The tool that lists the things of each kind. */
type Sources = ReadonlyMap<string, string>;

/** From each tool that no other leads to, what comes after it: `a`, then `b` or `c`, then `d`. A list leads to what takes its IDs. */
function describeOrder(
  { leads }: Guide,
  tools: readonly GuidedTool[],
  sources: Sources,
  listed: ReadonlySet<string>,
): string[] {
  const after = new Map(
    leads.map(([name, said]) => {
      const takers = tools.filter(({ inputs }) => inputs.some(({ entity }) => sources.get(entity ?? "") === name));
      const next = [...said, ...takers.map((one) => one.name)].filter((one) => listed.has(one) && one !== name);
      return [name, [...new Set(next)]];
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

function describeIds(tools: readonly GuidedTool[], sources: Sources): string[] {
  const inputs = tools.flatMap((tool) => tool.inputs);
  const taken = [...sources].filter(([kind]) => inputs.some(({ entity }) => entity === kind)).slice(0, MOST_SOURCES);
  const where = taken.map(([kind, tool]) => `${kind} from \`${tool}\``);
  if (where.length > 0) return [`Never make up an ID: take ${where.join(", ")}.`];
  const takesId = inputs.some(({ name }) => /(^i|[_a-z]I|_i)ds?$|IDs?$/.test(name));
  return takesId ? ["Never make up an ID."] : [];
}
