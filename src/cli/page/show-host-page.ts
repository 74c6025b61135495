import type { Identity } from "../../model/exchange.ts";
import type { Toolset } from "../../model/tool.ts";
import { hideByStates } from "../../model/visible/hide-by-states.ts";
import type { Runner } from "../../run/run-tool.ts";
import type { PageSource } from "../../web/serve-page.ts";
import { openDryRun } from "../commands/dry-run.ts";
import type { HostRunner } from "../host/open-host-runner.ts";
import { describeView } from "./describe-view.ts";
import { tryTool } from "./try-tool.ts";

export interface HostPage {
  /** What this caller may see. */
  readonly toolset: Toolset;
  readonly runner: Runner;
  readonly who: Identity;
  readonly runners: Pick<HostRunner, "openAround">;
  /** Of upstream answers only what they cost is told. */
  readonly withholds: boolean;
}

/** The page of one caller of a host: their view of the tools, and nothing of the curation's files. */
export function showHostPage({
  toolset,
  runner,
  who,
  runners,
  withholds,
}: HostPage): Pick<PageSource, "data" | "tryTool"> {
  const seenNow = async (): Promise<Toolset> => (await runner.seenBy?.(who)) ?? hideByStates(toolset, new Set());
  return {
    async data() {
      // A state names tools that do not exist where it does not hold.
      const own = { kind: "host" as const, watches: false, hasCalls: false, pending: [], states: [] };
      return describeView({ seen: await seenNow(), own });
    },
    async tryTool(asked, signal) {
      const openDry = (shown: Toolset) => {
        const dryRun = openDryRun();
        return { runner: runners.openAround(shown, dryRun.around), dryRun, close: async () => {} };
      };
      const hider = runner.hiderFor(who);
      return tryTool(asked, { seen: await seenNow(), who, call: runner.call, hider, withholds, openDry }, signal);
    },
  };
}
