import { ToolError } from "../../model/errors.ts";
import type { Shape } from "../../model/shape.ts";
import type { Tool } from "../../model/tool.ts";
import type { ReadingBound } from "../pages/read-all.ts";

type ListShape = Extract<Shape, { kind: "list" }>;

const MOST_NAMED = 6;

/** The error of a list that must be read whole and is longer than may be read: says what the rows are needed for, and how to ask for fewer. */
export function refuseSize(tool: Tool, shape: ListShape, { rows, pages }: ReadingBound): ToolError {
  const length = rows !== undefined ? `more than ${rows} rows` : `rows on more than ${pages} pages of the upstream`;
  const purpose = shape.group ? "added up" : shape.order ? "ordered" : shape.search ? "searched" : "shown";
  const narrow = [...(tool.filter?.offered ? ["filter"] : []), ...narrowingInputs(tool, shape)].slice(0, MOST_NAMED);
  const ways = narrow.map((name) => `\`${name}\``).join(", ");
  return new ToolError("response_too_large", {
    message: `The list has ${length}, and all of them would have to be read before any can be ${purpose}.`,
    recover:
      narrow.length > 0
        ? `Narrow the list with ${ways}, and call again.`
        : "Tell the user that the list is too long for this tool.",
    retryable: false,
  });
}

/** What is searched for among the rows makes no fewer of them. */
function narrowingInputs({ inputs }: Tool, { search }: ListShape): string[] {
  const searched = search?.kind === "expression" ? search.expression.jmespath : "";
  return inputs.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(searched));
}
