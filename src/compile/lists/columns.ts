import type { Api } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Schema } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { isOpen, listAlternatives, propertyNames, propertyOf } from "../expressions/list-alternatives.ts";
import { ANY, unionOf } from "../expressions/type-algebra.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import type { BuiltFields } from "../reply/build-fields.ts";

/** The columns of a reply, as far as they are known before a call. */
export interface ListColumns {
  /** By name, what each of them shows. */
  readonly types: ReadonlyMap<string, Schema>;
  /** The unit that a column says it has. */
  readonly units: ReadonlyMap<string, Value>;
  /** What each column reads of its row. */
  readonly paths: ReadonlyMap<string, string>;
  /** Names that are known only at a call, where there are any. */
  readonly spread?: Value;
  /** Rows have names that nobody listed. */
  readonly open: boolean;
}

/** The columns that `fields` says, or else those of the rows as they come. */
export function columnsOf(built: BuiltFields | undefined, row: Schema, api: Api): ListColumns {
  if (built === undefined) return columnsOfRow(row, api);
  const units = new Map<string, Value>();
  const paths = new Map<string, string>();
  let spread: Value | undefined;
  for (const field of built.fields) {
    if (field.kind === "columns") spread = field.names;
    else {
      paths.set(field.name, field.path.jmespath);
      if (field.unit !== undefined) units.set(field.name, field.unit);
    }
  }
  return { types: new Map(built.columns), units, paths, open: false, ...(spread !== undefined && { spread }) };
}

function columnsOfRow(row: Schema, api: Api): ListColumns {
  const alternatives = listAlternatives(row, api);
  const names = new Set(alternatives.flatMap(propertyNames));
  const typeOf = (name: string) => unionOf(alternatives.map((one) => propertyOf(one, name) ?? ANY));
  return {
    types: new Map([...names].map((name) => [name, typeOf(name)])),
    units: new Map(),
    paths: new Map(),
    open: alternatives.some(isOpen),
  };
}

/** Reports a name that no column has. `purpose` ends the sentence: `to order by`. */
export function checkColumn(
  name: string,
  at: EntryPath,
  columns: Pick<ListColumns, "types" | "open">,
  purpose: string,
  report: Report,
): boolean {
  if (columns.open || columns.types.has(name)) return true;
  const known = [...columns.types.keys()];
  const hint = hintFor(nearestNames(name, known), known) ?? "Name it in `fields`.";
  report.add("error", "unknown_column", at, `There is no column "${name}" ${purpose}.`, hint);
  return false;
}

/** The finding of `"..."` where no columns are added. */
export function reportNoSpread(at: EntryPath, report: Report): void {
  const message = '"..." stands for added columns, and `fields` adds none.';
  report.add("error", "unknown_column", at, message, 'Add "...": ${input.NAMES} to `fields`.');
}
