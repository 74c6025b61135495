import type { Curation } from "../../curation/format.ts";
import { openSaying } from "../../model/group/say-tool.ts";
import type { Problem } from "../../model/problem.ts";
import type { Guide } from "../../model/tool.ts";
import type { GuidedTool } from "../../model/visible/describe-conduct.ts";
import { withoutSentences } from "../../model/visible/without-sentences.ts";
import { LONGEST_INSTRUCTIONS, writeInstructions } from "../../model/visible/write-instructions.ts";
import { openReport } from "../open-report.ts";
import { stripHidden } from "./plain-text.ts";
import { emittedName, replaceToolNames, type ToolNames } from "./tool-names.ts";

export interface ServerDescription {
  readonly instructions: string;
  readonly guide: Guide;
  readonly problems: readonly Problem[];
}

/** The instructions for these tools, and what they are made of. */
export function describeServer(curation: Curation, tools: readonly GuidedTool[], names: ToolNames): ServerDescription {
  const report = openReport(curation);
  const at = ["server", "instructions"];
  const named = stripHidden(curation.content.server.instructions ?? "").trim();
  const listed = new Set(tools.map((tool) => tool.name));
  const hidden = new Set([...names.values()].filter((name) => !listed.has(name)));
  const written = withoutSentences(replaceToolNames(named, at, names, report), hidden);
  const { length } = openSaying(tools)(written);
  if (length > LONGEST_INSTRUCTIONS) {
    const message = `The instructions have ${length} characters, and clients cut them at ${LONGEST_INSTRUCTIONS}.`;
    report.add("error", "instructions_too_long", at, message, "Keep what cannot be read off the tools.");
  }
  const leads = Object.entries(curation.content.tools).flatMap(([name, { next = {} }]) => {
    const shown = names.get(name) ?? name;
    const led = Object.keys(next).flatMap((one) => emittedName(one, names) ?? []);
    return listed.has(shown) ? [[shown, led.filter((one) => listed.has(one))] as const] : [];
  });
  const guide = { written, leads };
  const sources = Object.entries(curation.content.entities ?? {}).flatMap(([name, { from }]) => {
    const tool = emittedName(from, names);
    return tool === undefined ? [] : [{ name, tool }];
  });
  return { instructions: writeInstructions(guide, tools, sources), guide, problems: report.problems };
}
