import { PAGE_TOKEN_TTL_MS } from "../../model/page-token-ttl.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import { rawArgument } from "../arguments/raw-argument.ts";
import type { PageToken } from "../list/list-read.ts";
import type { Outside } from "../outside.ts";
import type { CursorKeys } from "./cursor-keys.ts";
import { refuseForeignToken, refuseOldToken, refuseToken } from "./refuse-token.ts";
import { unsealPageToken } from "./seal-page-token.ts";

/** A token that is ours and not too old. It counts only once `checkBound` has found that it belongs to this call. */
export interface OpenedToken extends PageToken {
  readonly digest: string;
}

interface TokenCall {
  readonly tool: Tool;
  readonly toolset: Toolset;
  readonly outside: Pick<Outside, "now">;
  readonly cursorKeys: () => CursorKeys;
}

/** Ours hold one token of an upstream, or one address; nothing that is longer is worth decrypting. */
const LONGEST = 100_000;

/** Whether callers of a tool may go on with a list. */
export function takesPageToken({ inputSchema }: Pick<Tool, "inputSchema">): boolean {
  return Object.hasOwn(inputSchema.properties ?? {}, "pageToken");
}

/**
 * The token among a call's raw arguments, opened; undefined where there is none, or an empty one, or the tool takes none. Throws ToolError
 * `invalid_cursor` and `cursor_expired`.
 */
export function openPageToken(
  { tool, toolset, outside, cursorKeys }: TokenCall,
  raw: unknown,
): OpenedToken | undefined {
  if (!takesPageToken(tool)) return undefined;
  const token = rawArgument(raw, "pageToken");
  if (token === undefined) return undefined;
  if (typeof token !== "string") throw refuseToken("`pageToken` must be the text of a `nextPageToken`.");
  const content = token.length > LONGEST ? undefined : unsealPageToken(cursorKeys(), token.trim());
  if (content === undefined) {
    throw refuseToken(
      "This page token is not one that this server gave: it was changed or cut, or is of another server.",
    );
  }
  const age = outside.now().getTime() - content.made.getTime();
  if (age > (toolset.server.pageTokenTtlMs ?? PAGE_TOKEN_TTL_MS)) throw refuseOldToken();
  return content;
}

/** Throws ToolError `invalid_cursor` where a token was made for another call. */
export function checkBound(token: OpenedToken, digest: string): void {
  if (token.digest !== digest) throw refuseForeignToken();
}
