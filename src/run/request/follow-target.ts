import type { OperationPlan } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import { placeText } from "../../model/place.ts";
import type { Assigned } from "./assign-bindings.ts";
import { parameterFor, writeParameter } from "./write-parameter.ts";

/**
 * The URL of a page that the upstream's own link names: its path and query at the planned URL's origin. Pins are laid over its query, `secrets` are
 * taken out of it (credentials are laid on when it is sent). Throws ToolError `destination_blocked` where it would leave what a pin in the path,
 * or the query as a whole, says.
 */
export function followTarget(
  planned: string,
  target: string,
  operation: OperationPlan,
  assigned: Assigned,
  secrets: readonly string[],
): string {
  const from = new URL(planned);
  const to = new URL(`${from.origin}${target}`);
  const places = assigned.pinned.map(({ binding }) => binding.place);
  const leaves = places.some(
    ({ in: where }) => where === "querystring" || (where === "path" && to.pathname !== from.pathname),
  );
  if (leaves || to.origin !== from.origin) throw refuseTarget();
  const pins = pinnedPairs(operation, assigned);
  const names = new Set(pins.map(nameOf));
  const kept = to.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !names.has(nameOf(pair)) && !holdsSecret(pair, secrets));
  const query = [...kept, ...pins].join("&");
  return `${from.origin}${to.pathname}${query === "" ? "" : `?${query}`}`;
}

/** The pairs of every query parameter that holds a pin, whole. */
function pinnedPairs(operation: OperationPlan, assigned: Assigned): string[] {
  const places = assigned.pinned.flatMap(({ binding: { place } }) => (place.in === "query" ? [place] : []));
  const byName = new Map(places.map((place) => [place.name, placeText({ ...place, pointer: [] })]));
  return [...byName].flatMap(([name, key]) => {
    const value = assigned.values.get(key);
    return value === undefined ? [] : writeParameter(parameterFor(operation, "query", name), value, assigned);
  });
}

/** In any letter case: some upstreams do not tell them apart. */
function nameOf(pair: string): string {
  return decoded(pair.split("=", 1)[0] ?? "").toLowerCase();
}

function holdsSecret(pair: string, secrets: readonly string[]): boolean {
  const value = decoded(pair.slice(pair.indexOf("=") + 1));
  return secrets.includes(value);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

function refuseTarget(): ToolError {
  return new ToolError("destination_blocked", {
    message: "The upstream's link to the next page leads away from what this server may ask for.",
    recover: "Arguments do not change this: tell the user that the API's pages cannot be followed.",
    retryable: false,
  });
}
