import { ExpressionFailed } from "../../model/errors.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../../model/json.ts";
import type { Form } from "../../model/value.ts";
import { type Converted, convertFromForm } from "../arguments/convert-form.ts";
import { evaluateExpression, evaluateValue, type Roots } from "../expressions/evaluate.ts";
import type { Column } from "./list-columns.ts";
import type { Omission } from "./omit.ts";
import { type RowMade, setOwn } from "./set-own.ts";

export interface Projected {
  readonly row: JsonObject;
  /** Cells that could not be brought into the caller's form, and are null for that reason. */
  readonly omitted: readonly Omission[];
}

/** An expression that is a name gives the property of that name (JMESPath, Identifiers). */
const NAME = /^[A-Za-z_]\w*$/;

/** One row with every column, null where it has none; in the caller's form, neither clipped nor rounded yet. */
export function projectRow(source: Json, columns: readonly Column[], roots: Roots): Projected {
  const omitted: Omission[] = [];
  const row: RowMade = {};
  for (const column of columns) {
    const cell = readCell(source, column, roots);
    setOwn(row, column.name, "fault" in cell ? null : cell.value);
    if ("fault" in cell) omitted.push({ what: "value", path: column.name, kept: `nothing: ${cell.fault}` });
  }
  return { row, omitted };
}

function readCell(source: Json, column: Column, roots: Roots): Converted {
  if (column.kind === "own") return { value: ownCell(source, column.name) };
  try {
    const { jmespath } = column.path;
    // Most columns are a property of the row, and most time would go into reading so many one by one.
    const value = NAME.test(jmespath) ? ownCell(source, jmespath) : evaluateExpression(column.path, source, roots);
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
