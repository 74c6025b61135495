import type { ListedTool } from "../model/listed-tool.ts";

/** What a text costs an agent. */
export interface Cost {
  /** o200k_base tokens. */
  readonly tokens: number;
  /** In UTF-8. */
  readonly bytes: number;
}

export interface ListCost {
  readonly list: Cost;
  /** In the order of the list. */
  readonly tools: readonly Cost[];
}

/** The cost of a tool list as it goes over the wire: each tool's own compact JSON, and the whole list's. */
export async function measureList(tools: readonly ListedTool[]): Promise<ListCost> {
  const measure = await openMeasure();
  return { list: measure(JSON.stringify(tools)), tools: tools.map((tool) => measure(JSON.stringify(tool))) };
}

/** The measure of texts. Loaded when asked for: the token table alone is some megabytes. */
export async function openMeasure(): Promise<(text: string) => Cost> {
  const count = await LOADERS.o200k_base();
  return (text) => ({ tokens: count(text), bytes: Buffer.byteLength(text) });
}

/** Of GPT-4o and its successors, of GPT-4, and of GPT-3.5's elders: the same text in a large, a middle and a small vocabulary. */
export const ENCODINGS = ["o200k_base", "cl100k_base", "p50k_base"] as const;
export type Encoding = (typeof ENCODINGS)[number];
export type Tokens = Readonly<Record<Encoding, number>>;

/** The tokens of a text in each encoding. */
export async function openEncodings(): Promise<(text: string) => Tokens> {
  const counts = await Promise.all(ENCODINGS.map(async (name) => [name, await LOADERS[name]()] as const));
  return (text) => Object.fromEntries(counts.map(([name, count]) => [name, count(text)])) as Tokens;
}

// A description may hold the text of a special token; it is an ordinary text here.
const OPTIONS = { disallowedSpecial: new Set<string>() };

const LOADERS: Readonly<Record<Encoding, () => Promise<(text: string) => number>>> = {
  o200k_base: async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    return (text) => countTokens(text, OPTIONS);
  },
  cl100k_base: async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/cl100k_base");
    return (text) => countTokens(text, OPTIONS);
  },
  p50k_base: async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/p50k_base");
    return (text) => countTokens(text, OPTIONS);
  },
};

/** Words (`camelCase` is two), up to three digits, signs in a row, and what is beyond ASCII one by one. */
const PIECES = /[A-Z]?[a-z]+|[A-Z]+|[0-9]{1,3}|[!-/:-@[-`{-~]+|[^\0-\x7F]/gu;

/**
 * About how many o200k_base tokens a list of tools has: seldom less than it has, and up to 6% more where its texts are English. To count them takes a
 * table that alone takes longer to load than a small document takes to draft.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOf(piece);
  return tokens;
}

/** Letters of a word, and signs in a row, that are mostly one token. */
const WORD = 12;
const RUN = 3;
const MOST_OF_RUN = 3;
/** Alphabets differ: what is one in some is three in others. */
const BEYOND_ASCII = 2;

function tokensOf(piece: string): number {
  if (/^[A-Za-z]/.test(piece)) return Math.ceil(piece.length / WORD);
  if (piece > "\x7F") return BEYOND_ASCII;
  return Math.min(MOST_OF_RUN, Math.ceil(piece.length / RUN));
}
