import type { Binding, Call } from "../../model/call.ts";
import { expressionsOf } from "../../model/expressions-of.ts";
import type { Json, JsonObject } from "../../model/json.ts";
import type { CallStep } from "../../model/step.ts";
import type { Value } from "../../model/value.ts";
import { clipCharacters } from "../clip-characters.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";

const LONGEST = 60;

/**
 * What a call was given by its caller and by earlier steps, short, to be told where it failed. Nothing of it is a pin or is computed: only a plain
 * path below `input`, `steps` or `item` is told.
 */
export function givenToStep(call: Call, roots: Roots): JsonObject | undefined {
  const given = call.bindings
    .filter((binding) => !binding.pinned && isGiven(binding.value))
    .flatMap((binding): (readonly [string, Json])[] => {
      const value = readGiven(binding.value, roots);
      return value === undefined || value === null ? [] : [[nameOf(binding), shorten(value)]];
    });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Whether the request of a step is made of what earlier steps gave; items may as well be those of an argument. */
export function readsSteps({ call, forEach }: CallStep): boolean {
  const root = forEach !== undefined && /\bsteps\b/.test(forEach.list.jmespath) ? /\b(steps|item)\b/ : /\bsteps\b/;
  return call.bindings.some(({ value }) => expressionsOf(value).some(({ jmespath }) => root.test(jmespath)));
}

/** Letters, dots and brackets below one of these: no function, no filter, no `$` or `@`, which could lead to a pin. */
const PLAIN_PATH = /^(\$\.)?(input|steps|item)([.[][\w.[\]"*:-]*)?$/;

function isGiven(value: Value): boolean {
  const read = expressionsOf(value);
  return read.length > 0 && read.every(({ jmespath }) => PLAIN_PATH.test(jmespath.trim()));
}

function readGiven(value: Value, roots: Roots): Json | undefined {
  try {
    return evaluateValue(value, roots);
  } catch {
    // It may be the very thing that failed.
    return undefined;
  }
}

function nameOf({ place }: Binding): string {
  return place.pointer.at(-1) ?? ("name" in place ? place.name : place.in);
}

function shorten(value: Json): Json {
  if (typeof value === "object" && value !== null) return clipCharacters(JSON.stringify(value), LONGEST);
  return typeof value === "string" ? clipCharacters(value, LONGEST) : value;
}
