import type { Curation } from "../curation/format.ts";
import type { Api } from "../model/api.ts";
import type { PinPlan } from "./pins/plan-pins.ts";
import type { ToolNames } from "./words/tool-names.ts";

/** What every tool of a curation is compiled with. */
export interface ToolContext {
  readonly curation: Curation;
  readonly api: Api;
  readonly names: ToolNames;
  readonly pins: readonly PinPlan[];
  readonly credentials: ReadonlySet<string>;
  /** Writes are left out, whatever the curation says. */
  readonly readOnly: boolean;
}
