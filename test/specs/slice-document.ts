import { isJsonObject, type JsonObject } from "../../src/model/json.ts";
import { deref } from "./raw-document.ts";
import { listOf, type Slice, sliceBodySchema, sliceParameterSchema } from "./slice-schema.ts";

/** One request to be validated: which operation it claims to be, and what it holds. */
export interface SlicedRequest {
  /** The path template as in the document. */
  readonly path: string;
  readonly method: string;
  /** Stands before the path, so that no two operations of a slice can be taken for each other. */
  readonly prefix: string;
  readonly contentType: string | undefined;
  /** Every word in it that may be the name of a property or parameter: rather too many than one too few. */
  readonly names: readonly string[];
}

/**
 * A document of a few operations, small enough for a validator that reads documents whole. It says of these requests exactly what the whole
 * says: properties whose name stands in none of them become schemas without rules, since a rule on an absent property asks for nothing;
 * responses, examples and descriptions are left out, and defaults too, lest a validator fill in what is missing. `merged` is as of `Slice`.
 */
export function sliceDocument(document: JsonObject, requests: readonly SlicedRequest[], merged: boolean): JsonObject {
  const names = new Set(requests.flatMap((request) => request.names));
  const version = String(document["openapi"] ?? "3.0.3");
  const isOld = version.startsWith("3.0");
  const slice: Slice = { document, merged, isOld, names, schemas: new Map(), taken: new Set() };
  const paths = requests.map((request) => slicePath(request, slice));
  const components: JsonObject = {
    schemas: Object.fromEntries([...slice.schemas.values()].map(({ name, schema }) => [name, schema!])),
  };
  return {
    openapi: slice.isOld ? version : "3.1.0",
    info: { title: "slice", version: "1" },
    paths: Object.fromEntries(paths),
    components,
  };
}

function slicePath(request: SlicedRequest, slice: Slice): readonly [path: string, item: JsonObject] {
  const paths = slice.document["paths"] as JsonObject;
  const item = deref(slice.document, paths[request.path]);
  const further = isJsonObject(item["additionalOperations"]) ? item["additionalOperations"] : {};
  const operation = deref(slice.document, item[request.method.toLowerCase()] ?? further[request.method]);
  const said = [...listOf(item["parameters"]), ...listOf(operation["parameters"])].map((one) =>
    deref(slice.document, one),
  );
  const byPlace = new Map(said.map((one) => [`${one["in"]} ${one["name"]}`, one]));
  const { path, rename, parameters: fixed } = readPath(request.path);
  const parameters = [...byPlace.values()]
    .filter((one) => !isIgnored(one) && !isAbsent(one, request.names))
    .map((one) => sliceParameter(one, rename, slice));
  const body = operation["requestBody"] === undefined ? undefined : deref(slice.document, operation["requestBody"]);
  const sliced = {
    [request.method.toLowerCase()]: {
      parameters: [...parameters, ...fixed],
      ...(body !== undefined && { requestBody: sliceBody(body, request.contentType, slice) }),
      responses: { default: { description: "Any." } },
    },
  };
  return [`${request.prefix}${path}`, sliced];
}

/**
 * The validator's router knows plain names in a path only, so the names in braces are counted; a fragment is never sent (RFC 9110 7.1), and
 * a query in the path becomes parameters of one value.
 */
function readPath(template: string) {
  const [whole = ""] = template.split("#", 1);
  const [path = "", query = ""] = whole.split("?");
  const names = new Map<string, string>();
  const plain = path.replace(/\{([^{}]*)\}|[()[\]?+!*]/g, (sign, name?: string) => {
    // These mean something to the router.
    if (name === undefined) return `\\${sign}`;
    names.set(name, names.get(name) ?? `p${names.size}`);
    return `{${names.get(name)}}`;
  });
  const fixed = [...new URLSearchParams(query)].map(([name, value]) => ({
    name,
    in: "query",
    required: true,
    schema: { type: "string", enum: [value] },
  }));
  return { path: plain, rename: names, parameters: fixed };
}

/** OAS 3.0 4.7.12.1: these header parameters are ignored. */
function isIgnored({ in: place, name }: JsonObject): boolean {
  return place === "header" && ["accept", "content-type", "authorization"].includes(String(name).toLowerCase());
}

/** An optional parameter that is not sent asks for nothing; the validator takes an object with required properties for sent all the same. */
function isAbsent({ in: place, name, required, style }: JsonObject, names: readonly string[]): boolean {
  return place === "query" && required !== true && style === "deepObject" && !names.includes(String(name));
}

function sliceParameter(parameter: JsonObject, rename: ReadonlyMap<string, string>, slice: Slice): JsonObject {
  const { description: _d, example: _e, examples: _x, schema, content, ...rest } = parameter;
  const name = String(parameter["name"]);
  return {
    ...rest,
    name: parameter["in"] === "path" ? (rename.get(name) ?? name) : name,
    ...(schema !== undefined && { schema: sliceParameterSchema(schema, slice) }),
    ...(isJsonObject(content) && { content: sliceContent(content, undefined, slice) }),
  };
}

function sliceBody(body: JsonObject, contentType: string | undefined, slice: Slice): JsonObject {
  const content = isJsonObject(body["content"]) ? body["content"] : {};
  return { required: body["required"] ?? false, content: sliceContent(content, contentType, slice) };
}

/** Only what is said of the media type that was sent; the others keep their names. */
function sliceContent(content: JsonObject, sent: string | undefined, slice: Slice): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, said]) => {
      const media = deref(slice.document, said);
      const isSent = sent === undefined || type.includes("*") || essence(type) === essence(sent);
      const { schema, encoding } = media;
      return [
        type,
        {
          ...(isSent && schema !== undefined && { schema: sliceBodySchema(schema, slice) }),
          ...(isSent && encoding !== undefined && { encoding }),
        },
      ];
    }),
  );
}

export function essence(mediaType: string): string {
  return mediaType.split(";", 1)[0]!.trim().toLowerCase();
}
