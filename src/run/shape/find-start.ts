import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { findIdentity, isOfId, type ReadsMember } from "../list/identify-row.ts";
import type { ListRead, PageToken } from "../list/list-read.ts";

export interface Start {
  /** Rows before the first that is shown. */
  readonly at: number;
  /** Rows moved since the page before. */
  readonly drifted: boolean;
}

/**
 * Where in these rows a page begins. Rows that were all read are counted from the first on, and the one that was shown last is looked for
 * where it has moved; rows of a part begin at the page itself. Throws `invalid_cursor` for a position of the other kind.
 */
export function findStart(
  sources: readonly Json[],
  read: ListRead,
  token: Pick<PageToken, "position" | "anchor"> | undefined,
  reads: () => ReadsMember | undefined,
): Start {
  if (read.kind === "part") return { at: 0, drifted: read.drifted };
  if (token === undefined) return { at: 0, drifted: false };
  const { position, anchor } = token;
  // The tool was changed since: nothing says which rows had been shown.
  if (position.kind !== "row") throw refuseToken();
  if (anchor === undefined || anchor === "" || position.at === 0) return { at: position.at, drifted: false };
  const last = findIdentity(sources, anchor, position.at - 1, reads());
  if (last === -1 && !isOfId(anchor)) return { at: Math.min(position.at, sources.length), drifted: false };
  // Gone or changed: the row that stands there now may be another, and coming twice is better than being missed.
  if (last === -1) return { at: Math.min(position.at - 1, sources.length), drifted: true };
  return { at: last + 1, drifted: last !== position.at - 1 };
}

function refuseToken(): ToolError {
  return new ToolError("invalid_cursor", {
    message: "The page token is of another form of this list.",
    recover: "Call again without `pageToken` to begin anew.",
    path: "pageToken",
    retryable: false,
  });
}
