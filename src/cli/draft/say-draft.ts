import { counted } from "../../model/counted.ts";
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
  const each = operations === 1 ? "the operation" : `each of the ${operations.toLocaleString("en-US")} operations`;
  const [first] = tools;
  const root = outsideRoot ? " --root DIR" : "";
  return [
    `${counted(tools.length, "tool")} in ${counted(tokens, "token")}; one tool for ${each} takes about ${endpointTokens.toLocaleString("en-US")}.`,
    ...(tools.length === 0
      ? [
          "The document has no operation that reads something as JSON: write tools by hand, or try `vitrine serve --spec`.",
        ]
      : []),
    ...tools.map(
      (tool) =>
        `  ${tool.name.padEnd(Math.max(...tools.map((one) => one.name.length)))}  ${visibleText(tool.operation, 200)}`,
    ),
    ...sayUse(use),
    ...(decisions === 0 ? [] : [`${counted(decisions, "thing is", "things are")} left to you, marked \`decide:\`.`]),
    ...(outsideRoot
      ? ["The document lies outside of the parent of the curation's folder: name a folder that holds both with --root."]
      : []),
    "",
    ...(env.length === 0
      ? []
      : ["Set before a tool is called:", ...env.map((one) => `  ${one.name}  ${visibleText(one.holds, 300)}`), ""]),
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

/** How much of recorded traffic was the API's. */
export function sayUse(use: Use | undefined): string[] {
  if (use === undefined) return [];
  const { matched, toApi, counts } = use;
  const hint = toApi === 0 ? " Its hosts are those that the document names under `servers`." : "";
  return [
    `Of the traffic ${counted(toApi, "request")} went to the API's hosts; ${matched.toLocaleString("en-US")} of them called ${counted(counts.size, "operation")} of the document.${hint}`,
  ];
}
