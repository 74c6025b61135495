import type { Binding } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { type Place, placeText } from "../../model/place.ts";
import type { Value } from "../../model/value.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { convertInside } from "./convert-inside.ts";
import { convertValue } from "./convert-value.ts";
import { readInside, setInside, setWhereSent } from "./set-inside.ts";
import { Unsendable } from "./unsendable.ts";

export interface AssignedValue {
  /** Of the whole parameter: its pointer is empty. */
  readonly place: Exclude<Place, { readonly in: "body" }>;
  readonly value: Json;
}

export interface PinnedValue {
  readonly binding: Binding;
  readonly value: Json;
}

/** What stands in each place once all bindings are applied. */
export interface Assigned {
  /** By the text of the place without its pointer. */
  readonly values: ReadonlyMap<string, AssignedValue>;
  readonly body: Json | undefined;
  readonly pinned: readonly PinnedValue[];
  /** Runs a writer; what it cannot send becomes a ToolError that names the argument. */
  explain<T>(place: Place, value: Json, write: () => T): T;
}

/** Evaluates and converts every binding and puts it in its place, pinned ones last. Throws ToolError `invalid_arguments`. */
export function assignBindings(bindings: readonly Binding[], roots: Roots): Assigned {
  const values = new Map<string, AssignedValue>();
  const pinned: PinnedValue[] = [];
  let body: Json | undefined;
  for (const binding of [...bindings.filter((one) => !one.pinned), ...bindings.filter((one) => one.pinned)]) {
    const value = readValue(binding, roots);
    if (value === undefined) continue;
    if (binding.pinned) pinned.push({ binding, value });
    const { place } = binding;
    if (place.in === "body") {
      if (!binding.whereSent) body = setInside(body, place.pointer, value);
      else if (body !== undefined) body = setWhereSent(body, place.pointer, value);
    } else {
      const whole = { ...place, pointer: [] };
      const key = placeText(whole);
      values.set(key, { place: whole, value: setInside(values.get(key)?.value, place.pointer, value) });
    }
  }
  return { values, body, pinned, explain: (place, value, write) => explainFailure(bindings, place, value, write) };
}

/** Undefined where the place is left out: an optional one without a value. */
function readValue(binding: Binding, roots: Roots): Json | undefined {
  const value = evaluateValue(binding.value, roots);
  if (value === null) {
    if (binding.required && binding.nullable) return null;
    if (binding.required) throw refuse(binding, null, "a value: it is required, and there is none");
    return undefined;
  }
  const converted = convertValue(value, binding.type);
  if (converted === undefined)
    throw refuse(binding, value, `${ARTICLES[binding.type]}, and this cannot become one without loss`);
  return convertInside(converted, binding.inside);
}

const ARTICLES: Readonly<Record<Binding["type"], string>> = {
  string: "a text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  any: "a value",
};

function refuse(binding: Binding, got: Json, wanted: string): ToolError {
  const name = argumentOf(binding.value) ?? placeText(binding.place);
  return new ToolError("invalid_arguments", {
    message: `\`${name}\` takes ${wanted}.`,
    recover: binding.pinned
      ? "Only the operator of this server can correct it."
      : `Correct \`${name}\` and call again.`,
    path: name,
    ...(!binding.pinned && { got: shorten(got) }),
  });
}

function explainFailure<T>(bindings: readonly Binding[], place: Place, value: Json, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error;
    const found = findSource(bindings, place, error.at);
    const [got] = found?.pinned === true ? [undefined] : readInside(value, error.at);
    const name = found?.path ?? placeText(place);
    throw new ToolError(
      "invalid_arguments",
      {
        message: `\`${name}\` cannot be sent: ${error.message}.`,
        recover: `Correct \`${name}\` and call again.`,
        path: name,
        ...(got !== undefined && { got: shorten(got) }),
      },
      { cause: error },
    );
  }
}

/** What fills a place, or the part of it at `at`, as a caller names it; undefined where several values do and it is not known which. */
function findSource(bindings: readonly Binding[], place: Place, at: readonly string[]) {
  const whole = placeText({ ...place, pointer: [] });
  const filling = bindings.filter((one) => placeText({ ...one.place, pointer: [] }) === whole);
  const covering = filling.filter(({ place: { pointer } }) => isAbove(pointer, at));
  const [binding, other] = covering.length > 0 ? covering : filling.filter((one) => isAbove(at, one.place.pointer));
  if (binding === undefined || other !== undefined) return undefined;
  const inside = at.slice(binding.place.pointer.length).map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`));
  const name = argumentOf(binding.value) ?? placeText(binding.place);
  return { path: `${name}${inside.join("")}`, pinned: binding.pinned };
}

function isAbove(above: readonly string[], below: readonly string[]): boolean {
  return above.every((key, at) => below[at] === key);
}

/** The argument that alone makes a value; undefined where there is none or several. */
function argumentOf(value: Value): string | undefined {
  if (value.kind !== "expression") return undefined;
  return /^(?:\$\.)?input\.("?)([A-Za-z_]\w*)\1$/.exec(value.expression.jmespath)?.[2];
}

function shorten(value: Json): Json {
  if (typeof value === "string") return value.length > 200 ? `${value.slice(0, 200)}…` : value;
  return typeof value === "object" && value !== null ? (Array.isArray(value) ? "a list" : "an object") : value;
}
