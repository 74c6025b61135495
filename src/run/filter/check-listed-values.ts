import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Input, ValueSource } from "../../model/tool.ts";
import { type ArgumentFault, refuseArguments } from "../arguments/argument-faults.ts";
import type { Arguments } from "../arguments/validate-arguments.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { nameLister } from "./name-lister.ts";
import { readSource, type SourceList } from "./read-source.ts";

type ListedInput = Input & { readonly valuesFrom: ValueSource };

/**
 * Checks the values of inputs whose values the upstream lists (`valuesFrom`), each item of a list by itself. Throws ToolError `unknown_fields`
 * that names every value that is not listed and the tool that lists them, and what reading a list throws.
 */
export async function checkListedValues(given: Arguments, asking: Asking): Promise<void> {
  const inputs = asking.tool.inputs.filter((input): input is ListedInput => input.valuesFrom !== undefined);
  const set = inputs.filter(({ name }) => given.values.get(name) != null);
  const faults = await Promise.all(set.map((input) => checkInput(input, given.values.get(input.name)!, asking)));
  const all = faults.flat();
  if (all.length > 0) throw refuseArguments(all);
}

interface Asked {
  readonly path: string;
  readonly value: Json;
  readonly text: string;
}

async function checkInput(input: ListedInput, value: Json, asking: Asking): Promise<ArgumentFault[]> {
  const asked = valuesOf(value, input.name);
  if (asked.length === 0) return [];
  const list = await readSource(sourceOf(input, asking), `\`${input.name}\``, asking);
  if (!list.answered) return [];
  const known = new Set(list.values.map(({ text }) => text));
  const unknown = asked.filter(({ text }) => !known.has(text));
  return unknown.length === 0 ? [] : [refuseValues(unknown, input, list, asking)];
}

/** Where the filter's fields are read from the same list, it is read once for both. */
function sourceOf({ valuesFrom }: ListedInput, { tool: { filter } }: Asking): ValueSource {
  const textOf = ({ call, rows, field }: ValueSource) => JSON.stringify([call, rows, field]);
  return filter?.from !== undefined && textOf(filter.from) === textOf(valuesFrom) ? filter.from : valuesFrom;
}

/** The scalars in a value and the place of each. */
function valuesOf(value: Json, path: string): Asked[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => valuesOf(item, `${path}[${index}]`));
  return [{ path, value, text: typeof value === "object" ? JSON.stringify(value) : String(value) }];
}

const MOST_NAMED = 10;

/** One fault for an input: the first of its unknown values, and the names of all. */
function refuseValues(unknown: readonly Asked[], input: ListedInput, list: SourceList, asking: Asking): ArgumentFault {
  const [first] = unknown as [Asked];
  const texts = [...new Set(unknown.map(({ text }) => text.slice(0, 64)))];
  const rest = texts.length > MOST_NAMED ? ` and ${texts.length - MOST_NAMED} more` : "";
  const what = isOfFields(input, asking) ? "Unknown fields" : `Unknown values of \`${input.name}\``;
  const part = list.complete ? "" : " The upstream lists more of them than were read.";
  const names = list.values.map(({ text }) => text);
  const recover = nameLister(input.valuesFrom, asking.toolset);
  return {
    code: "unknown_fields",
    path: first.path,
    got: first.value,
    message: `${what}: ${texts.slice(0, MOST_NAMED).join(", ")}${rest}.${part}`,
    nearest: nearestNames(first.text, names),
    ...(names.length <= MOST_NAMED && { allowed: names }),
    ...(recover !== undefined && { recover }),
  };
}

/** Whether the values are names of the upstream's fields: they become columns, or are what a filter asks about. */
function isOfFields({ name, valuesFrom }: ListedInput, { tool: { shape, filter } }: Asking): boolean {
  if (filter?.from?.call.operation === valuesFrom.call.operation) return true;
  const fields = shape.kind === "value" ? [] : (shape.fields ?? []);
  return fields.some(
    ({ kind, ...field }) =>
      kind === "columns" &&
      "names" in field &&
      field.names.kind === "expression" &&
      field.names.expression.jmespath.replace(/^\$\./, "") === `input.${name}`,
  );
}
