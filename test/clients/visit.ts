import type { Target } from "../mcp/peers.ts";

export interface Call {
  readonly tool: string;
  readonly input: object;
}

/** What a client made of a tool's answer: whether it takes it for a failure, and the JSON in its text. */
export interface Reply {
  readonly failed: boolean;
  // Tests look at replies of many shapes; they are data of the tests' own making.
  readonly text: Record<string, unknown>;
  /** `structuredContent` or null, of the clients that hand it on. */
  readonly structured?: unknown;
}

/** The tools that a client found, and how each of its calls was answered. */
export interface Visit {
  readonly tools: readonly string[];
  readonly replies: readonly Reply[];
}

/** Connects, lists the tools and makes the calls; rejects, with the client's own words, where the server does not let it in. */
export type Visitor = (target: Target, calls: readonly Call[]) => Promise<Visit>;

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export function readResult({ content, structuredContent, isError: failed = false }: ToolResult): Reply {
  return { failed, text: JSON.parse(content[0]?.text ?? ""), structured: structuredContent ?? null };
}
