import { isFault, type OperationEntry, referenceName } from "../model/api.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import { childOf, type Located } from "./locate.ts";
import { glimpse } from "./parse-lazily.ts";
import type { SpecDocument } from "./read-document.ts";
import { isTrue, textOf, textsOf } from "./read-field.ts";
import { followRefs, lookUp, refOf } from "./resolve-ref.ts";

/** An operation and where it is read from. */
export interface IndexedOperation {
  readonly key: string;
  readonly id: string | undefined;
  /** Made when it is read: the operation may stand in a file of its own. */
  readonly entry: OperationEntry;
  /** The path item's own fields, then those of what its `$ref` leads to, and so on (OAS 3.1 4.8.9.1). */
  readonly items: readonly Located[];
  /** May still be a `$ref`, also a broken one. */
  readonly operation: Located;
}

/** The operations of a spec. A path is looked at when it is asked for; nothing below an operation's own words ever is. */
export interface OperationIndex {
  /** In the order of the document. */
  all(): readonly IndexedOperation[];
  /** By `METHOD /path`. On a path whose item cannot be read there may be any operation; it is a broken one. */
  byKey(key: string): IndexedOperation | undefined;
  /** What no path has may stand on one that cannot be read, and is then a broken one too. */
  byId(id: string): IndexedOperation | undefined;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const METHODS_32 = [...METHODS, "query"];

export function indexOperations(document: SpecDocument): OperationIndex {
  const methods = new Set(document.version === "3.2" ? METHODS_32 : METHODS);
  const stated = faultOf(() => followRefs(document, childOf({ value: document.root, pointer: "#" }, "paths")));
  const paths = !isFault(stated) && isJsonObject(stated.value) ? stated : { value: {}, pointer: "#/paths" };
  const names = Object.keys(paths.value ?? {}).filter((path) => !path.startsWith("x-"));
  const known = new Map<string, PathOperations>();
  let byFile: ReadonlyMap<string, readonly string[]> | undefined;
  let ids: ReadonlyMap<string, string> | undefined;

  function onPath(path: string): PathOperations {
    const found = known.get(path) ?? indexPath(document, methods, path, readPathItem(document, childOf(paths, path)));
    known.set(path, found);
    return found;
  }

  function idsOn(path: string): readonly NamedKey[] {
    const glimpsed =
      document.version === "3.2" ? undefined : glimpseIds(methods, path, ownValue(paths.value as JsonObject, path));
    return glimpsed ?? onPath(path).operations.map(({ key, id }) => ({ key, id }));
  }

  const isName = new Set(names);
  const index: OperationIndex = {
    all: () => names.flatMap((path) => onPath(path).operations),
    byKey(key) {
      const path = key.slice(key.indexOf(" ") + 1);
      if (!isName.has(path)) return undefined;
      const { operations, broken } = onPath(path);
      return (
        operations.find((one) => one.key === key) ??
        (broken && openEntry(document, key.slice(0, key.indexOf(" ")), path, [], broken))
      );
    },
    byId(id) {
      byFile ??= keysByFile(paths.value as JsonObject, names, methods);
      const named = byFile.get(id) ?? [];
      const [own] = named.flatMap((key) => index.byKey(key) ?? []);
      if (named.length === 1 && own?.id === id) return own;
      ids ??= keysById(names.flatMap(idsOn));
      const key = ids.get(id);
      if (key !== undefined) return index.byKey(key);
      const unreadable = names.find((path) => onPath(path).broken !== undefined);
      const isKey = id.includes(" ");
      return unreadable === undefined || isKey ? undefined : index.byKey(`? ${unreadable}`);
    },
  };
  return index;
}

/** The operations that stand in a file of their own, by the name of that file. That is told without opening it. */
function keysByFile(
  paths: JsonObject,
  names: readonly string[],
  methods: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const path of names) {
    const item = ownValue(paths, path);
    for (const method of isJsonObject(item) ? Object.keys(item) : []) {
      const said = methods.has(method) ? glimpse(item as JsonObject, method) : {};
      if (said !== undefined && !Object.hasOwn(said, "$ref")) continue;
      const ref = refOf(ownValue(item as JsonObject, method));
      if (ref === undefined || ref.startsWith("#")) continue;
      const file = referenceName(ref);
      keys.set(file, [...(keys.get(file) ?? []), `${method.toUpperCase()} ${path}`]);
    }
  }
  return keys;
}

interface PathItem {
  /** As in `IndexedOperation.items`. */
  readonly layers: readonly Located[];
  /** A `$ref` in place of it that leads nowhere: what stands beside that is all that is known. */
  readonly broken?: Located;
}

function readPathItem(document: SpecDocument, item: Located): PathItem {
  const layers: Located[] = [];
  const seen = new Set<string>();
  for (let at = item; ; ) {
    if (isJsonObject(at.value)) layers.push(at);
    const { pointer } = at;
    const ref = refOf(at.value);
    if (ref === undefined) return { layers };
    const next = faultOf(() => lookUp(document, ref, pointer));
    if (isFault(next) || seen.has(next.pointer)) return { layers, broken: { value: { $ref: ref }, pointer } };
    seen.add(next.pointer);
    at = next;
  }
}

interface PathOperations {
  readonly operations: readonly IndexedOperation[];
  readonly broken?: Located | undefined;
}

function indexPath(
  document: SpecDocument,
  methods: ReadonlySet<string>,
  path: string,
  { layers, broken }: PathItem,
): PathOperations {
  const found = new Map<string, Located>();
  // The innermost fields win, and the order is that of what they are laid over.
  for (const item of layers.toReversed())
    for (const [method, operation] of operationsOf(document, methods, item)) found.set(method, operation);
  return {
    operations: [...found].map(([method, operation]) => openEntry(document, method, path, layers, operation)),
    broken,
  };
}

function openEntry(
  document: SpecDocument,
  method: string,
  path: string,
  items: readonly Located[],
  operation: Located,
): IndexedOperation {
  let entry: OperationEntry | undefined;
  return {
    key: `${method} ${path}`,
    get id() {
      return idOf(fieldsOf(document, operation));
    },
    get entry() {
      entry ??= describe(document, method, path, operation);
      return entry;
    },
    items,
    operation,
  };
}

function operationsOf(document: SpecDocument, methods: ReadonlySet<string>, item: Located): [string, Located][] {
  const operations = Object.keys(item.value ?? {})
    .filter((name) => methods.has(name))
    .map((name): [string, Located] => [name.toUpperCase(), childOf(item, name)]);
  const further = document.version === "3.2" ? childOf(item, "additionalOperations") : undefined;
  const named = isJsonObject(further?.value) ? Object.keys(further.value) : [];
  // OAS 3.2: the name of an additional operation is its method, as written.
  const additional = named
    .filter((name) => !methods.has(name.toLowerCase()))
    .map((name): [string, Located] => [name, childOf(further as Located, name)]);
  return [...operations, ...additional].filter(([, operation]) => isJsonObject(operation.value));
}

/** What stands in an operation, wherever it stands; nothing where that cannot be read. */
function fieldsOf(document: SpecDocument, operation: Located): JsonObject {
  const target = faultOf(() => followRefs(document, operation));
  return isFault(target) || !isJsonObject(target.value) ? {} : target.value;
}

function idOf(raw: JsonObject): string | undefined {
  return textOf(raw, "operationId") || undefined;
}

function describe(document: SpecDocument, method: string, path: string, operation: Located): OperationEntry {
  const raw = fieldsOf(document, operation);
  const [id, summary] = [idOf(raw), textOf(raw, "summary")];
  return {
    key: `${method} ${path}`,
    ...(id && { id }),
    method,
    path,
    ...(summary && { summary }),
    tags: textsOf(raw, "tags"),
    deprecated: isTrue(raw, "deprecated"),
  };
}

interface NamedKey {
  readonly key: string;
  readonly id: string | undefined;
}

/** Of the operations on a path whose item is written there, without making them; undefined where they have to be made. */
function glimpseIds(
  methods: ReadonlySet<string>,
  path: string,
  item: Json | undefined,
): readonly NamedKey[] | undefined {
  if (!isJsonObject(item) || Object.hasOwn(item, "$ref")) return undefined;
  const found: NamedKey[] = [];
  for (const method of Object.keys(item)) {
    if (!methods.has(method)) continue;
    const said = glimpse(item, method);
    const id = said && ownValue(said, "operationId");
    // The 0 stands for a text too long to be seen.
    if (said === undefined || Object.hasOwn(said, "$ref") || id === 0) return undefined;
    found.push({ key: `${method.toUpperCase()} ${path}`, id: typeof id === "string" && id !== "" ? id : undefined });
  }
  return found;
}

/** An id that stands twice names nothing. */
function keysById(named: readonly NamedKey[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const doubled = new Set<string>();
  for (const { key, id } of named) {
    if (id === undefined) continue;
    if (keys.has(id)) doubled.add(id);
    keys.set(id, key);
  }
  for (const id of doubled) keys.delete(id);
  return keys;
}
