import type { Curation } from "../../curation/format.ts";
import type { Api } from "../../model/api.ts";
import type { Problem } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";
import { type BuildContext, type Built, buildCuration, type Remark } from "../build/build-curation.ts";
import { type Manner, type Mends, openMends } from "../build/mends.ts";
import { type Chosen, chooseTools } from "../choose/choose-tools.ts";
import { mapOf } from "../update/as-map.ts";
import { joinOld } from "../update/join-old.ts";
import type { Old } from "../update/read-old.ts";
import { mendError } from "./mend-error.ts";
import { type Finding, mendFinding, remarkOf } from "./mend-finding.ts";
import { type Compiled, openCompiler, type ReadMade } from "./read-draft.ts";

/** What drafting asks of the world around it. */
export interface Outside {
  /** Tokens of the whole list of tools, and of each by its name. */
  cost(toolset: Toolset): Cost | Promise<Cost>;
  /** What misleads agents in a curation that compiles. */
  lint(curation: Curation, api: Api, toolset: Toolset): Promise<readonly Problem[]>;
}

export interface Cost {
  readonly list: number;
  readonly tools: ReadonlyMap<string, number>;
}

export interface SettleOptions extends Omit<BuildContext, "mends" | "manner"> {
  readonly most: number;
  /** Tokens of the whole list. */
  readonly budget: number;
  readonly isNamed: boolean;
  readonly writes: boolean;
  readonly read: ReadMade;
}

export interface Settled extends Built {
  readonly tokens: number;
  /** Operations that were chosen and had to go. */
  readonly dropped: ReadonlySet<string>;
}

/** From the fullest way to show tools to the barest. */
const MANNERS: readonly Manner[] = [
  { compact: false, structured: true, inputs: 5, columns: 10, filters: 3 },
  { compact: true, structured: true, inputs: 4, columns: 10, filters: 2 },
  { compact: true, structured: false, inputs: 4, columns: 10, filters: 2 },
  { compact: true, structured: false, inputs: 2, columns: 10, filters: 0 },
];
const MOST_ROUNDS = 40;
/** Where a list is over its budget by less, one or two tools fewer are better than all of them at their barest. */
const LITTLE = 1.1;

/**
 * Drafts, compiles, and drafts again without what was wrong, until the compiler finds no error, the list is within its budget, and no rule finds
 * what a program could mend; the rest is remarked at its place.
 */
export async function settleDraft(options: SettleOptions, outside: Outside): Promise<Settled> {
  const { survey, most, isNamed, writes, old } = options;
  const mends = openMends();
  const compile = openCompiler(options.api, options.read);
  const seeds = new Set(old?.names.keys());
  const manners = old === undefined ? MANNERS : MANNERS.map((manner) => asIn(old, manner));
  let fewest = most;
  const choose = openChoice((without) => chooseTools(survey, { most: fewest, without, isNamed, writes, seeds }));
  let step = firstManner(choose(fewest, mends.dropped).length);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const chosen = choose(fewest, mends.dropped);
    const drafted = buildCuration(chosen, { ...options, mends, manner: manners[step]! });
    const built = old === undefined ? drafted : joinOld(drafted, old, mends);
    const compiled = compile(built.content);
    if ("errors" in compiled) {
      for (const { problem, path } of compiled.errors) mendError(problem, path, built, mends);
      continue;
    }
    const { list, tools } = await outside.cost(compiled.toolset);
    if (list > options.budget && built.chosen.size > 0) {
      const isNear = list <= options.budget * LITTLE;
      if (step < MANNERS.length - (isNear ? 2 : 1)) step += 1;
      else fewest = Math.min(fewest, saveTokens(built, list, tools, options.budget, mends));
      continue;
    }
    const findings = (await lint(compiled, options.api, outside)).filter((finding) => isOurs(finding, built));
    const mended = findings.filter((finding) => mendFinding(finding, built, mends));
    if (mended.length > 0) continue;
    return {
      ...built,
      tokens: list,
      dropped: mends.dropped,
      remarks: [...built.remarks, ...openRemarks(findings, built)],
    };
  }
  throw new Error(`The draft did not settle in ${MOST_ROUNDS} rounds.`);
}

/** What people wrote is theirs to mend. */
function isOurs({ path: [section, name] }: Finding, { added, chosen }: Built): boolean {
  if (added === undefined) return true;
  return section === "tools" ? chosen.has(String(name)) : section === "entities" && String(name) in added.entities;
}

/** Many tools never fit when they are told in full. */
function firstManner(tools: number): number {
  return tools <= 8 ? 0 : tools <= 12 ? 1 : 2;
}

/** A tool that alone takes as much as four others is left out; else there are fewer tools. */
const DEAR = 700;

/** How many tools there may still be. */
function saveTokens(
  built: Built,
  list: number,
  tools: ReadonlyMap<string, number>,
  budget: number,
  mends: Mends,
): number {
  const tokensOf = (name: string) => tools.get(`${built.prefix}${name}`) ?? 0;
  // What people wrote is not ours to shorten.
  const kept =
    built.added === undefined ? 0 : list - [...built.chosen.keys()].reduce((sum, one) => sum + tokensOf(one), 0);
  const dear = [...built.chosen]
    .map(([name, { fact }]) => ({ key: fact.entry.key, tokens: tokensOf(name) }))
    .filter(({ tokens }) => tokens > DEAR)
    .toSorted((x, y) => y.tokens - x.tokens);
  let over = list - budget;
  for (const { key, tokens } of dear) {
    if (over <= 0) break;
    mends.dropped.add(key);
    over -= tokens;
  }
  if (dear.length > 0) return built.chosen.size;
  return Math.max(0, Math.min(built.chosen.size - 1, Math.ceil((built.chosen.size * (budget - kept)) / (list - kept))));
}

/** Chooses anew only where there may be fewer tools, or others are left out: most rounds mend how a tool is told. */
function openChoice(
  choose: (without: ReadonlySet<string>) => Chosen[],
): (most: number, without: ReadonlySet<string>) => Chosen[] {
  let last: { readonly of: string; readonly chosen: Chosen[] } | undefined;
  return (most, without) => {
    const of = `${most} ${without.size}`;
    last = last?.of === of ? last : { of, chosen: choose(without) };
    return last.chosen;
  };
}

/** In the form that the curation's own tools have. */
function asIn({ content }: Old, manner: Manner): Manner {
  const { descriptions, structured } = mapOf(content["server"]);
  return { ...manner, compact: descriptions === "compact", structured: structured !== false };
}

async function lint({ read, toolset, warnings }: Compiled, api: Api, outside: Outside): Promise<Finding[]> {
  const found = [...warnings, ...(await outside.lint(read.curation, api, toolset))];
  return found
    .filter(({ severity }) => severity === "warning")
    .map((problem) => ({ code: problem.code, path: read.pathOf(problem), message: problem.message }));
}

/** One remark a place: what was said of it while it was built says more. */
function openRemarks(findings: readonly Finding[], { remarks }: Built): Remark[] {
  const said = new Set(
    remarks.filter(({ text }) => text.startsWith("decide:")).map(({ path }) => JSON.stringify(path)),
  );
  return findings.map(remarkOf).filter(({ path }) => !said.has(JSON.stringify(path)));
}
