import type { Schema } from "../../model/schema.ts";
import { findPlace, type Site } from "../places/find-place.ts";
import { isCredential, placeOf, type Target } from "../places/request-places.ts";
import { flattenSchema, type Spot } from "../types/flatten-schema.ts";
import { isNever } from "../types/is-never.ts";
import { listVariants } from "../types/list-variants.ts";
import type { PinPlan } from "./plan-pins.ts";

/** A place of a pin. `always`: it is sent with every request; else only where what holds it is sent anyway. */
export interface PinnedPlace {
  readonly site: Site;
  readonly always: boolean;
}

const DEEPEST = 8;
const MOST_NODES = 2_000;
/** In a pointer: every item of a list, or every value of a map. */
const EACH = "-";

/**
 * Every place of one operation that a pin goes to: parameters of its name, properties of its name at any depth of the body (in any letter
 * case), and the places that the curation names. At least one is sent with every request, where there is any outside a list.
 */
export function findPinnedPlaces(pin: PinPlan, target: Target): PinnedPlace[] {
  const name = pin.name.toLowerCase();
  const parameters = target.operation.parameters
    .filter((one) => one.name.toLowerCase() === name && !isCredential(target, one))
    .map((one): PinnedPlace => {
      const spot = { schema: one.schema, trail: [] };
      return { site: { kind: "site", place: placeOf(one), spot, required: [one.required] }, always: true };
    });
  const written = pin.places.flatMap((text): PinnedPlace[] => {
    const site = findPlace(text, target);
    return site.kind === "site" ? [{ site, always: true }] : [];
  });
  const inQueryString = target.operation.parameters
    .filter((one) => one.in === "querystring")
    .flatMap((one) =>
      childrenOf({ spot: { schema: one.schema, trail: [] }, pointer: [], required: [one.required] }, target),
    )
    .filter(({ pointer }) => pointer[0]!.toLowerCase() === name)
    .map(({ spot, pointer, required }): PinnedPlace => {
      return { site: { kind: "site", place: { in: "querystring", pointer }, spot, required }, always: true };
    });
  const inBody = target.media?.schema === undefined ? [] : walkBody(target.media.schema, name, target);
  const found = [...parameters, ...written, ...inQueryString, ...inBody];
  return found.some(({ always }) => always) ? found : withFirstAlways(found);
}

/** Where every place is optional the outermost is sent, so that no request goes without the pin. */
function withFirstAlways(found: readonly PinnedPlace[]): PinnedPlace[] {
  const outer = found.filter(({ site }) => !site.place.pointer.includes(EACH));
  const [first] = outer.toSorted((a, b) => a.site.place.pointer.length - b.site.place.pointer.length);
  return found.map((one) => (one === first ? { ...one, always: true } : one));
}

interface Node {
  readonly spot: Spot;
  readonly pointer: readonly string[];
  readonly required: readonly boolean[];
}

/** Breadth first, so that the bound on nodes cuts what is deepest. */
function walkBody(schema: Schema, name: string, target: Target): PinnedPlace[] {
  const found: PinnedPlace[] = [];
  const isBodyRequired = target.operation.body?.required ?? false;
  const open: Node[] = [{ spot: { schema, trail: [] }, pointer: [], required: [isBodyRequired] }];
  for (let at = 0; at < open.length && at < MOST_NODES; at += 1) {
    for (const child of childrenOf(open[at]!, target)) {
      if (child.pointer.at(-1)?.toLowerCase() === name) found.push(pinnedAt(child));
      else if (child.pointer.length < DEEPEST) open.push(child);
    }
  }
  return found;
}

function pinnedAt({ spot, pointer, required }: Node): PinnedPlace {
  const isHeld = !pointer.includes(EACH) && required.slice(1, -1).every(Boolean);
  return { site: { kind: "site", place: { in: "body", pointer }, spot, required }, always: isHeld };
}

function childrenOf({ spot, pointer, required }: Node, target: Target): Node[] {
  const flat = flattenSchema(spot, target.reader);
  if (flat.trail.some((name, at) => flat.trail.indexOf(name) !== at)) return [];
  const { variants } = listVariants(flat, target.reader);
  const seen = new Set<string>();
  return variants.flatMap(({ own, trail }) => {
    const needed = (name: string) => variants.length === 1 && (own.required?.includes(name) ?? false);
    const properties = Object.entries(own.properties ?? {}).filter(([, one]) => !isReadOnly(one, trail, target));
    const values = [own.items, own.additionalProperties].filter(
      (one) => one !== undefined && !isNever(one),
    ) as Schema[];
    const steps = [...properties, ...values.map((one) => [EACH, one] as const)].filter(([name]) => !seen.has(name));
    for (const [name] of steps) seen.add(name);
    return steps.map(([name, one]) => ({
      spot: { schema: one, trail },
      pointer: [...pointer, name],
      required: [...required, needed(name)],
    }));
  });
}

function isReadOnly(schema: Schema, trail: readonly string[], target: Target): boolean {
  return flattenSchema({ schema, trail }, target.reader).own.readOnly === true;
}
