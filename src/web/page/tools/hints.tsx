import type { ListedTool } from "../../../model/listed-tool.ts";

interface HintsProps {
  readonly annotations: ListedTool["annotations"];
  readonly states: readonly string[];
}

/** The annotations in words (MCP, ToolAnnotations); the four of them as they are sent stand in the whole entry. */
export function Hints({ annotations, states }: HintsProps) {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const said = [
    ...(readOnlyHint ? ["reads only"] : [destructiveHint ? "may destroy" : "writes"]),
    ...(!readOnlyHint && idempotentHint ? ["twice is as once"] : []),
    openWorldHint ? "open world" : "closed world",
    ...states.map((state) => `only while ${state}`),
  ];
  return (
    <ul class="hints" aria-label="Hints">
      {said.map((words, at) => (
        <li key={words} class={at === 0 && !readOnlyHint ? "tag writes" : "tag"}>
          {words}
        </li>
      ))}
    </ul>
  );
}
