import { MOST_TOOLS } from "../../draft/draft-curation.ts";
import { counted } from "../../model/counted.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { sayDecisions, sayEnv, sayTools, sayUse } from "./say-draft.ts";
import type { Updated } from "./update-file.ts";

/** What was added to a curation, and what in it the document no longer has, for a person. */
export function sayUpdate({ update, curation, before, otherSpec, use }: Updated, file: string, spec: string): string {
  const { tools, shared, tokens, toolsInAll, env, decisions, gone } = update;
  return [
    update.text === before
      ? `Nothing was added to ${file}: ${whyNothing(toolsInAll)}.`
      : `${counted(tools.length, "tool")} added; ${counted(toolsInAll, "tool")} in ${counted(tokens, "token")}. What was there is as it was.`,
    ...sayTools(tools),
    ...(shared.length === 0 ? [] : [`Also new, for all tools: ${shared.map((part) => `api.${part}`).join(", ")}.`]),
    ...sayUse(use),
    ...sayDecisions(decisions),
    ...(gone.length === 0
      ? []
      : [
          "The document does not have:",
          ...gone.map(
            ({ path, reference }) =>
              `  ${visibleText(reference, 120)}  at ${curation.file}:${curation.locate(path).line}, in ${visibleText(path.slice(0, 2).join("."), 80)}`,
          ),
        ]),
    ...(otherSpec
      ? [`${file} still names another document: \`spec: ${visibleText(spec, 200)}\` goes under its \`api\`.`]
      : []),
    "",
    ...sayEnv(env),
    "Next:",
    `  vitrine check ${file}`,
    `  vitrine tools ${file}`,
  ].join("\n");
}

function whyNothing(toolsInAll: number): string {
  if (toolsInAll < MOST_TOOLS) return "it has all that a draft would choose";
  return `it has ${toolsInAll} tools, and a draft adds up to ${MOST_TOOLS} where operations are not named with --operations`;
}
