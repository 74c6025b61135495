import type { Operation } from "../../model/api.ts";
import type { Binding, OperationPlan, ParameterPlan } from "../../model/call.ts";
import { placeText } from "../../model/place.ts";
import { chooseAccept } from "./choose-media.ts";
import { planBody } from "./plan-body.ts";
import { findParameter, placeOf, sameName, type Target } from "./request-places.ts";

/** What of an operation is needed to send the bindings of one tool. */
export function planOperation(
  target: Target,
  bindings: readonly Binding[],
  choices: { readonly accept?: string; readonly contentType?: string; readonly server: string; readonly safe: boolean },
): OperationPlan {
  const { operation } = target;
  const body = planBody(target, bindings, choices.contentType);
  return {
    key: operation.key,
    ...(operation.id !== undefined && { id: operation.id }),
    method: operation.method,
    path: operation.path,
    server: choices.server,
    parameters: planParameters(target, bindings),
    ...(body !== undefined && { body }),
    accept: chooseAccept(operation, choices.accept),
    security: operation.security,
    safe: choices.safe,
  };
}

/** Only the parameters that some binding fills, in the spec's order; then those that the spec does not know. */
function planParameters(target: Target, bindings: readonly Binding[]): ParameterPlan[] {
  const places = bindings.map(({ place }) => place).filter(({ in: where }) => where !== "body");
  const known = target.operation.parameters.filter((one) =>
    places.some((place) => place.in === one.in && (!("name" in place) || sameName(one, place.name))),
  );
  const declared = known.map(
    ({ name, in: where, required, style, explode, allowReserved, mediaType }): ParameterPlan => ({
      name,
      in: where,
      required,
      style,
      explode,
      allowReserved,
      ...(mediaType !== undefined && { mediaType }),
    }),
  );
  const unknown = places.filter((place) => findParameter(target, place) === undefined);
  const distinct = new Map(unknown.map((place) => [placeText({ ...place, pointer: [] }), place]));
  return [...declared, ...[...distinct.values()].map(undeclared)];
}

/** OAS 3.1 4.8.12.2: the styles of parameters that say nothing. */
const STYLES = { path: "simple", header: "simple", query: "form", cookie: "form", querystring: "form" } as const;

function undeclared(place: Binding["place"]): ParameterPlan {
  const where = place.in === "body" ? "querystring" : place.in;
  const style = STYLES[where];
  const name = "name" in place ? place.name : "";
  return { name, in: where, required: where === "path", style, explode: style === "form", allowReserved: false };
}

/** One plan for tools that send the same operation in the same way: the parameters of all of them. */
export function mergePlans(plans: readonly OperationPlan[], operation: Operation): OperationPlan {
  const [first] = plans;
  const all = plans.flatMap(({ parameters }) => parameters);
  const distinct = new Map(all.map((one) => [`${one.in}.${one.name}`, one]));
  const order = operation.parameters.map((one) => placeText(placeOf(one)));
  const rank = (one: ParameterPlan) => {
    const at = order.indexOf(placeText(placeOf(one)));
    return at < 0 ? order.length : at;
  };
  return { ...first!, parameters: [...distinct.values()].toSorted((a, b) => rank(a) - rank(b)) };
}
