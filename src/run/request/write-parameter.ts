import type { OperationPlan, ParameterPlan } from "../../model/call.ts";
import type { Assigned, AssignedValue } from "./assign-bindings.ts";
import { serializeParameter } from "./serialize-parameter.ts";

const DEFAULT_STYLES = {
  path: "simple",
  header: "simple",
  query: "form",
  cookie: "form",
  querystring: "form",
} as const;

/** How the spec spells a parameter; its defaults where it does not know the parameter. */
export function parameterFor(operation: OperationPlan, place: ParameterPlan["in"], name: string): ParameterPlan {
  const isSame =
    place === "header" ? sameHeader(name) : (one: ParameterPlan) => one.name === name || place === "querystring";
  const known = operation.parameters.find((one) => one.in === place && isSame(one));
  const style = DEFAULT_STYLES[place];
  return known ?? { name, in: place, required: false, style, explode: style === "form", allowReserved: false };
}

function sameHeader(name: string): (parameter: ParameterPlan) => boolean {
  const wanted = name.toLowerCase();
  return (parameter) => parameter.name.toLowerCase() === wanted;
}

/** The encoded pieces of one parameter, checked. Throws ToolError `invalid_arguments` that names the argument. */
export function writeParameter(
  parameter: ParameterPlan,
  { place, value }: AssignedValue,
  assigned: Assigned,
  check: (pieces: readonly string[]) => void = () => {},
): string[] {
  return assigned.explain(place, value, () => {
    const pieces = serializeParameter(parameter, value);
    check(pieces);
    return pieces;
  });
}
