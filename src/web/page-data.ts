import type { JsonObject } from "../model/json.ts";
import type { ListedTool } from "../model/listed-tool.ts";
import type { Severity, SourcePosition } from "../model/problem.ts";
import type { PortableSchema } from "../model/schema.ts";

export type {
  ReplyMark,
  TriedExchange,
  TriedReply,
  TriedUpstream,
  TryAnswer,
  TryRequest,
} from "./try-data.ts";

/**
 * What passes between the server and the page, all of it JSON. Texts are as the tool list has them: of others, to be shown as text and nothing else.
 *
 * `GET  {base}/data`     → `PageData`
 * `POST {base}/try`      `TryRequest` → `TryAnswer`
 * `GET  {base}/changes`  text/event-stream: `event: changed`, `data: {"revision":"…"}`. A first one comes at once. It is read with fetch, which can send a key.
 * `GET  {base}/calls`    → `PageCalls`; only where `PageData.hasCalls`
 *
 * `{base}` is `/page/api` of `serve`, and `/page/api/NAME` of `host`, with `Authorization: Bearer KEY`. What is not answered with 200 is a `PageFault`.
 */
export interface PageFault {
  /** The code is a number where the door of a host refuses (as on `/mcp/NAME`). */
  readonly error: { readonly code: string | number; readonly message: string };
}

/**
 * Which server shows the page: `<html lang="en" data-kind="serve">` of index.html, in which the server of a host writes `data-kind="host"`. `serve` is
 * asked at once; of `host` a server's name and a key must be known first.
 */
export type PageKind = "serve" | "host";

export interface PageData {
  readonly kind: PageKind;
  /** Another one whenever anything of the data, but for `calls`, may be another. */
  readonly revision: string;
  readonly server: {
    readonly name: string;
    readonly title?: string;
    /** Of vitrine. */
    readonly version: string;
    readonly instructions: string;
    /** The curation as the user typed it; absent on a host, and where an API is explored without one. */
    readonly file?: string;
  };
  /** Files are watched: an edit shows by itself. */
  readonly watches: boolean;
  readonly hasCalls: boolean;
  /** What is still being computed, and comes with a further revision. */
  readonly pending: readonly ("findings" | "endpoints")[];
  /** In the order of the list. */
  readonly tools: readonly PageTool[];
  readonly cost: PageCost;
  readonly clients: readonly PageClient[];
  readonly chain: PageChain;
  readonly states: readonly PageState[];
  /** What `vitrine check` finds, by file and line. Absent on a host, and as long as it is pending. */
  readonly findings?: readonly PageFinding[];
  /** Findings beyond the first 500. */
  readonly furtherFindings?: number;
  /** The curation as it stands does not compile, and the tools are those of the last one that did. */
  readonly isBroken: boolean;
  /** The files have changed since they were read, and what `vitrine check` would find in them is not told: it is nothing of what is served. */
  readonly isOutdated?: true;
}

export interface Cost {
  /** o200k_base. */
  readonly tokens: number;
  /** Of UTF-8. */
  readonly bytes: number;
  /** The tokens of a part were counted, and the rest is taken to be like it. */
  readonly isEstimate?: true;
}

export interface PageTool {
  /** The entry of the tool list, exactly as an agent gets it. */
  readonly listed: ListedTool;
  readonly cost: Cost;
  readonly runs: Runs;
  /** Of a group: each action by itself. `inputs` and `examples` of the group stand there, so that those here are empty. */
  readonly discriminator?: string;
  readonly actions: readonly PageAction[];
  /** What is known of inputs beyond the schema, by their names. */
  readonly inputs: Readonly<Record<string, PageInput>>;
  /** Arguments that were written down as examples, the first the best one to begin with. */
  readonly examples: readonly JsonObject[];
  /** Where it stands in the curation; absent on a host, and for tools that no entry makes. */
  readonly at?: SourcePosition;
  /** It exists only in one of these. */
  readonly states: readonly string[];
}

/** `tries`: it reads, and the page runs it. `shows`: it writes, or could: the page shows the requests that it would send, and sends none. */
export type Runs = "tries" | "shows";

export interface PageAction {
  /** The value of the discriminator. */
  readonly action: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: PortableSchema;
  readonly annotations: ListedTool["annotations"];
  readonly runs: Runs;
  readonly inputs: Readonly<Record<string, PageInput>>;
  /** Without the discriminator. */
  readonly examples: readonly JsonObject[];
  readonly at?: SourcePosition;
  readonly states: readonly string[];
}

export interface PageInput {
  /** The kind of thing that it names: an entity of the curation. */
  readonly entity?: string;
  /** The tool, as it is listed, that gives its values, and in which column. */
  readonly from?: { readonly tool: string; readonly action?: string; readonly field?: string };
}

export interface PageCost {
  /** The whole tool list as it goes over the wire. */
  readonly list: Cost;
  readonly instructions: Cost;
  /** One tool for each operation of the spec, as converters make them. Absent on a host, and as long as it is pending. */
  readonly endpoints?: Cost & {
    readonly operations: number;
    /** The spec is so large that not all of them were counted. */
    readonly isAtLeast: boolean;
  };
}

/** What one client makes of the list. A finding without a tool is about the whole of it. */
export interface PageClient {
  readonly name: string;
  /** Under which name it shows each tool, in the order of the list. */
  readonly fullNames: readonly string[];
  readonly longestName: number;
  /** How many tools it takes, or does well with: a phrase. */
  readonly room: string;
  readonly findings: readonly { readonly severity: Severity; readonly message: string; readonly tool?: string }[];
}

/** Which tool gives what another one needs, and which are said to follow each other. Nodes are tools as they are listed, an action as `tool/action`. */
export interface PageChain {
  readonly nodes: readonly {
    readonly id: string;
    readonly tool: string;
    readonly action?: string;
    readonly runs: Runs;
  }[];
  readonly links: readonly PageLink[];
}

export interface PageLink {
  readonly from: string;
  readonly to: string;
  /** `identifier`: an entity; `values`: a list that says what values there are; `next`: the author's order; `suggests`: calls that a reply proposes. */
  readonly kind: "identifier" | "values" | "next" | "suggests";
  /** The entity or the column, the input that takes it, or why the next one is called. */
  readonly label?: string;
  readonly input?: string;
}

export interface PageState {
  readonly name: string;
  /** Whether it holds now; absent where it is not known. */
  readonly holds?: boolean;
  /** Tools that exist in it, as they are listed or would be. */
  readonly tools: readonly string[];
}

export interface PageFinding extends SourcePosition {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  /** A tool, by its key in the curation. */
  readonly tool?: string;
  /** The lines around it, cut where they are long. Absent where the file is not among those that the curation was made from, or cannot be read. */
  readonly excerpt?: { readonly firstLine: number; readonly lines: readonly string[] };
}

/** What the events say, over their whole time. */
export interface PageCalls {
  /** RFC 3339; null where there is no event. */
  readonly from: string | null;
  readonly to: string | null;
  /** Of one bucket of `overTime`. */
  readonly bucketMs: number;
  /** The tools with the most calls, at most 40; names that are no tool's are told together as null. */
  readonly tools: readonly PageToolCalls[];
  /** Events that were lost, and lines that are none. */
  readonly lost: number;
  readonly faulty: number;
  /** Only the newest part of a large file was read. */
  readonly isPart: boolean;
}

export interface PageToolCalls {
  readonly tool: string | null;
  readonly calls: number;
  readonly errors: number;
  /** Milliseconds; of the calls that the tool answered, null where there is none. */
  readonly p50: number | null;
  readonly p95: number | null;
  /** Mean bytes of a reply, and of what the upstream answered for it. */
  readonly bytesOut: number;
  readonly bytesUpstream: number;
  /** From `from` on, one entry a bucket, empty ones too. */
  readonly overTime: readonly { readonly calls: number; readonly errors: number; readonly p95: number | null }[];
}
