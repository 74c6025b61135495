import type { FilterField, Literal } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import { type FilterFault, refuse } from "./filter-fault.ts";
import { readLiteral, wireLiteral } from "./read-literal.ts";

/** Brings a value into the form that its field's `as` names; a fault is a phrase that goes behind "cannot be sent:". */
export type Convert = (field: FilterField, value: Json) => { readonly value: Json } | { readonly fault: string };

/** A caller's value as its field's type, in the upstream's form; undefined where that was noted as a fault. */
export function readValue(
  raw: Json,
  field: FilterField,
  path: string,
  { faults, convert }: { readonly faults: FilterFault[]; readonly convert: Convert | undefined },
): Literal | undefined {
  const read = readLiteral(field, raw);
  if ("mustBe" in read) {
    const { mustBe, allowed, nearest } = read;
    return refuse(faults, path, mustBe, { got: raw, ...(allowed && { allowed }), ...(nearest?.length && { nearest }) });
  }
  if (field.as === undefined) return read;
  if (convert === undefined) throw new TypeError(`Nothing converts the values of ${field.name}.`);
  const converted = convert(field, read.text);
  if ("fault" in converted) return refuse(faults, path, `one that can be sent: ${converted.fault}`, { got: raw });
  const { value } = converted;
  if (typeof value !== "number" && typeof value !== "string")
    return refuse(faults, path, "one that can be sent", { got: raw });
  const wire = wireLiteral(value);
  return { ...wire, type: field.as.as === "date" ? "date" : wire.type, caller: read.text };
}
