import type { Cost } from "./server.ts";

/** A task that an agent is given, done twice. */
export interface Flow {
  readonly task: string;
  /** What it runs against is installed. */
  readonly isPossible: () => boolean;
  measure(): Promise<{ readonly ours: Cost; readonly plain: Cost }>;
}
