import { onceFor } from "../../model/once-for.ts";
import type { Fact } from "../survey/read-fact.ts";
import type { ViewSchema } from "../survey/view-schema.ts";
import { readForm } from "./read-form.ts";

/** Whether some answer says that its amounts are in the smallest unit: others of the API are then as well. */
export function readMinor(facts: readonly Fact[], viewOf: ViewSchema): boolean {
  return facts.some((fact) => saysMinor(viewOf)(fact));
}

const saysMinor = onceFor((viewOf: ViewSchema) =>
  onceFor(({ body }: Fact): boolean => {
    const { properties } = body.kind === "rows" ? body.row : body.object;
    const beside = new Set(properties.keys());
    return (
      beside.has("currency") &&
      [...properties].some(
        ([name, schema]) => /amount/i.test(name) && readForm(name, viewOf(schema), beside)?.as === "minor",
      )
    );
  }),
);
