import type { ToolEntry } from "../../curation/format.ts";
import { refuseHeader } from "../../curation/place.ts";
import type { Parameter } from "../../model/api.ts";
import type { Binding, FilledPlace } from "../../model/call.ts";
import type { Json } from "../../model/json.ts";
import { type Place, placeText } from "../../model/place.ts";
import { CREDENTIAL_NAME, saysCredential } from "../../model/says-credential.ts";
import type { EntryPath, Report } from "../open-report.ts";
import type { Site } from "../places/find-place.ts";
import { isCredential, placeOf, type Target } from "../places/request-places.ts";
import { wirePlace } from "../places/wire-type.ts";
import { type FlatSchema, flattenSchema, ownProperty, type Spot } from "../types/flatten-schema.ts";
import { listVariants } from "../types/list-variants.ts";
import { holds, placePath, type Sent } from "./sent-value.ts";
import { isUnsent, isWritten, tellUnsent } from "./tell-unsent.ts";

const DEEPEST = 8;
const COOKIE = /^(x[-_])?cookie$/i;

/** What a request carries by now, whoever says it. */
interface Filled {
  readonly sent: readonly Sent[];
  readonly pinned: readonly Binding[];
  readonly running: readonly FilledPlace[];
}

/**
 * What must be sent and nothing fills: where the spec gives a default or allows one value only, that is sent; else it is the error
 * `required_unfilled`. What is inside an object counts where that object is needed, or something in it is filled. readOnly never counts.
 */
export function fillRequired(
  { sent, pinned, running }: Filled,
  tool: Pick<ToolEntry, "input">,
  at: EntryPath,
  target: Target,
  report: Report,
): Binding[] {
  const paths = (places: readonly Place[]) => places.map(placePath);
  const opening = paths([...sent.map(({ site }) => site.place), ...alwaysSent(pinned)]);
  const walk: Walk = {
    target,
    opening,
    filled: [...opening, ...paths([...pinned, ...running].map(({ place }) => place))],
    bindings: [],
    missing: [],
  };
  for (const parameter of target.operation.parameters) {
    if (isCredential(target, parameter) || isSaidTwice(parameter, target)) continue;
    if (isUnsent(parameter)) tellUnsent(parameter, at, target, report);
    else look({ schema: parameter.schema, trail: [] }, placeOf(parameter), [parameter.required], walk);
  }
  const isNeeded = target.operation.body?.required ?? false;
  if (target.media !== undefined)
    look({ schema: target.media.schema ?? {}, trail: [] }, { in: "body", pointer: [] }, [isNeeded], walk);
  for (const place of walk.missing) tellMissing(place, tool, at, target, report);
  return walk.bindings;
}

function tellMissing(
  place: Place,
  tool: Pick<ToolEntry, "input">,
  at: EntryPath,
  { operation }: Target,
  report: Report,
): void {
  const message = `\`${placeText(place)}\` is required by \`${operation.id ?? operation.key}\`, and nothing fills it.`;
  const name = place.pointer.at(-1) ?? ("name" in place ? place.name : place.in);
  const hint = hintToFill(name, place, tool, at.includes("steps"));
  report.add("error", "required_unfilled", [...at, "operation"], message, hint);
}

/** Documents of Slack's kind say as a parameter once more what the security scheme of the operation sends. */
function isSaidTwice({ name, description }: Parameter, { operation }: Target): boolean {
  return operation.security.some((uses) => uses.length > 0) && saysCredential(name, description);
}

function hintToFill(name: string, place: Place, tool: Pick<ToolEntry, "input">, isStep: boolean): string {
  if (Object.hasOwn(tool.input ?? {}, name)) {
    const why = isStep
      ? "An input goes by itself to the first step that has its place, so say it here"
      : "An expression names the input, so it goes where `args` says";
    return `${why}: args: { ${placeText(place)}: "\${input.${name}}" }.`;
  }
  if (
    (CREDENTIAL_NAME.test(name) || COOKIE.test(name)) &&
    (place.in === "header" || place.in === "query" || place.in === "cookie")
  )
    return `If it is a credential, write it under \`api.auth\`: { default: { apiKey: { value: …, in: ${place.in}, name: ${name} } } }.`;
  const refused = place.in === "header" ? refuseHeader(place.name) : undefined;
  if (refused !== undefined) return `${refused.fault} So no tool can send this operation.`;
  return "Add an input of that name, or send a value through `args`.";
}

function alwaysSent(pinned: readonly Binding[]): Place[] {
  return pinned.filter(({ whereSent }) => whereSent !== true).map(({ place }) => place);
}

interface Walk {
  readonly target: Target;
  /** Paths of what is filled, but for pins that wait for what is around them. */
  readonly opening: readonly (readonly string[])[];
  readonly filled: readonly (readonly string[])[];
  readonly bindings: Binding[];
  readonly missing: Place[];
}

/** `required`: one entry a level, from the parameter or the body inwards. */
function look(spot: Spot, place: Place, required: readonly boolean[], walk: Walk): void {
  const path = placePath(place);
  if (required.length > DEEPEST || walk.filled.some((one) => holds(one, path))) return;
  const isOpened = walk.opening.some((one) => holds(path, one));
  if (required.at(-1) !== true && !isOpened) return;
  const flat = flattenSchema(spot, walk.target.reader);
  const { variants } = listVariants(flat, walk.target.reader);
  const object = variants.length === 1 && variants[0]!.types[0] === "object" ? variants[0] : undefined;
  const needs = object === undefined ? [] : neededProperties(object, walk);
  const known = Object.keys(object?.own.properties ?? {});
  if (isOpened || needs.length > 0) {
    for (const name of new Set([...needs, ...known])) {
      const inner = { schema: ownProperty(object!.own, name) ?? {}, trail: object!.trail };
      look(inner, { ...place, pointer: [...place.pointer, name] }, [...required, needs.includes(name)], walk);
    }
    return;
  }
  const value = flat.own.default ?? variants[0]?.own.default ?? onlyValue(variants);
  if (value !== undefined && value !== null) walk.bindings.push(bindLiteral(value, { place, spot, required }, walk));
  // An object that needs nothing inside it may be sent empty.
  else if (known.length === 0 && !("name" in place && isWritten(place))) walk.missing.push(place);
}

function neededProperties({ own, trail }: FlatSchema, walk: Walk): string[] {
  return (own.required ?? []).filter((name) => {
    const schema = ownProperty(own, name);
    return schema === undefined || flattenSchema({ schema, trail }, walk.target.reader).own.readOnly !== true;
  });
}

function onlyValue(variants: readonly FlatSchema[]): Json | undefined {
  const [one, other] = variants;
  if (one === undefined || other !== undefined) return undefined;
  return one.own.const ?? (one.own.enum?.length === 1 ? one.own.enum[0] : undefined);
}

function bindLiteral(literal: Json, site: Omit<Site, "kind">, walk: Walk): Binding {
  const { type, nullable } = wirePlace({ kind: "site", ...site }, walk.target.reader);
  const value = { kind: "literal" as const, value: literal };
  const binding = { place: site.place, value, pinned: false, type, required: true, nullable };
  return site.required.slice(0, -1).every(Boolean) ? binding : { ...binding, whereSent: true };
}
