import { bareSchema } from "../../model/bare-schema.ts";
import type { Binding, BodyPlan, Call, OperationPlan, ParameterPlan } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import { type Place, placeText } from "../../model/place.ts";
import type { Toolset } from "../../model/tool.ts";
import { inputsOf, makePart, makeValuePart, type NamedPart } from "./make-part.ts";
import { valueJson } from "./value-text.ts";

/** How one request is made, piece by piece, each name behind `of` (`STEP: `, or nothing for a tool's own call). */
export function digestCall(call: Call, { operations }: Toolset, of: string): readonly NamedPart[] {
  const operation = operations[call.operation];
  const places = placesOf(call);
  const styles = stylesOf(operation, places);
  const parts = [
    ...(operation === undefined ? [] : tellOperation(operation, places)),
    ...call.bindings.flatMap((one) => tellBinding(one, styles)),
    // What no value stands in as a whole: pages, filters, and parameters of several parts.
    ...[...styles].map(([at, style]): NamedPart => [`form ${at}`, makePart(style, { inputs: readWithin(call, at) })]),
    ...tellRest(call),
  ];
  return parts.map(([name, part]) => [`${of}${name}`, part]);
}

/** Every place that the call fills: tools share operations, and of what others fill it sends nothing. */
function placesOf({ bindings, filter, pages, idempotencyKey }: Call): readonly Place[] {
  const paged = pages === undefined ? [] : ["send" in pages ? pages.send : undefined, pages.size];
  const filtered = [filter?.to, ...(filter?.places ?? []).map(([, place]) => place)];
  return [...bindings, ...paged, ...filtered, idempotencyKey].flatMap((one) => one?.place ?? []);
}

/** How the parameters are written that the call fills, by their places. */
function stylesOf(operation: OperationPlan | undefined, places: readonly Place[]): Map<string, Json> {
  const filled = new Set(places.map((place) => placeText({ ...place, pointer: [] })));
  const styles = (operation?.parameters ?? []).map(({ required: _, ...style }): [string, Json] => [
    placeText(placeOf(style)),
    style as unknown as Json,
  ]);
  return new Map(styles.filter(([at]) => filled.has(at)));
}

function placeOf(parameter: Pick<ParameterPlan, "in" | "name">): Place {
  return parameter.in === "querystring"
    ? { in: parameter.in, pointer: [] }
    : { in: parameter.in, name: parameter.name, pointer: [] };
}

/** Where it is sent stands by itself. */
function tellOperation({ key, body, accept }: OperationPlan, places: readonly Place[]): readonly NamedPart[] {
  const { check, ...bare } = body ?? {};
  return [
    ["operation", key],
    ["exchange", makePart(accept)],
    ...(body === undefined
      ? []
      : [["body", makePart({ ...bare, encoding: encodingOf(body, places) } as Json)] as const]),
    ...(check === undefined ? [] : [["check of the body", makePart(bareSchema(check))] as const]),
  ];
}

/** Of the properties that the call fills; a body that is one value may have all of them. */
function encodingOf({ encoding }: BodyPlan, places: readonly Place[]): BodyPlan["encoding"] {
  const heads = places.flatMap((place) => (place.in === "body" ? [place.pointer[0]] : []));
  return heads.includes(undefined) ? encoding : encoding.filter(({ property }) => heads.includes(property));
}

/** A place that inputs fill has its form in a piece of its own, as that goes with their types; whether it is required they say themselves. */
function tellBinding(binding: Binding, styles: Map<string, Json>): readonly NamedPart[] {
  const { place, value, pinned, type, nullable, whereSent } = binding;
  const at = placeText(place);
  const form: Json = [type, nullable, styles.get(at) ?? null];
  styles.delete(at);
  const made: Json = [whereSent === true];
  const inputs = inputsOf(value);
  if (pinned || inputs.length === 0)
    return [[`${pinned ? "pin" : "value"} ${at}`, makePart([valueJson(value), made, form])]];
  return [
    [`value ${at}`, makeValuePart(value, made)],
    [`form ${at}`, makePart(form, { inputs })],
  ];
}

function readWithin({ bindings }: Call, at: string): readonly string[] {
  const within = bindings.filter(({ place }) => placeText(place).startsWith(`${at}/`));
  return [...new Set(within.flatMap(({ value }) => inputsOf(value)))];
}

function tellRest({ filter, idempotencyKey }: Call): readonly NamedPart[] {
  const key: readonly NamedPart[] =
    idempotencyKey === undefined ? [] : [["key", makePart(placeText(idempotencyKey.place))]];
  if (filter === undefined) return key;
  const to = filter.to === undefined ? null : placeText(filter.to.place);
  const places = (filter.places ?? []).map(([name, { place, type }]): NamedPart => {
    return [`filter place ${name}`, makePart([placeText(place), type])];
  });
  const { nullOnNegation = null, limits = null, ...language } = filter.target;
  return [
    ...key,
    ["filter language", makePart([language as unknown as Json, to])],
    ["filter bounds", makePart([nullOnNegation, limits as Json])],
    ...places,
  ];
}
