import type { FilterFault } from "../../filter/read-filter.ts";
import type { ArgumentFault } from "../arguments/argument-faults.ts";
import { pinnedFault } from "../arguments/reading.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import type { FieldList } from "./list-fields.ts";
import { nameLister } from "./name-lister.ts";

const READ_IN_PART = " The upstream lists more of them than were read.";
const NO_LIST = " The upstream answered its fields with nothing.";
/** As of a tenant without data: other names would fare no better. */
const NO_FIELD = " The upstream lists no field at all.";
const WITHOUT = "Call again without `filter`.";

/** What is wrong with a caller's filter, as faults of its arguments; of a field that is not to be had it says why, and where to find others. */
export function refuseFilter(faults: readonly FilterFault[], list: FieldList, asking: Asking): ArgumentFault[] {
  return faults.map((fault) => (fault.code === "unknown_fields" ? refuseField(fault, list, asking) : fault));
}

function refuseField(fault: FilterFault, list: FieldList, { tool, toolset }: Asking): ArgumentFault {
  const name = String(fault.got);
  if (list.pinned.has(name)) return { ...pinnedFault(fault.path), got: name };
  const word = list.ofOtherTypes.get(name);
  if (word !== undefined) {
    const message = `The field \`${name.slice(0, 64)}\` is of the type \`${word.slice(0, 40)}\`, by which nothing can be filtered.`;
    return { code: "filter_not_expressible", path: fault.path, got: name, message };
  }
  const recover = tool.filter?.from && nameLister(tool.filter.from, toolset);
  if (list.fields.size + list.ofOtherTypes.size + list.pinned.size === 0)
    return { ...fault, message: `${fault.message}${NO_FIELD}`, recover: WITHOUT };
  const part = list.answered ? READ_IN_PART : NO_LIST;
  const message = list.complete ? fault.message : `${fault.message}${part}`;
  return { ...fault, message, ...(recover !== undefined && { recover }) };
}
