import type { Curation } from "../curation/format.ts";
import type { Api } from "../model/api.ts";
import type { Problem } from "../model/problem.ts";
import type { Schema } from "../model/schema.ts";
import type { Tool } from "../model/tool.ts";
import type { CallDraft } from "./calls/draft-call.ts";
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
  /** As in `CompileOptions`: not `servedOnly`. */
  readonly comparable: boolean;
}

export interface CompiledTool {
  /** The operations of its calls are positions in `calls` until all tools are known. */
  readonly tool: Tool;
  readonly calls: readonly CallDraft[];
  /** What its reply holds: the type of a row, or of the whole. */
  readonly shown: Schema;
}

export interface ToolOutcome {
  readonly compiled?: CompiledTool;
  readonly problems: readonly Problem[];
}
