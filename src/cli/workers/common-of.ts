import type { Toolset } from "../../model/tool.ts";
import type { RunSettings } from "../../run/run-tool.ts";
import type { Joined } from "./join-workers.ts";

/** What runners of other workers are to know of this one, and it of them. */
export function commonOf({ server }: Toolset, workers: Joined | undefined): Pick<RunSettings, "usedOnce" | "writes"> {
  if (workers === undefined) return {};
  const { usedOnce, writes } = workers.state;
  return { usedOnce, writes: writes.of(server.name) };
}
