import { isDeepStrictEqual } from "node:util";
import type { Binding, Call } from "../../model/call.ts";
import { type Place, placeText } from "../../model/place.ts";
import { planRequest } from "../request/plan-request.ts";
import type { TotalOptions } from "./read-total.ts";

/**
 * Whether a call asks for the same as the list's own, paging and size aside: then the list's rows are the answer. Compared are the requests
 * as they would be sent, without a filter, which is the same in both where it goes to the same places.
 */
export function isSameRequest(
  one: Call,
  { call: list, asking }: Required<Pick<TotalOptions, "call" | "asking">>,
): boolean {
  const operation = asking.toolset.operations[list.operation];
  if (one.operation !== list.operation || operation === undefined) return false;
  if (!isDeepStrictEqual(one.filter, list.filter)) return false;
  const paging = new Set([...pagingPlaces(one), ...pagingPlaces(list)].map(placeText));
  const plan = (call: Call) =>
    planRequest({ ...call, bindings: without(call.bindings, paging) }, operation, asking.access.upstream, asking.wire);
  try {
    return isDeepStrictEqual(plan(one), plan(list));
  } catch {
    // What cannot be sent is found out, and told, where it is sent.
    return false;
  }
}

function pagingPlaces({ pages }: Call): Place[] {
  if (pages === undefined) return [];
  return [...("send" in pages ? [pages.send.place] : []), ...(pages.size ? [pages.size.place] : [])];
}

function without(bindings: readonly Binding[], places: ReadonlySet<string>): Binding[] {
  return bindings.filter(({ place, pinned }) => pinned || !places.has(placeText(place)));
}
