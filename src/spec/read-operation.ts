import { isFault, type Operation, type RequestBody, type Response } from "../model/api.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { BrokenSpec, faultOf } from "./broken-spec.ts";
import type { IndexedOperation } from "./index-operations.ts";
import { childOf, type Located } from "./locate.ts";
import { mergeParameters } from "./merge-parameters.ts";
import { readContent } from "./read-content.ts";
import { isTrue, textOf } from "./read-field.ts";
import { readParameters } from "./read-parameters.ts";
import { readSecurity } from "./read-security.ts";
import { readServers } from "./read-servers.ts";
import { readFormOrBody, readResponseContent20 } from "./read-swagger-body.ts";
import { followRefs } from "./resolve-ref.ts";
import { mustResolve } from "./resolve-schema.ts";
import type { SpecContext } from "./spec-context.ts";

/**
 * Lifts one operation. Throws BrokenSpec where what it takes or what it answers on success does not resolve; a deeper schema
 * shows its fault when it is resolved.
 */
export function readOperation(context: SpecContext, indexed: IndexedOperation): Operation {
  const { document } = context;
  const operation = mustBeObject(followRefs(document, indexed.operation), "operation");
  const items = indexed.items.flatMap(({ value }) => (isJsonObject(value) ? [value] : []));
  const merged = mergeParameters(document, ...indexed.items.toReversed(), operation);
  const body =
    document.version === "2.0"
      ? readFormOrBody(context, merged, operation.value)
      : readBody(context, childOf(operation, "requestBody"));
  const description = [operation.value, ...items].map((layer) => textOf(layer, "description")).find(Boolean);
  return {
    ...indexed.entry,
    ...(description !== undefined && { description }),
    servers: readServers(document, [operation.value, ...items]),
    parameters: readParameters(context, merged, indexed.entry.path),
    ...(body !== undefined && { body }),
    responses: readResponses(context, operation),
    security: readSecurity(document, [operation, { value: document.root, pointer: "#" }]),
  };
}

type LocatedObject = Located & { readonly value: JsonObject };

function mustBeObject(at: Located, what: string): LocatedObject {
  if (isJsonObject(at.value)) return { value: at.value, pointer: at.pointer };
  throw new BrokenSpec(`The ${what} is not an object.`, at.pointer);
}

function readBody(context: SpecContext, stated: Located): RequestBody | undefined {
  if (stated.value === undefined || stated.value === null) return undefined;
  const { value, pointer } = mustBeObject(followRefs(context.document, stated), "request body");
  const content = readContent(context, childOf({ value, pointer }, "content"));
  if (content.length === 0) return undefined;
  for (const { schema } of content) if (schema !== undefined) mustResolve(context.resolve, schema);
  const description = textOf(value, "description");
  return { required: isTrue(value, "required"), ...(description !== undefined && { description }), content };
}

function readResponses(context: SpecContext, operation: LocatedObject): Response[] {
  const responses = followRefs(context.document, childOf(operation, "responses"));
  const stated = isJsonObject(responses.value)
    ? Object.keys(responses.value).filter((status) => !status.startsWith("x-"))
    : [];
  const successes = stated.filter((status) => status.startsWith("2"));
  const needed = new Set(successes.length > 0 ? successes : ["default"]);
  return stated.flatMap((status) => {
    const response = faultOf(() => readResponse(context, operation.value, status, childOf(responses, status)));
    if (!isFault(response)) return [response];
    // A failure that is described wrongly is no reason to lose the operation; it is then not described.
    if (needed.has(status)) throw new BrokenSpec(response.fault, response.pointer);
    return [];
  });
}

function readResponse(context: SpecContext, operation: JsonObject, status: string, stated: Located): Response {
  const { value, pointer } = mustBeObject(followRefs(context.document, stated), "response");
  const located = { value, pointer };
  const isOld = context.document.version === "2.0";
  const content = isOld
    ? readResponseContent20(context, located, operation)
    : readContent(context, childOf(located, "content"));
  for (const { schema } of content) if (schema !== undefined) mustResolve(context.resolve, schema);
  const code = /^[1-5]xx$/.test(status) ? status.toUpperCase() : status;
  return { status: code, description: textOf(value, "description") ?? "", content };
}
