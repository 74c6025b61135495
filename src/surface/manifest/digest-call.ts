import type { Binding, Call, OperationPlan } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import { placeText } from "../../model/place.ts";
import type { Toolset } from "../../model/tool.ts";
import { bareSchema } from "./bare-types.ts";
import { inputsOf, makePart, makeValuePart, type NamedPart } from "./make-part.ts";
import { valueJson } from "./value-text.ts";

/** How one request is made, piece by piece, each name behind `of` (`STEP: `, or nothing for a tool's own call). */
export function digestCall(call: Call, { operations, upstream }: Toolset, of: string): readonly NamedPart[] {
  const operation = operations[call.operation];
  const styles = new Map<string, Json>();
  for (const { required: _, ...style } of operation?.parameters ?? [])
    styles.set(`${style.in}.${style.name}`, style as unknown as Json);
  const parts = [
    ...(operation === undefined ? [] : tellOperation(operation, upstream.baseUrl === undefined)),
    ...call.bindings.flatMap((one) => tellBinding(one, styles)),
    // What no value stands in as a whole: pages, filters, and parameters of several parts.
    ...[...styles].map(([at, style]): NamedPart => [`form ${at}`, makePart(style, { inputs: readWithin(call, at) })]),
    ...tellRest(call),
  ];
  return parts.map(([name, part]) => [`${of}${name}`, part]);
}

function tellOperation({ key, server, body, accept }: OperationPlan, hasOwnServer: boolean): readonly NamedPart[] {
  const { check, ...bare } = body ?? {};
  return [
    ["operation", key],
    ["exchange", makePart([accept, hasOwnServer ? server : null])],
    ...(body === undefined ? [] : [["body", makePart(bare as Json)] as const]),
    ...(check === undefined ? [] : [["check of the body", makePart(bareSchema(check))] as const]),
  ];
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
