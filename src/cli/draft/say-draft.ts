import type { Draft } from "../../draft/draft-curation.ts";
import { counted, groupDigits } from "../../model/counted.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import type { Use } from "./count-use.ts";
import type { Drafted } from "./draft-spec.ts";

/** What was chosen, what it costs, and how to go on, for a person. `file` is where the curation is; absent where it was printed. */
export function sayDraft(
  { draft, operations, endpointTokens, outsideRoot, use }: Drafted,
  file: string | undefined,
): string {
  const { tools, tokens, decisions, env } = draft;
  const name = file ?? "FILE";
  const each = operations === 1 ? "the operation" : `each of the ${groupDigits(operations)} operations`;
  const [first] = tools;
  const root = outsideRoot ? " --root DIR" : "";
  return [
    `${counted(tools.length, "tool")} in about ${counted(tokens, "token")}; one tool for ${each} takes about ${groupDigits(endpointTokens)}.`,
    ...(tools.length === 0
      ? [
          "No operation of the document is sure to read something as JSON: write tools by hand, or try `vitrine serve --spec`.",
        ]
      : []),
    ...sayTools(tools),
    ...sayUse(use),
    ...sayLeftOut(draft.leftOut),
    ...sayDecisions(decisions),
    ...(outsideRoot
      ? ["The document lies outside of the parent of the curation's folder: name a folder that holds both with --root."]
      : []),
    "",
    ...sayEnv(env),
    file === undefined ? "Save it as FILE (-o FILE does), then:" : "Next:",
    `  vitrine check ${name}${root}`,
    `  vitrine tools ${name}${root}`,
    ...(first === undefined
      ? []
      : [
          `  vitrine call ${name} ${draft.prefix}${first.name}${root}`,
          `  vitrine serve ${name} --http 127.0.0.1:3000 --watch${root}`,
        ]),
  ].join("\n");
}

/** Each tool with its operation. */
export function sayTools(tools: Draft["tools"]): string[] {
  const widest = Math.max(0, ...tools.map(({ name }) => name.length));
  return tools.map(({ name, operation }) => `  ${name.padEnd(widest)}  ${visibleText(operation, 200)}`);
}

export function sayDecisions(count: number): string[] {
  return count === 0 ? [] : [`${counted(count, "thing is", "things are")} left to you, marked \`decide:\`.`];
}

export function sayEnv(env: Draft["env"]): string[] {
  if (env.length === 0) return [];
  return ["Set before a tool is called:", ...env.map(({ name, holds }) => `  ${name}  ${visibleText(holds, 300)}`), ""];
}

function sayLeftOut(left: Draft["leftOut"]): string[] {
  if (left === undefined || left.operations === 0) return [];
  const { operations, changing, unasked, unusable } = left;
  const parts = [
    ...(unasked > 0 ? [`${groupDigits(unasked)} not asked for`] : []),
    ...(changing > 0 ? [`${groupDigits(changing)} ${changing === 1 ? "changes" : "change"} something`] : []),
    ...(unusable > 0 ? [`${groupDigits(unusable)} of those looked at cannot be used`] : []),
  ];
  const why = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return [
    `Left out: ${counted(operations, "operation")}${why}; the end of the file says why, and which would come next.`,
  ];
}

/** How much of recorded traffic was the API's. */
export function sayUse(use: Use | undefined): string[] {
  if (use === undefined) return [];
  const { matched, toApi, counts } = use;
  const hint = toApi === 0 ? " Its hosts are those that the document names under `servers`." : "";
  return [
    `Of the traffic ${counted(toApi, "request")} went to the API's hosts; ${groupDigits(matched)} of them called ${counted(counts.size, "operation")} of the document.${hint}`,
  ];
}
