import { expect } from "vitest";
import type { Answer, Session } from "../../setup/clients.ts";

export interface Walk {
  readonly rows: readonly Record<string, unknown>[];
  readonly replies: readonly Answer[];
}

const MOST_PAGES = 500;

/** Calls a tool page by page until it says that the list ended, with the limits in turn (undefined: the tool's own). */
export async function walk(
  session: Session,
  tool: string,
  args: Record<string, unknown>,
  limits: readonly (number | undefined)[],
): Promise<Walk> {
  const rows: Record<string, unknown>[] = [];
  const replies: Answer[] = [];
  let token: string | undefined;
  do {
    const limit = limits[replies.length % limits.length];
    const answer = await session.call(tool, {
      ...args,
      ...(limit !== undefined && { limit }),
      ...(token !== undefined && { pageToken: token }),
    });
    expect(answer.isError, answer.text).toBe(false);
    // Nothing moves in these stories.
    expect(answer.text).not.toContain("SNAPSHOT_DRIFT");
    replies.push(answer);
    rows.push(...(answer.json.data ?? []));
    const next = answer.json["nextPageToken"];
    expect(next !== undefined, "a token where there is more, and only there").toBe(answer.json["hasMore"]);
    token = next as string | undefined;
    expect(replies.length).toBeLessThan(MOST_PAGES);
  } while (token !== undefined);
  return { rows, replies };
}
