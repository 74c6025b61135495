import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Rest } from "../../model/shape.ts";
import { evaluateExpression, evaluateValue, type Roots } from "../expressions/evaluate.ts";
import type { Omission } from "./omit.ts";

/** A `Rest` of the shape, with all that a call makes of it. */
export interface OpenRest {
  readonly path: string;
  /** What to call, said to an agent. */
  readonly get?: string;
  readonly max?: number;
  /** How many items there are in all, where that is known beyond the list itself. */
  readonly total?: number;
}

/** `current` is what `of` reads: the body, or the roots of a workflow. */
export function openRest(rests: readonly Rest[] | undefined, current: Json, roots: Roots): readonly OpenRest[] {
  return (rests ?? []).map(({ path, tool, args, max, of }) => {
    const total = of && evaluateExpression(of, current, roots);
    return {
      path,
      ...(tool !== undefined && { get: sayCall(tool, args, roots) }),
      ...(max !== undefined && { max }),
      ...(typeof total === "number" && { total }),
    };
  });
}

/** Longer arguments are the caller's own, and known. */
const LONGEST_ARGUMENTS = 300;

function sayCall(tool: string, args: Rest["args"], roots: Roots): string {
  const given = args.map(([name, value]) => [name, evaluateValue(value, roots)] as const);
  const said = given.filter(([, value]) => value !== null);
  const text = JSON.stringify(Object.fromEntries(said));
  const isTold = said.length > 0 && text.length <= LONGEST_ARGUMENTS;
  return isTold ? `\`${tool}\` with ${text}` : `\`${tool}\``;
}

/** The value with each list cut to the most that the author wants to see of it. */
export function keepMost(value: Json, rests: readonly OpenRest[]): Json {
  return rests.reduce(
    (whole, { path, max }) => (max === undefined ? whole : keepAt(whole, path.split("."), max)),
    value,
  );
}

function keepAt(value: Json, names: readonly string[], max: number): Json {
  const [name, ...below] = names;
  if (name === undefined) return Array.isArray(value) ? value.slice(0, max) : value;
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return { ...value, [name]: keepAt(value[name]!, below, max) };
}

/**
 * Says how many of how many items stand in the reply, `kept`, in place of what a cut to the budget says of the same lists, and adds the
 * way to the rest wherever something was cut. `whole` is the value before any cut.
 */
export function tellRest(
  omitted: readonly Omission[],
  whole: Json,
  kept: Json,
  rests: readonly OpenRest[],
): readonly Omission[] {
  const lists = rests.flatMap((rest): Omission[] => {
    const all = listAt(whole, rest.path);
    if (all === undefined) return [];
    const [shown, total] = [listAt(kept, rest.path)?.length ?? 0, Math.max(rest.total ?? 0, all.length)];
    return shown < total ? [{ what: "items", path: rest.path, kept: `${shown} of ${total}` }] : [];
  });
  const told = new Set(lists.map(({ path }) => path));
  return addGet([...lists, ...omitted.filter(({ what, path = "" }) => what !== "items" || !told.has(path))], rests);
}

/** Adds the way to the rest to what was cut at its path or beneath. */
export function addGet(omitted: readonly Omission[], rests: readonly OpenRest[]): readonly Omission[] {
  return omitted.map((one) => {
    const { get } = rests.find(({ path }) => isBeneath(one.path ?? "", path)) ?? {};
    return get === undefined || one.get !== undefined ? one : { ...one, get };
  });
}

function isBeneath(path: string, above: string): boolean {
  const own = path.replace(/^data\[\d*\]\./, "").replace(/\[\d*\]/g, "");
  return own === above || own.startsWith(`${above}.`);
}

function listAt(value: Json, path: string): readonly Json[] | undefined {
  const found = path
    .split(".")
    .reduce<Json | undefined>((inside, name) => (isJsonObject(inside) ? ownValue(inside, name) : undefined), value);
  return Array.isArray(found) ? found : undefined;
}
