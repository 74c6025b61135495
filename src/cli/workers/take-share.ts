import type { Toolset } from "../../model/tool.ts";
import type { Joined } from "./join-workers.ts";

/**
 * The toolset as one of several workers runs it: of the requests that its upstream may be sent at once it has its share, and one at least. What does not
 * divide goes to the first ones.
 */
export function takeShare(toolset: Toolset, { number, of }: Pick<Joined, "number" | "of">): Toolset {
  const { concurrency } = toolset.upstream;
  const own = Math.floor(concurrency / of) + (number <= concurrency % of ? 1 : 0);
  return { ...toolset, upstream: { ...toolset.upstream, concurrency: Math.max(1, own) } };
}
