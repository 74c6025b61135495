import type { Condition, Literal } from "../model/filter.ts";
import type { JsonObject } from "../model/json.ts";

/**
 * Fourth door of the room. The caller's filter as it was understood, in the caller's own shape and form (`appliedFilter` of a reply): `kind` is
 * always said, values are canonical, and sent again it means the same. Give it the caller's condition, never the one joined with `always`.
 */
export function renderFilter(condition: Condition): JsonObject {
  switch (condition.kind) {
    case "group": {
      const { match, conditions } = condition;
      return { kind: "composite", match, conditions: conditions.map(renderFilter) };
    }
    case "null":
      return { kind: "single", field: condition.field.name, op: condition.op };
    case "member": {
      const { field, op, values } = condition;
      return { kind: "single", field: field.name, op, values: values.map(renderValue) };
    }
    case "compare": {
      const { field, op, value } = condition;
      return { kind: "single", field: field.name, op, value: renderValue(value) };
    }
    default:
      return condition satisfies never;
  }
}

function renderValue({ caller, text }: Literal): string {
  return caller ?? text;
}
