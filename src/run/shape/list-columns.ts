import { ToolError } from "../../model/errors.ts";
import type { Field } from "../../model/shape.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";

/** A column of the reply: one that the curation names, or one that is the row's own property of exactly that name. */
export type Column = Extract<Field, { kind: "column" }> | { readonly kind: "own"; readonly name: string };

/**
 * The columns in their order, each list of names unfolded where it stands. Throws `invalid_arguments` where such a name is that of a
 * named column: one of the two would be lost.
 */
export function listColumns(fields: readonly Field[], roots: Roots): readonly Column[] {
  if (fields.every(isNamed)) return fields;
  const named = new Set(fields.flatMap((field) => (field.kind === "column" ? [field.name] : [])));
  const spread = new Set<string>();
  return fields.flatMap((field): Column[] => {
    if (field.kind === "column") return [field];
    const names = namesOf(evaluateValue(field.names, roots)).filter((name) => !spread.has(name));
    for (const name of names) {
      if (named.has(name)) throw refuseName(name, named);
      spread.add(name);
    }
    return names.map((name) => ({ kind: "own", name }));
  });
}

function isNamed(field: Field): field is Extract<Field, { kind: "column" }> {
  return field.kind === "column";
}

function namesOf(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return [...new Set(list.filter((name) => typeof name === "string"))];
}

function refuseName(name: string, named: ReadonlySet<string>): ToolError {
  return new ToolError("invalid_arguments", {
    message: `\`${name.slice(0, 100)}\` is a column that every row has, so it cannot be asked for by name.`,
    recover: `Leave it out. The rows always have: ${[...named].slice(0, 30).join(", ")}.`,
    got: name.slice(0, 200),
    retryable: false,
  });
}
