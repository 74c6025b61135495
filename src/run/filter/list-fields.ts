import { readFieldType } from "../../filter/field-type.ts";
import type { FilterField } from "../../model/filter.ts";
import type { ToolFilter } from "../../model/tool.ts";
import { pinnedNames } from "../arguments/pinned-names.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { type ListedValue, readSource } from "./read-source.ts";

/** The fields that one caller may filter by. */
export interface FieldList {
  /** By name: the author's, then those that the upstream lists. */
  readonly fields: ReadonlyMap<string, FilterField>;
  /** Listed by the upstream, of a type that nobody here knows: by name the upstream's word for it. */
  readonly ofOtherTypes: ReadonlyMap<string, string>;
  /** Listed by the upstream, and set by a pin: no caller asks about them. */
  readonly pinned: ReadonlySet<string>;
  /** False: the upstream has more fields than were read. */
  readonly complete: boolean;
  /** False: the upstream answered its fields with nothing at all. */
  readonly answered: boolean;
}

/** Throws ToolError where the upstream does not tell its fields. */
export async function listFields(
  filter: ToolFilter,
  declared: ReadonlyMap<string, FilterField>,
  asking: Asking,
): Promise<FieldList> {
  const fields = new Map(declared);
  const ofOtherTypes = new Map<string, string>();
  const pinned = new Set<string>();
  if (filter.from === undefined) return { fields, ofOtherTypes, pinned, complete: true, answered: true };
  const { pins, places } = pinnedNames(asking.toolset.pins, asking.tool);
  const list = await readSource(filter.from, "`filter`", asking);
  for (const { text, type: word } of list.values) {
    const folded = text.toLowerCase();
    const type = word === undefined ? "string" : readFieldType(word);
    if (fields.has(text)) continue;
    if (pins.has(folded) || places.has(folded)) pinned.add(text);
    else if (type === undefined) ofOtherTypes.set(text, word ?? "");
    else fields.set(text, discovered(text, type));
  }
  return { fields, ofOtherTypes, pinned, complete: list.complete, answered: list.answered };
}

/** Nothing else is known of it: a row may lack it (contract section 3). */
function discovered(name: ListedValue["text"], type: FilterField["type"]): FilterField {
  return { name, to: name, type, nullable: true };
}
