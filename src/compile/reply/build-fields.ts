import { parseUnit, parseValue, ROOTS } from "../../curation/expression.ts";
import type { FieldEntry } from "../../curation/format.ts";
import type { Schema } from "../../model/schema.ts";
import type { Field } from "../../model/shape.ts";
import type { Expression, Form, Value } from "../../model/value.ts";
import { listAlternatives } from "../expressions/list-alternatives.ts";
import { ANY, elementsOf, listOf, NUMBER, orNull, STRING } from "../expressions/type-algebra.ts";
import type { EntryPath } from "../open-report.ts";
import type { ShapeChecker } from "./shape-checker.ts";

export interface BuiltFields {
  readonly fields: readonly Field[];
  /** Named columns and what each of them shows. */
  readonly columns: readonly (readonly [name: string, type: Schema])[];
  /** Of columns with a form: what they are read from. */
  readonly upstream: ReadonlyMap<string, Schema>;
  /** Whether names that are known only at a call add columns. */
  readonly spreads: boolean;
}

type Entries = Readonly<Record<string, string | FieldEntry>>;

/** Columns over `row` (a row of a list, or the body), each checked for what is asked of it. */
export function buildFields(
  entries: Entries,
  at: EntryPath,
  row: Schema,
  label: string,
  check: ShapeChecker,
): BuiltFields {
  const fields: Field[] = [];
  const columns: [name: string, type: Schema][] = [];
  const upstream = new Map<string, Schema>();
  for (const [name, entry] of Object.entries(entries)) {
    const here = [...at, name];
    if (name === "...") {
      fields.push({ kind: "columns", names: buildSpread(entry, here, Object.keys(entries), check) });
      continue;
    }
    if (name === "__proto__" || name === "")
      check.report.add("error", "reserved_name", here, `A column cannot be called "${name}".`, "Call it otherwise.");
    const { field, type, shown } = buildColumn(name, entry, here, row, label, check);
    fields.push(field);
    columns.push([name, shown]);
    if (field.form !== undefined) upstream.set(name, type);
  }
  return { fields, columns, upstream, spreads: fields.some((field) => field.kind === "columns") };
}

function buildSpread(entry: string | FieldEntry, at: EntryPath, names: readonly string[], check: ShapeChecker): Value {
  const none: Value = { kind: "literal", value: [] };
  if (typeof entry !== "string") {
    check.report.add(
      "error",
      "not_a_list_of_names",
      at,
      '"..." takes a list of names.',
      'Write "...": ${input.columns}.',
    );
    return none;
  }
  const { value, type } = check.readValue(entry, at);
  const elements = elementsOf(type, check.api);
  if (elements === undefined || !mayBe(elements, ["string"], check)) {
    const message = '"..." takes a list of names, and this is none.';
    check.report.add(
      "error",
      "not_a_list_of_names",
      at,
      message,
      "Name an input of type string[], as in ${input.columns}.",
    );
  }
  const clashes = fixedNames(elements ?? ANY, check).filter((name) => names.includes(name));
  if (clashes.length > 0)
    check.report.add(
      "error",
      "field_clash",
      at,
      `"${clashes.join('", "')}" is a named column as well.`,
      "Rename one of the two.",
    );
  return value;
}

/** Names that may come, where the list is of an enum. */
function fixedNames(elements: Schema, check: ShapeChecker): string[] {
  return listAlternatives(elements, check.api)
    .flatMap((one) => one.parts.flatMap((part) => part.enum ?? []))
    .filter((value) => typeof value === "string");
}

interface Column {
  readonly field: Extract<Field, { kind: "column" }>;
  /** The type of what it is read from. */
  readonly type: Schema;
  /** The type of the column as callers see it. */
  readonly shown: Schema;
}

function buildColumn(
  name: string,
  written: string | FieldEntry,
  at: EntryPath,
  row: Schema,
  label: string,
  check: ShapeChecker,
): Column {
  const entry = typeof written === "string" ? { path: written } : written;
  const inside = (key: string): EntryPath => [...at, key];
  const path = { jmespath: entry.path };
  const type = check.typeOf(path, typeof written === "string" ? at : inside("path"), row, label);
  const unit = entry.unit === undefined ? undefined : readUnit(entry.unit, inside("unit"), row, label, check);
  const form = entry.as === undefined ? undefined : readForm(entry.as, unit, inside("as"), type, check);
  const shown = form === undefined ? type : SHOWN[form.as];
  if (entry.clip !== undefined && !mayBe(shown, ["string"], check))
    check.report.add(
      "error",
      "clip_not_text",
      inside("clip"),
      `"${name}" is no text, so it cannot be clipped.`,
      "Leave `clip` out.",
    );
  if (entry.round !== undefined && !mayBe(shown, ["number", "integer"], check)) {
    const hint = mayBe(type, ["string"], check)
      ? `Where it holds a number as text, write path: to_number(${entry.path}).`
      : "Leave `round` out.";
    check.report.add(
      "error",
      "round_not_number",
      inside("round"),
      `"${name}" is no number, so it cannot be rounded.`,
      hint,
    );
  }
  const field: Column["field"] = {
    kind: "column",
    name,
    path,
    ...(entry.clip !== undefined && { clip: entry.clip }),
    ...(entry.round !== undefined && { round: entry.round }),
    ...(form !== undefined && { form }),
    ...(unit !== undefined && { unit }),
  };
  return { field, type, shown };
}

/** What callers see of a value in each of the upstream's forms, and of which types the upstream's value can be. */
const SHOWN: Readonly<Record<Form["as"], Schema>> = {
  unix: orNull(STRING),
  "unix-ms": orNull(STRING),
  date: orNull(STRING),
  minor: orNull(NUMBER),
  csv: orNull(listOf(STRING)),
};
const READ: Readonly<Record<Form["as"], readonly string[]>> = {
  unix: ["number", "integer", "string"],
  "unix-ms": ["number", "integer", "string"],
  date: ["string"],
  minor: ["number", "integer", "string"],
  csv: ["string"],
};

function readForm(
  as: Form["as"],
  unit: Value | undefined,
  at: EntryPath,
  type: Schema,
  check: ShapeChecker,
): Form | undefined {
  if (!mayBe(type, READ[as], check))
    check.report.add(
      "error",
      "form_mismatch",
      at,
      `The spec's type of this value cannot hold the form ${as}.`,
      `The form ${as} is of ${READ[as].join(" or ")}; set \`unchecked: true\` where the spec is wrong.`,
    );
  if (as !== "minor") return { as };
  return unit === undefined ? undefined : { as, unit };
}

/** A code stands for itself, `${…}` reads the roots or else the row, anything else is a path in the row. */
export function readUnit(text: string, at: EntryPath, row: Schema, label: string, check: ShapeChecker): Value {
  if (text.includes("${") && parseValue(text).faults.length === 0) {
    const { value } = check.readValue(text, at);
    // A field's unit is evaluated over its row.
    return value.kind === "expression" ? { kind: "expression", expression: overRoots(value.expression) } : value;
  }
  const unit = parseUnit(text, ROOTS.call, "data").value ?? { kind: "literal", value: text };
  if (unit.kind === "expression") check.typeOf(unit.expression, at, row, label);
  return unit;
}

function overRoots({ jmespath }: Expression): Expression {
  return { jmespath: `$ | (${jmespath})` };
}

/** False only where the spec leaves no way for the value to be of one of these types. */
export function mayBe(type: Schema, wanted: readonly string[], check: ShapeChecker): boolean {
  const types = listAlternatives(type, check.api).map((one) => one.type);
  return types.length === 0 || types.some((one) => one === "any" || wanted.includes(one));
}
