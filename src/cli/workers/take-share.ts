import type { Toolset } from "../../model/tool.ts";
import type { RunSettings } from "../../run/run-tool.ts";
import { type Env, readSecrets } from "../read-secrets.ts";
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

/** What page tokens are made of: where the environment says nothing, what the workers have in common. Throws `MissingSetting` as `readSecrets`. */
export function secretsOf(env: Env, workers: Joined | undefined): readonly string[] {
  const secrets = readSecrets(env);
  return secrets.length === 0 && workers !== undefined ? [workers.secret] : secrets;
}

/** What runners of other workers are to know of this one, and it of them. */
export function commonOf({ server }: Toolset, workers: Joined | undefined): Pick<RunSettings, "usedOnce" | "writes"> {
  if (workers === undefined) return {};
  const { usedOnce, writes } = workers.state;
  return { usedOnce, writes: writes.of(server.name) };
}
