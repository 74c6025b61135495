import type { InputEntry } from "../../../curation/format.ts";
import { ownValue } from "../../../model/json.ts";
import type { Input } from "../../../model/tool.ts";
import type { ValueType } from "../../../model/value.ts";
import type { LintFinding, LintSubject } from "../lint-rule.ts";

/** An input that the curation names; the built-in ones are not among them. */
export interface WrittenInput {
  readonly tool: string;
  readonly name: string;
  readonly input: Input;
  readonly entry: InputEntry;
  readonly at: LintFinding["at"];
  /** By the author, else by the spec. */
  readonly described: string;
  /** Of a list that of its items. */
  readonly type: ValueType;
}

export function* eachInput({ curation, tools }: LintSubject): Iterable<WrittenInput> {
  for (const [tool, { inputs }] of tools) {
    const entries = ownValue(curation.content.tools, tool)?.input ?? {};
    for (const input of inputs) {
      const entry = ownValue(entries, input.name);
      if (entry === undefined) continue;
      const { name, type } = input;
      yield {
        tool,
        name,
        input,
        entry,
        at: ["tools", tool, "input", name],
        described: entry.describe ?? type.description ?? "",
        type: type.kind === "array" ? type.items : type,
      };
    }
  }
}

/** A rule that looks at one input after the other: what is wrong with it, where anything is. */
export function ofInputs(
  look: (input: WrittenInput) => Pick<LintFinding, "severity" | "message" | "hint"> | undefined,
): (subject: LintSubject) => Iterable<LintFinding> {
  return function* check(subject) {
    for (const input of eachInput(subject)) {
      const said = look(input);
      if (said !== undefined) yield { ...said, at: input.at, tool: input.tool };
    }
  };
}

/** The words of a name, in lower case: `createdAt`, `created_at` and `Created-At` are `created`, `at`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
