/** What a client makes of a tool list: under which names it shows the tools, and what it refuses, cuts or warns of. Unset: no bound is known. */
export interface Profile {
  readonly name: string;
  /** The name that counts against `longestName`. */
  fullName(server: string, tool: string): string;
  readonly longestName: number;
  /** More tools are refused, for all servers of the client together. */
  readonly mostTools?: number;
  /** From here on the client, or its model, is known to do worse. */
  readonly manyTools: number;
  /** Inputs that a call may leave out, at any depth and over all tools of a request; more are refused. */
  readonly mostOptional?: number;
  /** Characters, beyond which a description is cut or refused. */
  readonly longestDescription: number;
  readonly longestInstructions?: number;
  /** Bytes of a reply that it shows whole. */
  readonly longestReply?: number;
  /** Schemas are shown, and asked for, in this dialect; the portable subset where absent. */
  readonly dialect?: "openai-strict";
}

const plain = (_server: string, tool: string) => tool;
const doubled = (server: string, tool: string) => `mcp__${server}__${tool}`;

/** The clients' own documents and sources, as of 2026-11: names, counts and cuts. */
export const PROFILES: readonly Profile[] = [
  {
    name: "claude-code",
    fullName: doubled,
    longestName: 64,
    manyTools: 50,
    longestDescription: 2_048,
    longestInstructions: 2_048,
    longestReply: 50_000,
  },
  { name: "claude", fullName: plain, longestName: 64, manyTools: 50, longestDescription: 2_048 },
  // Tools that are sent with `strict: true`.
  {
    name: "claude-strict",
    fullName: plain,
    longestName: 64,
    mostTools: 20,
    manyTools: 20,
    mostOptional: 24,
    longestDescription: 2_048,
  },
  { name: "openai", fullName: plain, longestName: 64, mostTools: 128, manyTools: 20, longestDescription: 1_024 },
  {
    name: "openai-strict",
    fullName: plain,
    longestName: 64,
    mostTools: 128,
    manyTools: 20,
    longestDescription: 1_024,
    dialect: "openai-strict",
  },
  {
    name: "codex",
    fullName: doubled,
    longestName: 64,
    manyTools: 20,
    longestDescription: 1_024,
    longestReply: 10_240,
  },
  {
    name: "gemini-cli",
    fullName: (server, tool) => `mcp_${server}_${tool}`,
    longestName: 63,
    manyTools: 100,
    longestDescription: 1_024,
  },
  { name: "vscode", fullName: plain, longestName: 64, mostTools: 128, manyTools: 64, longestDescription: 1_024 },
  {
    name: "copilot-cli",
    fullName: plain,
    longestName: 64,
    mostTools: 128,
    manyTools: 64,
    longestDescription: 1_024,
    longestReply: 10_000,
  },
  {
    name: "cursor",
    fullName: (server, tool) => `${server}${tool}`,
    longestName: 60,
    mostTools: 80,
    manyTools: 40,
    longestDescription: 1_024,
  },
  { name: "windsurf", fullName: plain, longestName: 64, mostTools: 100, manyTools: 25, longestDescription: 1_024 },
  { name: "bedrock", fullName: plain, longestName: 64, manyTools: 50, longestDescription: 1_024 },
];
