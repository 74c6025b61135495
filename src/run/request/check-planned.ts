import type { OperationPlan } from "../../model/call.ts";
import { ToolError } from "../../model/errors.ts";
import type { UpstreamRequest } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import { placeText } from "../../model/place.ts";
import type { Assigned, PinnedValue } from "./assign-bindings.ts";
import { serializeParameter } from "./serialize-parameter.ts";
import { readInside, setInside } from "./set-inside.ts";
import { formField, formPairs } from "./write-body.ts";
import { writeJson } from "./write-json.ts";
import { parameterFor } from "./write-parameter.ts";

/**
 * The last look at a finished request, as its receiver will read it: the origin and path are those that were planned (nothing in a value moved
 * them), and every pin stands in its place, alone. Throws ToolError `pinned_argument` where something beside a pin has its name, else an Error.
 */
export function checkPlanned(
  request: UpstreamRequest,
  operation: OperationPlan,
  assigned: Assigned,
  planned: { readonly origin: string; readonly path: string },
): void {
  const url = new URL(request.url);
  if (url.origin !== planned.origin || url.pathname !== planned.path || url.hash !== "" || url.username !== "") {
    throw new ToolError("invalid_arguments", {
      message: `A value would lead the request away from ${operation.key}.`,
      recover: "Check the arguments that are parts of the path.",
    });
  }
  for (const pinned of assigned.pinned) {
    if (!holdsPin(request, url, operation, assigned, pinned)) throw outdone(pinned);
  }
}

function holdsPin(
  request: UpstreamRequest,
  url: URL,
  operation: OperationPlan,
  assigned: Assigned,
  pinned: PinnedValue,
): boolean {
  const { place } = pinned.binding;
  switch (place.in) {
    case "path":
      // The whole path was compared with one that was made of the pins.
      return assigned.values.get(placeText({ ...place, pointer: [] })) !== undefined && holdsInside(assigned, pinned);
    case "header":
      return (
        request.headers.filter(([name]) => name === place.name.toLowerCase()).length === 1 &&
        holdsInside(assigned, pinned)
      );
    case "query":
      return (
        holdsInside(assigned, pinned) &&
        holdsPairs(url.search.slice(1).split("&"), expected(operation, "query", place.name, pinned))
      );
    case "cookie": {
      const cookie = request.headers.find(([name]) => name === "cookie")?.[1] ?? "";
      return (
        holdsInside(assigned, pinned) &&
        holdsPairs(cookie.split("; "), expected(operation, "cookie", place.name, pinned))
      );
    }
    case "querystring":
      return holdsInside(assigned, pinned);
    case "body":
      return holdsBody(request, operation, assigned, pinned);
    default:
      return place satisfies never;
  }
}

function holdsInside(assigned: Assigned, { binding: { place }, value }: PinnedValue): boolean {
  const whole = place.in === "body" ? assigned.body : assigned.values.get(placeText({ ...place, pointer: [] }))?.value;
  return readInside(whole, place.pointer).every(
    (found) => found !== undefined && writeJson(found) === writeJson(value),
  );
}

/** The pairs that a pin makes by itself; none where a pin inside a parameter has no pair of its own. */
function expected(
  operation: OperationPlan,
  where: "query" | "cookie",
  name: string,
  { binding, value }: PinnedValue,
): string[] {
  const parameter = parameterFor(operation, where, name);
  const isSpread = parameter.mediaType === undefined && (parameter.style === "deepObject" || parameter.explode);
  if (binding.place.pointer.length > 0 && !isSpread) return [];
  return serializeParameter(parameter, setInside(undefined, binding.place.pointer, value));
}

/** Whether the pairs whose names are those of the pin's, in any letter case, are the pin's and no others. */
function holdsPairs(pairs: readonly string[], wanted: readonly string[]): boolean {
  const names = new Set(wanted.map(pairName));
  const found = pairs.filter((pair) => names.has(pairName(pair)));
  return found.length === wanted.length && found.every((pair, index) => pair === wanted[index]);
}

function pairName(pair: string): string {
  const name = (pair.split("=")[0] ?? "").replaceAll("+", " ").toLowerCase();
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    // A literal query of the spec that is not encoded well.
    return name;
  }
}

function holdsBody(
  request: UpstreamRequest,
  operation: OperationPlan,
  assigned: Assigned,
  pinned: PinnedValue,
): boolean {
  const { place, whereSent } = pinned.binding;
  if (!holdsInside(assigned, pinned)) return false;
  if (!whereSent && readInside(assigned.body, place.pointer).length === 0) return false;
  const type = request.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const [property] = place.pointer;
  if (property === undefined || operation.body === undefined || !type.startsWith("application/x-www-form-urlencoded"))
    return true;
  const value: Json = setInside(undefined, place.pointer.slice(1), pinned.value);
  const field = formField(operation.body, property, value);
  if (place.pointer.length > 1 && field.style !== "deepObject") return true;
  return holdsPairs(String(request.body).split("&"), formPairs(operation.body, property, value));
}

function outdone({ binding: { place } }: PinnedValue): ToolError {
  const name = place.pointer.at(-1) ?? ("name" in place ? place.name : "");
  return new ToolError("pinned_argument", {
    message: `\`${name}\` is set by this server, and something in the arguments would be sent under its name.`,
    recover: `Leave \`${name}\` out of the arguments.`,
  });
}
