import { onceFor } from "../../model/once-for.ts";
import type { Slot } from "../survey/list-slots.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { View, ViewSchema } from "../survey/view-schema.ts";

/** What a caller may say which fields the answer shall have. */
export interface ReadSelection {
  readonly place: string;
  /** The name that asks for a path of an object, in JMESPath; undefined where nothing does. */
  readonly nameFor: (path: string) => string | undefined;
}

const SELECTS = /^(\$?select|(opt_)?fields|properties)$/i;
const EXPANDS = /^\$?(expand|include)$/i;
/** Fewer are choices of another kind. */
const FEWEST = 3;

/** The parameter that names the fields of an answer, where the document lists what it takes: a field that is not asked for may not come. */
export function readSelection({ slots }: Fact, viewOf: ViewSchema): ReadSelection | undefined {
  const slot = slots.find((one) => SELECTS.test(one.name) && isOpen(one) && namesOf(one.view, viewOf).size >= FEWEST);
  if (slot === undefined) return undefined;
  const names = namesOf(slot.view, viewOf);
  // Where parts have names of their own, a thing that is asked for comes without them.
  const isDeep = [...names].some((name) => name.includes("."));
  return {
    place: slot.place,
    nameFor: (path) => {
      const steps = path.replaceAll('"', "").replaceAll("[]", "").split(".");
      const known = isDeep ? [steps.join(".")] : [steps.join("."), steps[0]!];
      return known.find((name) => names.has(name));
    },
  };
}

/** Properties that stand for other things, and come where they are asked for apart: `$expand`. */
export function readExpandable({ slots }: Fact, viewOf: ViewSchema): ReadonlySet<string> {
  const slot = slots.find((one) => EXPANDS.test(one.name) && isOpen(one));
  return slot === undefined ? new Set() : namesOf(slot.view, viewOf);
}

function isOpen({ in: where, required, deprecated }: Slot): boolean {
  return where === "query" && !required && !deprecated;
}

const namesIn = onceFor((viewOf: ViewSchema) =>
  onceFor(({ items }: View): ReadonlySet<string> => {
    const { enum: values = [] } = items === undefined ? {} : viewOf(items).schema;
    return new Set(values.filter((value): value is string => typeof value === "string"));
  }),
);

function namesOf(view: View, viewOf: ViewSchema): ReadonlySet<string> {
  return namesIn(viewOf)(view);
}
