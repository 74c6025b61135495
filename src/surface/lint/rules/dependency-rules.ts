import { ownValue } from "../../../model/json.ts";
import type { PortableSchema } from "../../../model/schema.ts";
import type { Input, Tool } from "../../../model/tool.ts";
import type { LintFinding, LintRule, LintSubject } from "../lint-rule.ts";
import { findDependent } from "./find-dependent.ts";

const MOST_NAMED = 5;

const inputsDepend: LintRule = {
  code: "inputs_depend",
  severity: "warning",
  title: "Inputs that depend on each other, unsaid",
  why: "No client takes a schema that ties inputs together: where no text says that one of two is needed, or one with the other, the call is refused.",
  *check(subject) {
    for (const [name, tool] of subject.tools) {
      const told = new Set<string>();
      for (const { names, texts, at } of dependentOf(name, tool, subject)) {
        const key = names.toSorted().join();
        if (told.has(key) || texts.some((one) => tellsOf(one, names))) continue;
        told.add(key);
        const shown = names.slice(0, MOST_NAMED).map((one) => `\`${one}\``);
        const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
        const message = `Whether ${shown.join(", ")}${more} may or must be given depends on the others among them, and no text says how.`;
        const hint =
          "Say in `describe` which is needed with which, or instead of which; or fix one of them through `args`.";
        yield { severity: "warning", at, tool: name, message, hint };
      }
    }
  },
};

interface Tied {
  readonly names: readonly string[];
  /** Where it would be told. */
  readonly texts: readonly Text[];
  readonly at: LintFinding["at"];
}

interface Text {
  /** The input that it describes; absent of a text on all of them. */
  readonly of?: string;
  readonly text: string;
}

function* dependentOf(name: string, tool: Tool, { toolset }: LintSubject): Iterable<Tied> {
  for (const call of ownCalls(tool)) {
    const check = toolset.operations[call.operation]?.body?.check ?? {};
    for (const { within, names } of findDependent(check)) {
      const inputs = names.flatMap((wire) => inputAt(tool, [...within, wire]) ?? []);
      const [first, second] = inputs;
      if (first === undefined || second === undefined) continue;
      const texts = inputs.flatMap((input) => textsIn(schemaOf(input, tool), input.name));
      const at = ["tools", name, "input", first.name];
      yield { names: inputs.map((input) => input.name), texts: [{ text: tool.description }, ...texts], at };
    }
  }
  for (const input of tool.inputs) {
    const texts = textsIn(schemaOf(input, tool));
    for (const { names } of findDependent(input.residual ?? {}))
      yield { names, texts, at: ["tools", name, "input", input.name] };
  }
}

function ownCalls({ plan }: Tool) {
  if (plan.kind === "call") return [plan.call];
  return plan.kind === "steps" ? plan.steps.flatMap((step) => (step.kind === "call" ? [step.call] : [])) : [];
}

function inputAt({ inputs }: Tool, pointer: readonly string[]): Input | undefined {
  const wanted = JSON.stringify(pointer);
  return inputs.find(({ place }) => place?.in === "body" && JSON.stringify(place.pointer) === wanted);
}

function schemaOf({ name }: Input, { inputSchema: { properties = {} } }: Tool): PortableSchema {
  return ownValue(properties, name) ?? {};
}

/** Every description in it, by the name of what it describes. */
function textsIn({ description = "", properties = {}, items = {} }: PortableSchema, of?: string): readonly Text[] {
  const inside = Object.entries(properties).flatMap(([name, one]) => textsIn(one, name));
  const own = { text: description, ...(of !== undefined && { of }) };
  return [own, ...inside, ...(Object.values(items).length > 0 ? textsIn(items, of) : [])];
}

/** Who names another input while describing one, or several at once, says what they have to do with each other. */
function tellsOf({ of, text }: Text, names: readonly string[]): boolean {
  const words = new Set(text.split(/[^\w-]+/));
  const named = names.filter((name) => name !== of && words.has(name));
  return named.length > (of === undefined ? 1 : 0);
}

export const DEPENDENCY_RULES: readonly LintRule[] = [inputsDepend];
