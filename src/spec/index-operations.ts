import type { OperationEntry } from "../model/api.ts";
import { isFault } from "../model/api.ts";
import { isJsonObject } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import type { SpecDocument } from "./read-document.ts";
import { isTrue, textOf, textsOf } from "./read-field.ts";
import { childOf, followRefs, type Located, refOf } from "./resolve-ref.ts";

/** An operation and where it is read from. */
export interface IndexedOperation {
  readonly entry: OperationEntry;
  readonly item: Located;
  /** May still be a `$ref`, also a broken one. */
  readonly operation: Located;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const METHODS_32 = [...METHODS, "query"];

/** Every operation under `paths`, in the order of the document; nothing below an operation's own words is looked at. */
export function indexOperations(document: SpecDocument): IndexedOperation[] {
  const paths = childOf({ value: document.root, pointer: "#" }, "paths");
  if (!isJsonObject(paths.value)) return [];
  const methods = new Set(document.version === "3.2" ? METHODS_32 : METHODS);
  return Object.keys(paths.value)
    .filter((path) => !path.startsWith("x-"))
    .flatMap((path) => indexPath(document, methods, path, readPathItem(document, childOf(paths, path))));
}

// A path item may be a `$ref` with further fields beside it (OAS 3.1 4.8.9.1); one that leads nowhere has no operations to name.
function readPathItem(document: SpecDocument, item: Located): Located {
  if (refOf(item.value) === undefined || !isJsonObject(item.value)) return item;
  const target = faultOf(() => followRefs(document, item));
  const { $ref: _, ...siblings } = item.value;
  if ("fault" in target || !isJsonObject(target.value)) return { value: siblings, pointer: item.pointer };
  const isAlone = Object.keys(siblings).length === 0;
  return isAlone ? target : { value: { ...target.value, ...siblings }, pointer: item.pointer };
}

function indexPath(
  document: SpecDocument,
  methods: ReadonlySet<string>,
  path: string,
  item: Located,
): IndexedOperation[] {
  if (!isJsonObject(item.value)) return [];
  const operations = Object.keys(item.value)
    .filter((name) => methods.has(name))
    .map((name) => [name.toUpperCase(), childOf(item, name)] as const);
  const further = document.version === "3.2" ? childOf(item, "additionalOperations") : undefined;
  const named = isJsonObject(further?.value) ? Object.keys(further.value) : [];
  // OAS 3.2: the name of an additional operation is its method, as written.
  const additional = named
    .filter((name) => !methods.has(name.toLowerCase()))
    .map((name) => [name, childOf(further as Located, name)] as const);
  return [...operations, ...additional]
    .filter(([, operation]) => isJsonObject(operation.value))
    .map(([method, operation]) => ({ entry: describe(document, method, path, operation), item, operation }));
}

function describe(document: SpecDocument, method: string, path: string, operation: Located): OperationEntry {
  const target = faultOf(() => followRefs(document, operation));
  const raw = isFault(target) || !isJsonObject(target.value) ? {} : target.value;
  const [id, summary] = [textOf(raw, "operationId"), textOf(raw, "summary")];
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
