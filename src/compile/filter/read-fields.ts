import { parseUnit, ROOTS } from "../../curation/expression.ts";
import type { FieldSourceEntry, FilterEntry, FilterFieldEntry } from "../../curation/format.ts";
import { listFieldTemplateFaults } from "../../filter/check-templates.ts";
import { explainOp, offerOps } from "../../filter/offer-ops.ts";
import { FILTER_OPS, type FieldType, type FilterField, type FilterOp, type FilterTarget } from "../../model/filter.ts";
import type { Form, ValueType } from "../../model/value.ts";
import { callerTypeOf } from "../inputs/read-form.ts";
import type { EntryPath, Report } from "../open-report.ts";
import { findPlace } from "../places/find-place.ts";
import type { Target } from "../places/request-places.ts";
import { shownText } from "../types/read-enum.ts";
import { readType } from "../types/read-type.ts";
import { filterKind } from "./filter-target.ts";
import { withPlainOps } from "./plain-ops.ts";

export interface ReadFields {
  readonly fields: readonly FilterField[];
  /** Names of those whose type, form or templates were found wrong. */
  readonly faulty: ReadonlySet<string>;
}

/** `from` may be a field's own name: only what names an operation lists fields. */
export function isSource(entry: FilterFieldEntry | FieldSourceEntry): entry is FieldSourceEntry {
  return "operation" in entry;
}

/**
 * The fields that the author names, each with the operators that the upstream can be asked for; all that are named where nothing can be
 * written (`target` is undefined). `at` is the path of `filter`.
 */
export function readFields(
  { fields = {}, dialect }: FilterEntry,
  at: EntryPath,
  target: FilterTarget | undefined,
  call: Target,
  report: Report,
): ReadFields {
  const faulty = new Set<string>();
  const read = Object.entries(fields).flatMap(([name, entry]) => {
    const here = [...at, "fields", name];
    if (!isSource(entry)) {
      const spec = filterKind(dialect) === "places" ? typeOfPlace(entry.to ?? name, call) : undefined;
      const own: Report = {
        problems: [],
        add: (...problem) => {
          if (problem[1] !== "filter_not_expressible") faulty.add(name);
          report.add(...problem);
        },
      };
      const field = withPlainOps(readField(name, entry, here, spec, own), entry, dialect);
      return [offerField(field, entry, here, target, own)];
    }
    if (name !== "from")
      report.add(
        "error",
        "bad_filter_field",
        here,
        `\`${name}\` names an operation, and only \`from\` lists fields.`,
        "Call it from.",
      );
    return [];
  });
  return { fields: read, faulty };
}

function readField(
  name: string,
  entry: FilterFieldEntry,
  at: EntryPath,
  spec: FieldKind | undefined,
  report: Report,
): FilterField {
  const kind = fieldKind(entry, spec);
  const form = readForm(entry, kind.type, at, report);
  const { ops } = entry;
  const templates = ops === undefined || Array.isArray(ops) ? undefined : ops;
  const listed = Array.isArray(ops) ? ops : templates && (Object.keys(templates) as FilterOp[]);
  return {
    name,
    to: entry.to ?? name,
    ...kind,
    nullable: entry.nullable ?? true,
    ...(listed !== undefined && { ops: FILTER_OPS.filter((op) => listed.includes(op)) }),
    ...(templates !== undefined && { templates }),
    ...(form !== undefined && { as: form }),
  };
}

type FieldKind = Pick<FilterField, "type" | "values">;

function fieldKind({ type, as }: FilterFieldEntry, spec: FieldKind | undefined): FieldKind {
  if (Array.isArray(type)) {
    const values = new Map(type.map((wire) => [shownText(wire), wire]));
    return { type: "enum", values: [...values].map(([text, wire]) => ({ text, wire })) };
  }
  if (type !== undefined) return { type };
  if (as !== undefined) return kindOfValue(callerTypeOf(as));
  return spec ?? { type: "string" };
}

/** What the spec says of the place of a field; a list is one of values. */
function typeOfPlace(to: string, call: Target): FieldKind | undefined {
  const site = findPlace(to, call);
  if (site.kind !== "site" || site.spot === undefined) return undefined;
  const { type } = readType(site.spot, call.reader);
  return kindOfValue(type.kind === "array" ? type.items : type);
}

function kindOfValue(type: ValueType): FieldKind {
  switch (type.kind) {
    case "integer":
    case "boolean":
    case "date":
    case "date-time":
      return { type: type.kind };
    case "number":
      return { type: "decimal" };
    case "enum": {
      const values = type.values.flatMap(({ text, wire }) =>
        typeof wire === "object" ? [] : [{ text, wire: wire as string | number | boolean }],
      );
      return { type: "enum", values };
    }
    default:
      return { type: "string" };
  }
}

/** What values a form is of. */
const FORM_TYPES: Readonly<Record<Form["as"], readonly FieldType[]>> = {
  unix: ["date-time", "date"],
  "unix-ms": ["date-time", "date"],
  date: ["date", "date-time"],
  minor: ["decimal", "integer"],
  csv: [],
};

function readForm({ as, unit }: FilterFieldEntry, type: FieldType, at: EntryPath, report: Report): Form | undefined {
  const refuse = (key: string, message: string, hint: string) => {
    report.add("error", "bad_form", [...at, key], message, hint);
    return undefined;
  };
  if (unit !== undefined && as !== "minor")
    return refuse("unit", "`unit` stands with `as: minor`.", "Add `as: minor`, or take `unit` out.");
  if (as === undefined) return undefined;
  if (!FORM_TYPES[as].includes(type)) {
    const fitting = FORM_TYPES[as].join(" and ");
    const hint = fitting === "" ? "A condition is about one value; leave `as` out." : `\`${as}\` is for ${fitting}.`;
    return refuse("as", `Values of the type ${type} have no form \`${as}\` in a filter.`, hint);
  }
  if (as !== "minor") return { as };
  if (unit === undefined)
    return refuse(
      "as",
      "Minor units are of a currency, which is not said.",
      "Write `unit` with an ISO 4217 code or ${…}.",
    );
  const { value } = parseUnit(unit, ROOTS.call, "roots");
  return value && { as, unit: value };
}

/** Faults begin with the key that they are of: `ops.gte`. */
export function faultyKey(fault: string): string[] {
  return /^`([\w.]+)` (?:must|can)/.exec(fault)?.[1]?.split(".") ?? [];
}

/** The field with no operator but those that can be said; what its author asked for beyond them is an error. */
function offerField(
  field: FilterField,
  entry: FilterFieldEntry,
  at: EntryPath,
  target: FilterTarget | undefined,
  report: Report,
): FilterField {
  const faults = listFieldTemplateFaults(field);
  for (const fault of faults)
    report.add(
      "error",
      "bad_template",
      [...at, ...faultyKey(fault)],
      fault,
      "A template says the whole of what one operator needs.",
    );
  if (target === undefined) return field;
  const ops = offerOps(field, target);
  if (faults.length > 0) return { ...field, ops };
  const hint =
    "Leave it out, or write a template for it: ops: { OP: … }; a field that always has a value says nullable: false.";
  for (const [index, op] of (Array.isArray(entry.ops) ? entry.ops : (field.ops ?? [])).entries()) {
    const reason = explainOp(field, op, target);
    if (reason === undefined) continue;
    const where = Array.isArray(entry.ops) ? index : op;
    report.add("error", "filter_not_expressible", [...at, "ops", where], reason, hint);
  }
  if (ops.length === 0 && field.ops === undefined) {
    const reason = explainOp(field, "eq", target) ?? `Nothing can be asked of \`${field.name}\`.`;
    report.add("error", "filter_not_expressible", at, reason, hint);
  }
  return { ...field, ops };
}
