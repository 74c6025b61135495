import { NotExpressible } from "../../filter/refusal.ts";
import type { Binding, FilledPlace, FilterDestination, OperationPlan } from "../../model/call.ts";
import type { Condition, FilterParameter, WrittenFilter } from "../../model/filter.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { convertValue } from "../request/convert-value.ts";
import { parameterFor } from "../request/write-parameter.ts";

/** One value of a written filter and the place where it goes; `path` is that of the condition that it says. */
export interface FilterBinding extends Binding {
  readonly value: { readonly kind: "literal"; readonly value: Json };
  readonly path: string;
}

interface Destined {
  readonly filter: FilterDestination;
  readonly condition: Condition;
  readonly operation: OperationPlan;
}

/** A written filter as bindings of a call. Throws `NotExpressible` where a place cannot take its value, and an Error where there is no place. */
export function bindFilter(written: WrittenFilter, destined: Destined): FilterBinding[] {
  const { filter, condition } = destined;
  switch (written.kind) {
    case "text":
      return [bind(placeOf(filter), written.text, condition.path)];
    case "json":
      return bindJson(placeOf(filter), written.value, destined);
    case "parameters":
      return groupByName(written.parameters).map((one) => bindParameter(one, destined));
    case "places":
      return written.values.map(({ to, value }) => bindPlace(to, value, destined));
    default:
      return written satisfies never;
  }
}

function bind({ place, type }: FilledPlace, value: Json, path: string): FilterBinding {
  const converted = convertValue(value, type);
  if (converted === undefined) throw new NotExpressible(path, "The upstream does not take this value there.", true);
  return {
    place,
    type,
    value: { kind: "literal", value: converted },
    pinned: false,
    required: true,
    nullable: false,
    path,
  };
}

function placeOf({ to, target }: FilterDestination): FilledPlace {
  if (to === undefined) throw new Error(`The filter in ${target.dialect} has no place.`);
  return to;
}

/**
 * As its text where the place takes a text, and where the style of a parameter would take it apart. What is to be the whole body stands beside
 * the rest of it (the `filterGroups` of HubSpot beside `limit` and `after`).
 */
function bindJson({ place, type }: FilledPlace, value: Json, { condition, operation }: Destined): FilterBinding[] {
  if (place.in === "body" && place.pointer.length === 0 && type !== "string" && isJsonObject(value))
    return Object.entries(value).map(([key, inner]) =>
      bind({ place: { in: "body", pointer: [key] }, type: "any" }, inner as Json, condition.path),
    );
  const parameter =
    "name" in place && place.pointer.length === 0 ? parameterFor(operation, place.in, place.name) : undefined;
  const isApart = parameter !== undefined && parameter.mediaType === undefined && parameter.style !== "deepObject";
  return type === "string" || isApart
    ? [bind({ place, type: "string" }, JSON.stringify(value), condition.path)]
    : [bind({ place, type }, value, condition.path)];
}

type NamedValues = readonly [name: string, values: readonly string[]];

function groupByName(parameters: readonly FilterParameter[]): readonly NamedValues[] {
  const groups = new Map<string, string[]>();
  for (const [name, value] of parameters) groups.set(name, [...(groups.get(name) ?? []), value]);
  return [...groups];
}

function bindParameter([name, values]: NamedValues, { condition, operation }: Destined): FilterBinding {
  const place = { in: "query", name, pointer: [] } as const;
  const [only, ...others] = values;
  if (others.length === 0) return bind({ place, type: "string" }, only!, condition.path);
  if (!parameterFor(operation, "query", name).explode)
    throw new NotExpressible(condition.path, `The upstream takes \`${name}\` once only.`);
  return bind({ place, type: "array" }, values, condition.path);
}

function bindPlace(to: string, value: Json, { filter, condition, operation }: Destined): FilterBinding {
  const filled = filter.places?.find(([name]) => name === to)?.[1];
  if (filled === undefined) throw new Error(`The filter's field at ${to} has no place.`);
  const path = pathOf(condition, to) ?? condition.path;
  const isAlone = filled.type === "array" && !Array.isArray(value);
  const sent = isAlone ? [value] : value;
  checkSeparator(filled, sent, operation, path);
  return bind(filled, sent, path);
}

/** Where the first condition on a field stands. */
function pathOf(condition: Condition, to: string): string | undefined {
  if (condition.kind !== "group") return condition.field.to === to ? condition.path : undefined;
  return condition.conditions.map((inner) => pathOf(inner, to)).find((path) => path !== undefined);
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" };

/** Encoded or not, many servers cut a list at its separators after decoding. */
function checkSeparator({ place }: FilledPlace, value: Json, operation: OperationPlan, path: string): void {
  if (!Array.isArray(value) || !("name" in place) || place.pointer.length > 0) return;
  const { explode, style, mediaType } = parameterFor(operation, place.in, place.name);
  const separator = SEPARATORS[style] ?? ",";
  if (explode && place.in !== "header" && place.in !== "path") return;
  if (mediaType === undefined && value.some((item: Json) => String(item).includes(separator)))
    throw new NotExpressible(path, `\`${separator}\` separates the values here, so a value cannot hold it.`, true);
}
