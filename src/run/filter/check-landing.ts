import { NotExpressible } from "../../filter/refusal.ts";
import type { Binding, OperationPlan } from "../../model/call.ts";
import type { ResolvedUpstream } from "../../model/exchange.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import type { Place } from "../../model/place.ts";
import { refuseArguments } from "../arguments/argument-faults.ts";
import { pinnedFault } from "../arguments/reading.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { parameterFor } from "../request/write-parameter.ts";
import { readTemplate } from "../request/write-path.ts";
import type { FilterBinding } from "./bind-filter.ts";

/** What a filter is laid on. */
export interface Landing {
  readonly operation: OperationPlan;
  /** Those that the call has already. */
  readonly bindings: readonly Binding[];
  readonly upstream: ResolvedUpstream;
  /** Arguments in the upstream's form. */
  readonly wire: Roots;
}

/**
 * Checks that no part of a filter goes where something else goes: a pin (ToolError `pinned_argument`), a credential, the template's own query, or
 * another value of this call (`NotExpressible`). Names of a query count without letter case, and `a[b]` is `b` in `a`, as servers read them.
 */
export function checkLanding(filter: readonly FilterBinding[], landing: Landing): void {
  for (const part of filter) {
    const trails = trailsOf(part.place, part.value.value, landing.operation);
    const other = landing.bindings.find((one) => isInTheWay(one, trails, landing) && !isBeside(one, part));
    if (other?.pinned) throw refuseArguments([pinnedFault(part.path)]);
    if (other !== undefined || fixedTrails(landing).some((trail) => trails.some((one) => meet(one, trail))))
      throw new NotExpressible(part.path, "Something else is sent in the place of this condition already.");
  }
}

/** Where a value stands, step by step. */
type Trail = readonly string[];

function isInTheWay(binding: Binding, trails: readonly Trail[], { operation, wire }: Landing): boolean {
  const mayMeet = trailsOf(binding.place, null, operation).some((trail) => trails.some((one) => meet(one, trail)));
  if (!mayMeet && !isSpread(binding.place, operation)) return false;
  const value = evaluateValue(binding.value, wire);
  if (value === null) return false;
  return trailsOf(binding.place, value, operation).some((trail) => trails.some((one) => meet(one, trail)));
}

/** A pin that becomes a property of the filter's own object is one more condition; set over what stands there it would replace one. */
function isBeside({ place, pinned }: Binding, { place: own, value: { value } }: FilterBinding): boolean {
  if (!pinned || place.in !== "body" || own.in !== "body" || place.pointer.length <= own.pointer.length) return false;
  const [step = ""] = place.pointer.slice(own.pointer.length);
  return isJsonObject(value) && !Object.hasOwn(value, step);
}

function trailsOf(place: Place, value: Json, operation: OperationPlan): Trail[] {
  const { in: where, pointer } = place;
  if (where === "body") return [[where, ...pointer]];
  if (where === "querystring") return [["query", ...pointer.map(fold)]];
  const whole = [where, ...stepsOf("name" in place ? place.name : ""), ...pointer].map(fold);
  if (!isSpread(place, operation)) return [whole];
  const inner = pointer[0] === undefined ? (isJsonObject(value) ? Object.keys(value) : []) : [pointer[0]];
  return [whole, ...inner.map((name) => [where, ...stepsOf(name)].map(fold))];
}

/** The properties of an object become parameters of their own there. */
function isSpread(place: Place, operation: OperationPlan): boolean {
  if (place.in !== "query") return false;
  const { style, explode, mediaType } = parameterFor(operation, "query", place.name);
  return mediaType === undefined && style === "form" && explode;
}

/** What no binding sends: credentials among the query, and the query that the template of the path holds. */
function fixedTrails({ operation, upstream }: Landing): Trail[] {
  const keys = [...upstream.credentials.values()].flatMap((one) =>
    one.kind === "apiKey" && one.in === "query" ? [one.name] : [],
  );
  const pairs = readTemplate(operation.path).query.split("&");
  const names = [...keys, ...pairs.map((pair) => pair.split("=")[0] ?? "").filter((name) => name !== "")];
  return names.map((name) => ["query", ...stepsOf(name)].map(fold));
}

/** `a[b][c]` as a server that knows brackets reads it. */
function stepsOf(name: string): string[] {
  const [, first = name, rest = ""] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step]) => step ?? "")];
}

function fold(step: string): string {
  return step.toLowerCase();
}

/** The same place, or one inside the other. */
function meet(one: Trail, other: Trail): boolean {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}
