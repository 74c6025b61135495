import { type BarePlace, parsePlace, refuseHeader } from "../../curation/place.ts";
import type { Parameter } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import { type Place, placeText } from "../../model/place.ts";
import type { Schema } from "../../model/schema.ts";
import { hintFor } from "../open-report.ts";
import { descendSchema } from "../types/descend-schema.ts";
import { flattenSchema, type Spot } from "../types/flatten-schema.ts";
import { listVariants } from "../types/list-variants.ts";
import { foldName } from "../types/portable-name.ts";
import { findParameter, isCredential, placeOf, type Target } from "./request-places.ts";

/** A place that an operation has. */
export interface Site {
  readonly kind: "site";
  readonly place: Place;
  /** Undefined where the spec leaves open what stands there. */
  readonly spot?: Spot;
  /** One entry a level, from the parameter or the body inwards: whether that level is needed where the one around it is sent. */
  readonly required: readonly boolean[];
}

export interface PlaceProblem {
  readonly kind: "problem";
  readonly code: "unknown_place" | "ambiguous_name" | "refused_place" | "bad_place";
  readonly message: string;
  /** Looked for when it is asked for: many a place is only tried. */
  readonly hint?: string | undefined;
  /** The one name that is like a bare one that was not found. */
  readonly nearest?: string;
}

/** Finds what an author wrote as a place in one operation. Pinned places are found as well: who asks refuses them. */
export function findPlace(text: string, target: Target): Site | PlaceProblem {
  const parsed = parsePlace(text);
  if ("fault" in parsed) return problem("bad_place", parsed.fault, () => parsed.hint);
  const place = "bare" in parsed ? resolveBare(parsed, target) : parsed;
  return "kind" in place ? place : locate(place, target);
}

function locate(place: Place, target: Target): Site | PlaceProblem {
  const refused = refusePlace(place, target);
  if (refused !== undefined) return refused;
  const root = rootOf(place, target);
  if ("kind" in root) return root;
  const descent = root.spot === undefined ? undefined : descendSchema(root.spot, place.pointer, target.reader);
  if (descent === undefined || descent.kind === "open") {
    const inner = descent?.required ?? place.pointer.map(() => false);
    return { kind: "site", place: root.place, required: [root.required, ...inner] };
  }
  if (descent.kind === "miss") {
    if (target.unchecked)
      return { kind: "site", place: root.place, required: [false, ...place.pointer.map(() => false)] };
    const where = placeText({ ...place, pointer: place.pointer.slice(0, descent.at) });
    const part = place.pointer[descent.at]!;
    const message = `There is no \`${part}\` in \`${where}\` of ${nameOf(target)}.`;
    return problem("unknown_place", message, () => hintFor(nearestNames(part, descent.names), descent.names));
  }
  return { kind: "site", place: root.place, spot: descent.spot, required: [root.required, ...descent.required] };
}

interface Root {
  readonly place: Place;
  readonly spot?: Spot;
  readonly required: boolean;
}

function rootOf(place: Place, target: Target): Root | PlaceProblem {
  const { operation, media, unchecked } = target;
  if (place.in === "body") {
    if (media === undefined && !unchecked)
      return problem(
        "unknown_place",
        `${nameOf(target)} takes no body.`,
        () => "Set `unchecked: true` where the spec is wrong.",
      );
    const required = operation.body?.required ?? false;
    return { place, ...(media?.schema !== undefined && { spot: { schema: media.schema, trail: [] } }), required };
  }
  const parameter = findParameter(target, place);
  if (parameter !== undefined) {
    const found = "name" in place ? { ...place, name: parameter.name } : place;
    return { place: found, spot: { schema: describedSchema(parameter), trail: [] }, required: parameter.required };
  }
  if (unchecked && place.in !== "path") return { place, required: false };
  const name = "name" in place ? place.name : place.in;
  const message = `${nameOf(target)} has no \`${placeText({ ...place, pointer: [] })}\`.`;
  return problem("unknown_place", message, () => nearPlaces(name, place, target));
}

function nearPlaces(name: string, place: Place, target: Target): string | undefined {
  const known = listNames(target).map(({ place: one }) => placeText(one));
  const near = nearestNames(
    name,
    target.operation.parameters.filter(isOpen(target)).map((one) => one.name),
  );
  const places = known.filter((one) => near.some((other) => one.endsWith(`.${other}`) || one === `body/${other}`));
  return hintFor(places.length > 0 ? places : nearestNames(placeText(place), known), known);
}

/** What the spec says of a parameter stands on the parameter itself; its schema may be shared, and then says less. */
function describedSchema({ schema, description = "", deprecated }: Parameter): Schema {
  const isSaid = description.trim() !== "";
  return isSaid || deprecated
    ? { ...schema, ...(isSaid && { description }), ...(deprecated && { deprecated }) }
    : schema;
}

function isOpen(target: Target) {
  return (parameter: Target["operation"]["parameters"][number]) => !isCredential(target, parameter);
}

interface NamedPlace {
  readonly name: string;
  readonly place: Place;
}

/** Parameters and top-level properties of the body that a bare name can mean, but for those that carry credentials. */
export function listNames(target: Target): NamedPlace[] {
  const { operation, media, reader } = target;
  const parameters = operation.parameters
    .filter(isOpen(target))
    .map((one) => ({ name: one.name, place: placeOf(one) }));
  if (media?.schema === undefined) return parameters;
  const { variants } = listVariants(flattenSchema({ schema: media.schema, trail: [] }, reader), reader);
  const properties = new Set(variants.flatMap(({ own }) => Object.keys(own.properties ?? {})));
  return [...parameters, ...[...properties].map((name) => ({ name, place: { in: "body" as const, pointer: [name] } }))];
}

function resolveBare({ bare, pointer }: BarePlace, target: Target): Place | PlaceProblem {
  const known = listNames(target);
  const exact = known.filter(
    ({ name, place }) => name === bare || (place.in === "header" && name.toLowerCase() === bare.toLowerCase()),
  );
  // A name that callers cannot write stands under its portable form: `filter_name` for `filter[name]`.
  const found = exact.length > 0 ? exact : known.filter(({ name }) => foldName(name) === bare);
  const [first, second] = found;
  if (first !== undefined && second === undefined)
    return { ...first.place, pointer: [...first.place.pointer, ...pointer] };
  if (first !== undefined) {
    const places = found.map(({ place }) => `\`${placeText(place)}\``).join(" and ");
    return problem(
      "ambiguous_name",
      `\`${bare}\` is both ${places} in ${nameOf(target)}.`,
      () => `Write the place under \`args\`.`,
    );
  }
  const credential = target.operation.parameters.find((one) => one.name.toLowerCase() === bare.toLowerCase());
  if (credential !== undefined)
    return problem(
      "refused_place",
      `\`${bare}\` carries a credential, which no caller sends.`,
      () => "Write it under `api.auth`.",
    );
  const names = known.map(({ name }) => name);
  const message = `${nameOf(target)} has no parameter and no top-level body property \`${bare}\`.`;
  const nearest = nearestNames(bare, names);
  const told = problem("unknown_place", message, () => hintFor(nearest, names));
  return nearest.length === 1 ? { ...told, nearest: nearest[0]! } : told;
}

function refusePlace(place: Place, target: Target): PlaceProblem | undefined {
  if (!("name" in place)) return undefined;
  if (isCredential(target, place))
    return problem(
      "refused_place",
      `\`${placeText(place)}\` carries a credential.`,
      () => "Write it under `api.auth`.",
    );
  if (place.in !== "header") return undefined;
  // OAS 3.1 4.8.12.1 leaves Accept to the media types.
  if (place.name.toLowerCase() === "accept")
    return problem("refused_place", "`header.accept` may not be set.", () => "Use `accept:`.");
  const refused = refuseHeader(place.name);
  return refused === undefined ? undefined : problem("refused_place", refused.fault, () => refused.hint);
}

function nameOf({ operation }: Target): string {
  return operation.id ?? operation.key;
}

function problem(code: PlaceProblem["code"], message: string, hint: () => string | undefined): PlaceProblem {
  return {
    kind: "problem",
    code,
    message,
    get hint() {
      return hint();
    },
  };
}
