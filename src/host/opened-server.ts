import type { Generation } from "../mcp/make-generation.ts";
import type { SchemeCredential } from "../model/credential.ts";
import type { Identity } from "../model/exchange.ts";
import type { TagChoice } from "../model/visible/hide-by-tags.ts";
import type { PageSource } from "../web/serve-page.ts";
import type { FindLacking } from "./callers/open-door.ts";
import type { HostFile, VerifiedCaller } from "./hosting.ts";

/** How much of a server a caller may see: all else is as if it did not exist. */
export interface Visibility {
  readonly tags: TagChoice;
  readonly writes: boolean;
}

/** One server of the host file, compiled and ready: whoever compiles hands it in. */
export interface OpenedServer {
  readonly title?: string;
  /** What is served to those who may see so much; made once. */
  generation(seen: Visibility): Generation;
  /** What the page shows a caller: as much as it sees over MCP. Absent: there is no page of it. */
  pageOf?(caller: VerifiedCaller): Pick<PageSource, "data" | "tryTool">;
  /** What a caller brings in place of the curation's own credentials. */
  credentialsOf(caller: VerifiedCaller): readonly SchemeCredential[];
  /** What a caller lacks of what the curation needs. */
  readonly lacking: FindLacking;
  /** Hears when what a caller sees has become something else, and who that is; gives what ends that. */
  onChange(listener: (who: Pick<Identity, "id">) => void): () => void;
  /** Lets go of what it holds; no call is running then. */
  close(): Promise<void>;
}

/** All that is served at a time. It is replaced as a whole. */
export interface Served {
  readonly host: HostFile;
  /** One for each of the host file. */
  readonly servers: ReadonlyMap<string, OpenedServer>;
}
