import { isFault } from "../model/api.ts";
import { isJsonObject, ownValue } from "../model/json.ts";
import { BrokenSpec, faultOf } from "./broken-spec.ts";
import { isRefusal } from "./further-documents.ts";
import { findAnchor, findIdentified, resourceAround } from "./identify-schemas.ts";
import { childOf, decodePercent, documentIdOf, type Located, rootOf, stepInto, tokensOf } from "./locate.ts";
import type { SpecDocument } from "./read-document.ts";

/** References that one reference may lead through, each other one counted: those in each other's pointers would double without end. */
interface Hops {
  left: number;
}
const MOST_HOPS = 200;

/** Follows `$ref` until none is left. Throws BrokenSpec where one leads nowhere, to where nothing is read, or round in a circle. */
export function followRefs(document: SpecDocument, start: Located, hops: Hops = { left: MOST_HOPS }): Located {
  const seen = new Set<string>();
  let at = start;
  for (let ref = refOf(at.value); ref !== undefined; ref = refOf(at.value)) {
    const target = lookUp(document, ref, at.pointer, documentIdOf(at.pointer), hops);
    if (seen.has(target.pointer)) throw new BrokenSpec(`$ref ${quote(ref)} only leads back to itself.`, start.pointer);
    seen.add(target.pointer);
    at = target;
  }
  return at;
}

export function refOf(value: unknown): string | undefined {
  const ref = isJsonObject(value) ? ownValue(value, "$ref") : undefined;
  return typeof ref === "string" ? ref : undefined;
}

/**
 * What one reference points at. `from` is where the reference stands, for the fault; `base` is the id of the document that it is relative to.
 * The target's pointer is in canonical spelling. Throws BrokenSpec.
 */
export function lookUp(
  document: SpecDocument,
  ref: string,
  from: string,
  base: string = documentIdOf(from),
  hops: Hops = { left: MOST_HOPS },
): Located {
  hops.left -= 1;
  if (hops.left < 0) throw new BrokenSpec(`$ref ${quote(ref)} leads through too many others.`, from);
  const { file, fragment } = splitRef(ref);
  const around = resourceAround(document, from);
  const root = file === "" ? ownRoot(document, base, fragment, around) : findIdentified(document, file, around, base);
  const named = root === undefined && fragment === undefined ? schemaNamed(document, file, base) : undefined;
  if (named !== undefined) return named;
  const target = findIn(document, root ?? openRoot(document, ref, file, base, from), fragment ?? "", around, hops);
  if (target !== undefined) return target;
  const isPointer = tokensOf(fragment ?? "") !== undefined;
  throw new BrokenSpec(
    `$ref ${quote(ref)} ${isPointer ? "leads nowhere" : "is not a JSON pointer, nor a known anchor"}.`,
    from,
  );
}

/** The reference as it may stand anywhere in the spec and mean the same; one that leads nowhere stays as it is. Opens no further document. */
export function canonicalRef(document: SpecDocument, ref: string, from: string): string {
  const base = documentIdOf(from);
  if (base === "" && ref.startsWith("#/") && resourceAround(document, from) === undefined) return ref;
  const { file, fragment } = splitRef(ref);
  if (isByIdentity(document, file, fragment, from, base)) {
    const target = faultOf(() => lookUp(document, ref, from, base));
    return isFault(target) ? ref : target.pointer.replace(/(?<=.)#$/, "");
  }
  const named = fragment === undefined ? schemaNamed(document, file, base) : undefined;
  if (named !== undefined) return named.pointer;
  // A name without a schema is more likely a mistake than a file.
  if (fragment === undefined && /^[\w-]+$/.test(file)) return ref;
  const id = file === "" ? base : document.further.nameOf(file, base);
  if (isRefusal(id)) return ref;
  return id === "" || (fragment ?? "") !== "" ? `${id}#${fragment ?? ""}` : id;
}

/** Whether the reference has a meaning only where it stands, or names its target by other than its place. */
function isByIdentity(
  document: SpecDocument,
  file: string,
  fragment: string | undefined,
  from: string,
  base: string,
): boolean {
  const around = resourceAround(document, from);
  if (file !== "") return findIdentified(document, file, around, base) !== undefined;
  return around !== undefined || tokensOf(fragment ?? "") === undefined;
}

/** `#` alone is the root of the schema with an `$id` around it; a pointer is tried on the whole document first, as authors mean it so. */
function ownRoot(
  document: SpecDocument,
  base: string,
  fragment: string | undefined,
  around: Located | undefined,
): Located | undefined {
  return fragment === "" && around !== undefined ? around : rootOf(document, base);
}

function openRoot(document: SpecDocument, ref: string, file: string, base: string, from: string): Located {
  const id = file === "" ? base : document.further.nameOf(file, base);
  const refused = isRefusal(id) ? id : id === "" ? undefined : document.further.read(id);
  if (refused !== undefined && isRefusal(refused)) throw new BrokenSpec(`$ref ${quote(ref)} ${refused.refused}.`, from);
  return refused === undefined ? { value: document.root, pointer: "#" } : { value: refused.root, pointer: `${id}#` };
}

function findIn(
  document: SpecDocument,
  root: Located,
  fragment: string,
  around: Located | undefined,
  hops: Hops,
): Located | undefined {
  const tokens = tokensOf(fragment);
  const inner = around === undefined ? [] : [around];
  if (tokens === undefined) {
    const name = decodePercent(fragment);
    for (const place of [...inner, root]) if (findAnchor(place, name)) return findAnchor(place, name);
    return undefined;
  }
  for (const place of [root, ...inner]) {
    const found = walkTo(document, place, tokens, hops);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Steps into a value. Where it holds a `$ref` in place of what is looked for, goes on behind that: real specs split their components so. */
function walkTo(document: SpecDocument, root: Located, tokens: readonly string[], hops: Hops): Located | undefined {
  let at = root;
  for (const token of tokens) {
    if (stepInto(at.value, token) === undefined && refOf(at.value) !== undefined) at = followRefs(document, at, hops);
    at = childOf(at, token);
    if (at.value === undefined) return undefined;
  }
  return at;
}

// Discriminator mappings name a schema bare (OAS 3.1 4.8.25.1), and Swagger 2.0 files do so in `$ref` too.
function schemaNamed(document: SpecDocument, name: string, base: string): Located | undefined {
  const path = document.version === "2.0" ? ["definitions"] : ["components", "schemas"];
  const roots = [base, ""].flatMap((id) => rootOf(document, id) ?? []);
  return roots.map((root) => [...path, name].reduce(childOf, root)).find(({ value }) => value !== undefined);
}

function splitRef(ref: string): { file: string; fragment: string | undefined } {
  const at = ref.indexOf("#");
  return at === -1 ? { file: ref, fragment: undefined } : { file: ref.slice(0, at), fragment: ref.slice(at + 1) };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
