import { counted } from "../../model/counted.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import { sayUse } from "./say-draft.ts";
import type { Updated } from "./update-file.ts";

/** What was added to a curation, and what in it the document no longer has, for a person. */
export function sayUpdate({ update, curation, before, otherSpec, use }: Updated, file: string, spec: string): string {
  const { tools, shared, tokens, toolsInAll, env, decisions, gone } = update;
  const isSame = update.text === before;
  const widest = Math.max(0, ...tools.map(({ name }) => name.length));
  return [
    isSame
      ? `Nothing was added to ${file}: ${toolsInAll >= 20 ? `it has ${toolsInAll} tools, and a draft adds up to 20 where operations are not named with --operations` : "it has all that a draft would choose"}.`
      : `${counted(tools.length, "tool")} added; ${counted(toolsInAll, "tool")} in ${counted(tokens, "token")}. What was there is as it was.`,
    ...tools.map(({ name, operation }) => `  ${name.padEnd(widest)}  ${visibleText(operation, 200)}`),
    ...(shared.length === 0 ? [] : [`Also new, for all tools: ${shared.map((part) => `api.${part}`).join(", ")}.`]),
    ...sayUse(use),
    ...(decisions === 0 ? [] : [`${counted(decisions, "thing is", "things are")} left to you, marked \`decide:\`.`]),
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
    ...(env.length === 0
      ? []
      : ["Set before a tool is called:", ...env.map((one) => `  ${one.name}  ${visibleText(one.holds, 300)}`), ""]),
    "Next:",
    `  vitrine check ${file}`,
    `  vitrine tools ${file}`,
  ].join("\n");
}
