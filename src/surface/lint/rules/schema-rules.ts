import type { PortableSchema } from "../../../model/schema.ts";
import { checkSize, type SizeFinding, sizeOf } from "../../schema-size.ts";
import type { LintFinding, LintRule, LintSubject } from "../lint-rule.ts";
import { keysByListedName } from "../tool-keys.ts";
import { ofInputs } from "./each-input.ts";

/** Of each entry of the list; `filter` counts as one input, for its inside is the same for every tool that has it. */
function* findSizes({ listed, tools }: LintSubject, code: SizeFinding["code"], hint: string): Iterable<LintFinding> {
  const keys = keysByListedName(tools);
  for (const { name, inputSchema } of listed) {
    const [tool] = keys.get(name) ?? [];
    if (tool === undefined) continue;
    const found = checkSize(sizeOf(withoutFilter(inputSchema))).find((one) => one.code === code);
    if (found === undefined) continue;
    const { severity, message } = found;
    yield { severity, at: ["tools", tool, "input"], tool, message: `\`${name}\` has ${message}`, hint };
  }
}

function withoutFilter(schema: PortableSchema): PortableSchema {
  const { filter, ...properties } = schema.properties ?? {};
  return filter === undefined ? schema : { ...schema, properties: { ...properties, filter: { type: "string" } } };
}

const manyInputs: LintRule = {
  code: "many_inputs",
  severity: "warning",
  title: "A tool with many inputs",
  why: "Calls go wrong more often with every input: over 15 models leave out or confuse some, and some clients refuse more than 25.",
  check: (subject) => findSizes(subject, "many_inputs", "Leave out what callers seldom need, or make two tools of it."),
};

const deepSchema: LintRule = {
  code: "deep_schema",
  severity: "warning",
  title: "Inputs that are deeply nested",
  why: "Objects in objects are filled in wrongly more often than flat inputs; beyond five levels some clients refuse the tool.",
  check: (subject) =>
    findSizes(subject, "deep_schema", "Send the parts that matter through `args`, each from an input of its own."),
};

const manyValues: LintRule = {
  code: "many_values",
  severity: "warning",
  title: "An enum with many values",
  why: "Every value is read with every conversation; over 50 some clients refuse the tool.",
  check: (subject) =>
    findSizes(
      subject,
      "many_values",
      "Keep the values that are used (`enum`), or list them by `valuesFrom` or a tool.",
    ),
};

const untypedInput: LintRule = {
  code: "untyped_input",
  severity: "warning",
  title: "An input that could be anything",
  why: "Where the spec says nothing of a value, callers write JSON as text; without words on what belongs there they can only guess.",
  check: ofInputs(({ name, type, entry, described }) => {
    if (type.kind !== "json" || entry.describe !== undefined || described.length >= WORTHWHILE) return undefined;
    const message = `Nothing says what may be written for \`${name}\`.`;
    return {
      severity: "warning",
      message,
      hint: "Give it a `type`, or say in `describe` what belongs there, with an example.",
    };
  }),
};

/** Characters of a description that may say what a value looks like. */
const WORTHWHILE = 40;

/** Characters of a value of the spec. */
const LONGEST_SHOWN = 60;

const singleValue: LintRule = {
  code: "single_value",
  severity: "note",
  title: "An input with one possible value",
  why: "What has only one value is no choice: it costs tokens and can only be left out or got wrong.",
  check: ofInputs(({ name, type, input }) => {
    const one = type.kind === "enum" ? type.values : [];
    if (one.length !== 1 || (!input.required && input.default === undefined)) return undefined;
    const message = `\`${name}\` can only be "${one[0]!.text.slice(0, LONGEST_SHOWN)}", which is sent in any case.`;
    return { severity: "note", message, hint: "Send it as a constant through `args`." };
  }),
};

/** What of input schemas is beyond models and clients, though it is portable. */
export const SCHEMA_RULES: readonly LintRule[] = [manyInputs, deepSchema, manyValues, untypedInput, singleValue];
