import type { OrderEntry } from "../../curation/format.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { OrderRule } from "../../model/shape.ts";
import { reportNoSpread } from "../lists/columns.ts";
import { type EntryPath, hintFor } from "../open-report.ts";
import type { ShapeChecker } from "./shape-checker.ts";

/** The columns that rows can be ordered by; `open` where rows have names that nobody listed. */
export interface Columns {
  readonly names: readonly string[];
  readonly spreads: boolean;
  readonly open: boolean;
}

/** `upstream` keeps the order that rows come in, as saying nothing does. */
export function buildOrder(
  entry: OrderEntry | undefined,
  at: EntryPath,
  columns: Columns,
  check: ShapeChecker,
): readonly OrderRule[] | undefined {
  if (entry === undefined || entry === "upstream") return undefined;
  const isRules = entry.some((one) => typeof one !== "string");
  if (!isRules) return [{ by: entry.map((name, index) => buildColumn(String(name), [...at, index], columns, check)) }];
  return entry.flatMap((rule, position) => {
    if (typeof rule === "string") return [];
    const here = [...at, position];
    const by = rule.by.map((name, index) => buildColumn(name, [...here, "by", index], columns, check));
    if (rule.when === undefined) return { by };
    const when = { jmespath: rule.when };
    check.typeOf(when, [...here, "when"], check.roots.schema, "the roots");
    return { when, by };
  });
}

function buildColumn(text: string, at: EntryPath, columns: Columns, check: ShapeChecker): OrderRule["by"][number] {
  const descending = text.startsWith("-");
  const column = descending ? text.slice(1) : text;
  if (column === "...") {
    if (!columns.spreads) reportNoSpread(at, check.report);
  } else if (!columns.open && !columns.names.includes(column)) {
    const hint = hintFor(nearestNames(column, columns.names), columns.names);
    check.report.add("error", "unknown_column", at, `There is no column "${column}" to order by.`, hint);
  }
  return { column, descending };
}
