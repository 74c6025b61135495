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
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  // A description may hold the text of a special token; it is an ordinary text here.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => ({ tokens: countTokens(text, options), bytes: Buffer.byteLength(text) });
}
