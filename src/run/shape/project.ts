import { ExpressionFailed } from "../../model/errors.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Form } from "../../model/value.ts";
import { convertFromForm, type Seen } from "../arguments/convert-form.ts";
import { evaluateExpression, evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { isMisfit } from "./is-misfit.ts";
import type { Column } from "./list-columns.ts";
import type { Omission } from "./omit.ts";
import { describe } from "./refuse-body.ts";
import { type RowMade, setOwn } from "./set-own.ts";

export interface Projected {
  readonly row: JsonObject;
  /** Cells that could not be brought into the caller's form, and are null, or as they came, for that reason. */
  readonly omitted: readonly Omission[];
}

/** An expression that is a name gives the property of that name (JMESPath, Identifiers). */
const NAME = /^[A-Za-z_]\w*$/;

/** One row with every column, null where it has none; in the caller's form, neither clipped nor rounded yet. */
export function projectRow(source: Json, columns: readonly Column[], roots: Roots): Projected {
  // Of a large body often no other members are left of a row than those that are shown.
  if (isJsonObject(source) && hasExactly(source, namesOf(columns))) return { row: source, omitted: [] };
  const omitted: Omission[] = [];
  const row: RowMade = {};
  for (const { column, property } of cellsOf(columns)) {
    const cell: Seen = property === undefined ? readCell(source, column, roots) : { value: ownCell(source, property) };
    setOwn(row, column.name, "fault" in cell ? null : cell.value);
    if ("fault" in cell) omitted.push({ what: "value", path: column.name, kept: `nothing: ${cell.fault}` });
    else if (cell.doubt !== undefined)
      omitted.push({ what: "value", path: column.name, kept: `as it stands: ${cell.doubt}` });
  }
  if (isMisfit(source, row)) omitted.push({ what: "value", kept: `nothing of a row that is ${describe(source)}` });
  return { row, omitted };
}

/** Most columns are a property of the row, and most time would go into evaluating so many one by one. */
const cellsOf = onceFor((columns: readonly Column[]) =>
  columns.map((column) => ({ column, property: propertyOf(column) })),
);

/** Of the columns, where each of them is the property of its own name. */
const namesOf = onceFor((columns: readonly Column[]) =>
  columns.every((column) => propertyOf(column) === column.name) ? columns.map(({ name }) => name) : undefined,
);

/** These and no others, in this order. */
function hasExactly(source: JsonObject, names: readonly string[] | undefined): boolean {
  if (names === undefined) return false;
  const keys = Object.keys(source);
  return keys.length === names.length && keys.every((key, at) => key === names[at]);
}

/** Of the row, where the column is that and nothing else. */
export function propertyOf(column: Column): string | undefined {
  return column.kind === "own" || !column.form ? nameOf(column) : undefined;
}

function nameOf(column: Column): string | undefined {
  if (column.kind === "own") return column.name;
  return NAME.test(column.path.jmespath) ? column.path.jmespath : undefined;
}

function readCell(source: Json, column: Column, roots: Roots): Seen {
  if (column.kind === "own") return { value: ownCell(source, column.name) };
  try {
    const name = nameOf(column);
    const value = name === undefined ? evaluateExpression(column.path, source, roots) : ownCell(source, name);
    return column.form ? convertFromForm(column.form, value, unitOf(column.form, source, roots)) : { value };
  } catch (error) {
    // One row in which a function meets null must not take the others with it.
    if (error instanceof ExpressionFailed) return { fault: error.message };
    throw error;
  }
}

function ownCell(source: Json, name: string): Json {
  return isJsonObject(source) ? (ownValue(source, name) ?? null) : null;
}

/** The unit's expression reads the row (contract section 1, Forms). */
function unitOf(form: Form, source: Json, roots: Roots): Json | undefined {
  if (form.as !== "minor") return undefined;
  if (form.unit.kind !== "expression") return evaluateValue(form.unit, roots);
  return evaluateExpression(form.unit.expression, source, roots);
}
