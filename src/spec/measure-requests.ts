import { type Api, isFault, type OperationEntry } from "../model/api.ts";
import { isJsonObject } from "../model/json.ts";
import { faultOf } from "./broken-spec.ts";
import { documentOf } from "./load-api.ts";
import { childOf, type Located } from "./locate.ts";
import { mergeParameters } from "./merge-parameters.ts";
import type { SpecDocument } from "./read-document.ts";
import { textOf } from "./read-field.ts";
import { followRefs, lookUp } from "./resolve-ref.ts";

/** Characters beyond which a value is cut, as a converter's are: nobody shows all of it. */
const MOST = 1_500_000;
/** References in one another. */
const DEEPEST = 40;
/** Characters of a parameter that its schema does not have: its place, whether it is required. */
const ASIDE = 40;
const CUT = "{}".length;
const REFERENCE = /"\$ref":("(?:[^"\\]|\\.)*")/g;

/**
 * About how many characters the requests of some operations take as JSON Schema without references, recursion cut. The texts are measured as they
 * stand in the document: to read and to lift the operations takes many times longer. What is broken has none.
 */
export function measureRequests(api: Api, entries: readonly OperationEntry[]): number {
  const document = documentOf(api);
  if (document === undefined) return 0;
  const sizeOf = openSizes(document);
  let sum = 0;
  for (const entry of entries) {
    const request = faultOf(() => requestOf(document, entry));
    if (isFault(request)) continue;
    const { description, parameters, body } = request;
    sum += description.length + (body === undefined ? 0 : sizeOf(body));
    for (const one of parameters) sum += Math.max(0, sizeOf(one) - ASIDE);
  }
  return sum;
}

interface Request {
  /** Of the operation. */
  readonly description: string;
  readonly parameters: readonly Located[];
  readonly body: Located | undefined;
}

/** Throws BrokenSpec. */
function requestOf(document: SpecDocument, { path, method }: OperationEntry): Request {
  const item = followRefs(document, childOf(childOf({ value: document.root, pointer: "#" }, "paths"), path));
  const operation = followRefs(document, childOf(item, method.toLowerCase()));
  const description = isJsonObject(operation.value) ? textOf(operation.value, "description") : undefined;
  const parameters = mergeParameters(document, item, operation);
  const content = followRefs(document, childOf(followRefs(document, childOf(operation, "requestBody")), "content"));
  const [media] = Object.keys(content.value ?? {});
  const body = media === undefined ? undefined : childOf(childOf(content, media), "schema");
  return { description: description ?? "", parameters, body };
}

/** Measures one value after the other; what references lead to is measured once. */
function openSizes(document: SpecDocument): (at: Located) => number {
  const known = new Map<string, number>();
  const open = new Set<string>();
  let read = 0;

  function sizeOf({ value, pointer }: Located): number {
    const whole = JSON.stringify(value) ?? "";
    const text = whole.includes('"x-') ? (JSON.stringify(value, withoutExtensions) ?? "") : whole;
    let characters = text.length;
    read += characters;
    for (const [said, ref] of text.matchAll(REFERENCE)) {
      characters += targetOf(JSON.parse(ref!) as string, pointer) - said.length;
      if (characters > MOST) return MOST;
    }
    return characters;
  }

  function targetOf(ref: string, from: string): number {
    const target = faultOf(() => lookUp(document, ref, from));
    if (isFault(target) || open.has(target.pointer) || open.size > DEEPEST || read > MOST) return CUT;
    const found = known.get(target.pointer);
    if (found !== undefined) return found;
    open.add(target.pointer);
    const characters = sizeOf(target);
    open.delete(target.pointer);
    known.set(target.pointer, characters);
    return characters;
  }

  return (at) => {
    read = 0;
    return sizeOf(at);
  };
}

function withoutExtensions(name: string, value: unknown): unknown {
  return name.startsWith("x-") ? undefined : value;
}
