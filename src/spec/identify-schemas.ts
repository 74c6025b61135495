import { isJsonObject, type Json, ownValue } from "../model/json.ts";
import { isRefusal } from "./further-documents.ts";
import { documentIdOf, type Located, rootOf } from "./locate.ts";
import type { SpecDocument } from "./read-document.ts";
import { walkDocument } from "./walk-document.ts";

// JSON Schema 2020-12 8.2: schemas that name themselves, by `$id` for the whole and by `$anchor` for a part.

/** A schema with an `$id`: a root of its own for the references inside of it. */
interface Resource extends Located {
  readonly url: string;
}

/** What a plain-name fragment leads to below `root`: the first schema with that `$anchor` or `$dynamicAnchor`. */
export function findAnchor(root: Located, name: string): Located | undefined {
  return anchorsOf(root).get(name);
}

/**
 * Whether several schemas around `pointer` have the `$dynamicAnchor` that a `$dynamicRef` names: which of them is meant depends on the schemas that
 * led there (2020-12 8.2.3.2), which nobody knows of one by itself.
 */
export function isChosenOnTheWay(document: SpecDocument, dynamicRef: string, pointer: string): boolean {
  const root = rootOf(document, documentIdOf(pointer));
  if (root === undefined || typeof root.value !== "object" || root.value === null) return false;
  const counts = dynamicAnchors.get(root.value) ?? countDynamicAnchors(root);
  dynamicAnchors.set(root.value, counts);
  return (counts.get(dynamicRef.replace(/^.*#/, "")) ?? 0) > 1;
}

const dynamicAnchors = new WeakMap<object, ReadonlyMap<string, number>>();

function countDynamicAnchors(root: Located): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { value } of walkDocument(root)) {
    const name = textAt(value, "$dynamicAnchor");
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The schema in the document `base` whose `$id` is `reference`, as read from inside of `around`. */
export function findIdentified(
  document: SpecDocument,
  reference: string,
  around: Located | undefined,
  base: string,
): Located | undefined {
  const resources = resourcesOf(document, base);
  const from = resources.find(({ pointer }) => pointer === around?.pointer)?.url ?? NOWHERE;
  const url = URL.canParse(reference, from) ? new URL(reference, from).href : undefined;
  return resources.find((resource) => resource.url === url);
}

/** The innermost schema with an `$id` that a pointer stands in. */
export function resourceAround(document: SpecDocument, pointer: string): Located | undefined {
  return innermost(resourcesOf(document, documentIdOf(pointer)), pointer);
}

// Only what stands in one document is compared, so its own address does not matter.
const NOWHERE = "https://document.invalid/";
const MOST_RESOURCES = 5_000;

const known = new WeakMap<object, readonly Resource[]>();

function resourcesOf(document: SpecDocument, id: string): readonly Resource[] {
  if (!mayHaveIds(document, id)) return [];
  const root = rootOf(document, id);
  if (root === undefined || !isJsonObject(root.value)) return [];
  const found = known.get(root.value) ?? findResources(root);
  known.set(root.value, found);
  return found;
}

function mayHaveIds(document: SpecDocument, id: string): boolean {
  if (document.version === "2.0" || document.version === "3.0") return false;
  if (id === "") return document.mayHaveIds();
  const further = document.further.read(id);
  return !isRefusal(further) && further.mayHaveIds();
}

function findResources(root: Located): Resource[] {
  const found: Resource[] = [];
  for (const { value, pointer } of walkDocument(root)) {
    const id = textAt(value, "$id");
    if (id === undefined || id.startsWith("#") || found.length >= MOST_RESOURCES) continue;
    const from = innermost(found, pointer)?.url ?? NOWHERE;
    if (URL.canParse(id, from)) found.push({ value, pointer, url: new URL(id, from).href.replace(/#$/, "") });
  }
  return found;
}

function innermost(resources: readonly Resource[], pointer: string): Resource | undefined {
  const around = resources.filter((one) => pointer === one.pointer || pointer.startsWith(`${one.pointer}/`));
  return around.reduce<Resource | undefined>(
    (inner, one) => (inner === undefined || one.pointer.length > inner.pointer.length ? one : inner),
    undefined,
  );
}

const anchors = new WeakMap<object, ReadonlyMap<string, Located>>();

function anchorsOf(root: Located): ReadonlyMap<string, Located> {
  if (typeof root.value !== "object" || root.value === null) return new Map();
  const made = anchors.get(root.value);
  if (made !== undefined) return made;
  const found = new Map<string, Located>();
  for (const at of walkDocument(root))
    for (const name of [textAt(at.value, "$anchor"), textAt(at.value, "$dynamicAnchor")])
      if (name !== undefined && !found.has(name)) found.set(name, at);
  anchors.set(root.value, found);
  return found;
}

function textAt(value: Json | undefined, name: string): string | undefined {
  const text = isJsonObject(value) ? ownValue(value, name) : undefined;
  return typeof text === "string" ? text : undefined;
}
