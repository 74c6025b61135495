import type { Call } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import { expressionsOf } from "../../model/expressions-of.ts";
import type { Shape } from "../../model/shape.ts";
import type { Plan, Tool } from "../../model/tool.ts";
import type { Expression } from "../../model/value.ts";
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

/** Those that are sent, or by which rows are chosen in what was answered. How rows are grouped, ordered, searched and cut makes no fewer of them. */
function narrowingInputs({ inputs, plan }: Tool, { rows }: ListShape): string[] {
  const read = [rows, ...readBy(plan)].map(({ jmespath }) => jmespath);
  return inputs.map(({ name }) => name).filter((name) => read.some((text) => readsInput(text, name)));
}

function readBy(plan: Plan): readonly Expression[] {
  switch (plan.kind) {
    case "call":
      return sentBy(plan.call);
    case "steps":
      return plan.steps.flatMap((step) => [
        ...(step.when ? [step.when] : []),
        ...(step.kind === "value"
          ? [step.value]
          : [...sentBy(step.call), ...(step.forEach ? [step.forEach.list] : [])]),
      ]);
    case "access":
    case "explore":
    case "group":
      return [];
    default:
      return plan satisfies never;
  }
}

/** A page of another size is a page of the same list. */
function sentBy({ bindings, pages }: Call): readonly Expression[] {
  const cuts = [pages?.size, pages && "send" in pages ? pages.send : undefined].map((cut) =>
    JSON.stringify(cut?.place),
  );
  return bindings
    .filter(({ place }) => !cuts.includes(JSON.stringify(place)))
    .flatMap(({ value }) => expressionsOf(value));
}

function readsInput(jmespath: string, name: string): boolean {
  return [...jmespath.matchAll(READ_INPUTS)].some(([, plain, quoted]) => (plain ?? quoted) === name);
}

const READ_INPUTS = /(?<![\w."])(?:\$\.)?input\.(?:(\w+)|"((?:[^"\\]|\\.)*)")/g;
