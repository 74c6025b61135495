import { describeAtLength } from "./describe-at-length.ts";
import { dice, pick } from "./dice.ts";
import type { DataType, Field } from "./fields.ts";

/** The description of a field as the API gives it: a short first sentence, then all that a catalogue of this kind says. */
export function describeField(field: Field): string {
  return [
    field.summary,
    field.definition ?? describeOrigin(field),
    describeType(field),
    describeUse(field),
    describeAtLength(field),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** `AWS/UsageType` → `Usage Type`, `GoogleCloud/sku.id` → `sku id`. */
export const displayNameOf = (field: Field): string =>
  field.shortName
    .replaceAll(/[._/:-]+/g, " ")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .trim();

function describeOrigin(field: Field): string {
  if (field.provider === "Tags")
    return `The value of the tag whose key is exactly "${field.shortName}", letter case and blanks included, as it was on the resource when the charge arose. ${pick(TAG_NOTES, dice(field.name, 60))}`;
  if (field.provider === "Ledger")
    return `Not part of any billing export: the ledger writes ${field.shortName} when it loads a charge, so that a number can be followed back to where it came from.`;
  return `${pick(ORIGINS, dice(field.name, 60))(field)} ${pick(ORIGIN_NOTES, dice(`${field.name}/note`, 80))}`;
}

const ORIGINS: readonly ((field: Field) => string)[] = [
  (field) =>
    `Taken over unchanged from ${field.shortName} of the ${field.source}, where it belongs to the group ${field.category}.`,
  (field) =>
    `The column ${field.shortName} of the ${field.source} (group ${field.category}), copied as it stands and never translated to a FOCUS column.`,
  (field) =>
    `Carries what the ${field.source} puts into ${field.shortName}; the provider documents it under ${field.category}.`,
];

const ORIGIN_NOTES: readonly string[] = [
  "Values may be added without notice, so treat an unknown one as other.",
  "Charges of other providers never have it; filter on FOCUS/ProviderName first when you group by it.",
  "Kept for reconciliation with the provider's console; across providers use the FOCUS column of the same meaning.",
  "An older export format filled it on some services only, which shows as a step in older months.",
];

const TAG_NOTES: readonly string[] = [
  "Keys that differ in spelling are different tags and are not merged; look at the neighbours of this name before you conclude that spend is untagged.",
  "Tags are not applied backwards: what was tagged in the middle of a month is untagged before that day.",
  "About a quarter of all spend carries no tag at all, among it every credit, tax and purchase.",
];

const TYPES: Record<DataType, string> = {
  string: "",
  decimal: "A decimal number, exact to twelve places; it can be filtered and not grouped by.",
  "date-time": "An instant in UTC, written YYYY-MM-DD HH:MM:SS without a zone.",
  boolean: "True or false.",
  json: "One JSON object as text; only IS_EMPTY and IS_NOT_EMPTY apply.",
};

const describeType = (field: Field): string => TYPES[field.dataType];

function describeUse(field: Field): string {
  if (field.provider === "FOCUS") return "";
  return `A grouped row lacks ${field.name} where ${field.provider === "Tags" ? "the tag is absent" : "the export left it blank"}; NOT_EQUALS passes such charges over.`;
}
