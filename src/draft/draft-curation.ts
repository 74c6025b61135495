import { readDrafted } from "../curation/read-drafted.ts";
import type { Api, OperationEntry } from "../model/api.ts";
import { type Outside, type Settled, settleDraft } from "./settle/settle-draft.ts";
import { surveyApi } from "./survey/survey-api.ts";
import { nameApi } from "./word/name-api.ts";
import { countLeftOut, type LeftOut, sayLeftOut } from "./write/say-left-out.ts";
import { writeDraft } from "./write/write-draft.ts";

export interface DraftOptions {
  /** The spec as the curation names it: a file by its way from the curation, or a URL. */
  readonly spec: string;
  /** Only these operations are looked at, all of them where a person named them. */
  readonly keep?: (entry: OperationEntry) => boolean;
  /** Also what changes something, which asks first. */
  readonly writes?: boolean;
  /** How often each operation was called, by its key: the most used come first. */
  readonly use?: ReadonlyMap<string, number>;
  /** Is told how many operations of how many were read. */
  readonly progress?: (read: number, of: number) => void;
}

export interface Draft {
  /** The curation as YAML, with what is to be decided as comments. */
  readonly text: string;
  /** The tools' names as callers see them without their prefix, each with its operation. */
  readonly tools: readonly { readonly name: string; readonly operation: string }[];
  /** Stands before every tool's name where callers see it; may be empty. */
  readonly prefix: string;
  /** Of the list of tools, about: as `Outside` has it. */
  readonly tokens: number;
  /** How many remarks ask for a decision. */
  readonly decisions: number;
  readonly env: readonly { readonly name: string; readonly holds: string }[];
  /** What became no tool; the end of the text says why. */
  readonly leftOut?: LeftOut;
}

export const MOST_TOOLS = 20;
export const MOST_TOKENS = 4_000;
/** Tokens may be estimated: of so much of a budget an estimate is sure. */
const SURELY = 0.97;
/** A further tool takes about as much as is left. */
const FULL = 0.85;

/** Drafts a curation for an API: read-only, at most 20 tools within 4,000 tokens, without an error. The same API gives the same text. */
export async function draftCuration(api: Api, options: DraftOptions, outside: Outside): Promise<Draft> {
  const { spec, keep, use, writes = false, progress } = options;
  const survey = surveyApi(api, {
    ...(keep !== undefined && { keep }),
    ...(use !== undefined && { use }),
    writes,
    ...(progress !== undefined && { progress }),
  });
  const name = nameApi(api.title, api.servers[0]?.url ?? "");
  const settled = await settleDraft(
    {
      ...{ api, spec, survey, name, writes },
      most: MOST_TOOLS,
      budget: MOST_TOKENS * SURELY,
      isNamed: keep !== undefined,
      read: (content) => readDrafted("draft", content),
    },
    outside,
  );
  const left = {
    survey,
    chosen: [...settled.chosen.values()],
    dropped: settled.dropped,
    writes,
    isFull: settled.chosen.size < MOST_TOOLS && settled.tokens > MOST_TOKENS * FULL,
  };
  return {
    text: writeDraft(settled, { title: name.title, operations: api.index.length, leftOut: sayLeftOut(left) }),
    ...describeSettled(settled),
    leftOut: countLeftOut(left),
  };
}

export function describeSettled(settled: Settled): Omit<Draft, "text" | "leftOut"> {
  return {
    tools: [...settled.chosen].map(([tool, { fact }]) => ({ name: tool, operation: fact.entry.key })),
    prefix: settled.prefix,
    tokens: settled.tokens,
    decisions: settled.remarks.filter(({ text }) => text.startsWith("decide:")).length,
    env: settled.env,
  };
}
