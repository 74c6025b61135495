import { callsOf } from "../../../model/map-calls.ts";
import type { Tool, Toolset } from "../../../model/tool.ts";
import { sharedPart } from "../../shared-part.ts";
import type { LintSubject } from "../lint-rule.ts";
import { contentWords } from "../rules-words/words.ts";

export interface Overlap {
  readonly name: string;
  /** The one that stands before it. */
  readonly other: string;
  readonly why: "requests" | "words";
}

const SAME_INPUTS = 0.8;
const SAME_WORDS = 0.75;
/** Fewer words are alike by chance. */
const FEWEST_WORDS = 4;

interface Seen {
  readonly name: string;
  readonly tool: Tool;
  /** What it sends, with what is fixed; of a filter, what is always filtered by. */
  readonly sends: string;
  readonly inputs: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/** Pairs of tools that a caller could take for each other, where neither names the other. */
export function* findOverlaps({ tools, toolset }: LintSubject): Iterable<Overlap> {
  const seen: Seen[] = [];
  for (const [name, tool] of tools) {
    const one = look(name, tool, toolset);
    for (const other of seen) {
      const why = overlap(one, other);
      if (why !== undefined && !tells(one, other) && !tells(other, one)) yield { name, other: other.name, why };
    }
    seen.push(one);
  }
}

function look(name: string, tool: Tool, toolset: Toolset): Seen {
  const fixed = callsOf(tool).map(({ operation, bindings }) => [
    toolset.operations[operation]?.key,
    ...bindings.flatMap(({ place, value }) => (value.kind === "literal" ? [[place, value.value]] : [])),
  ]);
  const { shape, filter } = tool;
  const reply = shape.kind === "list" ? [shape.rows, shape.group] : shape.kind === "value" ? shape.value : shape.kind;
  return {
    name,
    tool,
    sends: JSON.stringify([fixed, filter?.always ?? [], reply]),
    inputs: new Set(tool.inputs.map((input) => input.name)),
    words: contentWords(tool.description.split(" Not for: ")[0] ?? ""),
  };
}

function overlap(one: Seen, other: Seen): Overlap["why"] | undefined {
  const isAlike = sharedPart(one.inputs, other.inputs) >= SAME_INPUTS || one.inputs.size + other.inputs.size === 0;
  if (one.sends === other.sends && isAlike) return "requests";
  if (one.tool.annotations.readOnlyHint !== other.tool.annotations.readOnlyHint) return undefined;
  if (Math.min(one.words.size, other.words.size) < FEWEST_WORDS) return undefined;
  return sharedPart(one.words, other.words) >= SAME_WORDS ? "words" : undefined;
}

function tells(one: Seen, other: Seen): boolean {
  return one.tool.description.includes(`\`${other.tool.name}\``);
}
