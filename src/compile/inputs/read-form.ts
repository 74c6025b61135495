import { parseUnit } from "../../curation/expression.ts";
import type { InputEntry } from "../../curation/format.ts";
import type { Form, ValueType } from "../../model/value.ts";
import type { EntryPath, Report } from "../open-report.ts";

/** What callers write where the upstream wants a form of its own; of the author's `type` only what the form can hold. */
const CALLER_TYPES: Readonly<Record<Form["as"], readonly ValueType["kind"][]>> = {
  unix: ["date-time", "date"],
  "unix-ms": ["date-time", "date"],
  date: ["date", "date-time"],
  minor: ["number"],
  csv: ["array"],
};

const UNIT_HINT = "Add `as: minor`, or take `unit` out.";

export function callerTypeOf(as: Form["as"]): ValueType {
  switch (as) {
    case "unix":
    case "unix-ms":
      return { kind: "date-time" };
    case "date":
      return { kind: "date" };
    case "minor":
      return { kind: "number" };
    case "csv":
      return { kind: "array", items: { kind: "string" } };
    default:
      return as satisfies never;
  }
}

export function readForm(entry: InputEntry, type: ValueType, at: EntryPath, report: Report): Form | undefined {
  const { as } = entry;
  if (as === undefined) {
    if (entry.unit !== undefined)
      report.add("error", "bad_form", [...at, "unit"], "`unit` stands with `as: minor`.", UNIT_HINT);
    return undefined;
  }
  if (!CALLER_TYPES[as].includes(type.kind)) {
    const article = /^[aeiou]/.test(type.kind) ? "an" : "a";
    const message = `Callers write ${article} ${type.kind} here, which has no form \`${as}\`.`;
    report.add("error", "bad_form", [...at, "as"], message, `\`${as}\` is for ${CALLER_TYPES[as].join(" and ")}.`);
    return undefined;
  }
  if (as !== "minor") return { as };
  if (entry.unit === undefined) {
    const hint = "Write `unit` with an ISO 4217 code or ${…}.";
    report.add("error", "bad_form", [...at, "as"], "Minor units are of a currency, which is not said.", hint);
    return undefined;
  }
  const { value } = parseUnit(entry.unit, ["input", "pins"], "roots");
  return value === undefined ? undefined : { as, unit: value };
}

/** `end` says how a date alone is read, so that it means something for times only. */
export function readEnd(entry: InputEntry, type: ValueType, at: EntryPath, report: Report): InputEntry["end"] {
  if (entry.end === undefined || type.kind === "date" || type.kind === "date-time") return entry.end;
  report.add("error", "bad_form", [...at, "end"], "`end` is for dates and date-times.", "Set `type: date-time`.");
  return undefined;
}
