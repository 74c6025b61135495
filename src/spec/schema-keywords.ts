/** What a keyword's value must be; one that is something else is left out. */
export type Keyword =
  | "text"
  | "number"
  | "flag"
  | "schema"
  | "schemas"
  | "named schemas"
  | "names"
  | "named names"
  | "list"
  | "data"
  | "stripped"
  | "unknown";

const BY_KIND: Readonly<Record<Exclude<Keyword, "unknown">, readonly string[]>> = {
  text: ["title", "description", "format", "pattern", "contentMediaType", "contentEncoding"],
  number: [
    ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
    ...["minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"],
  ],
  flag: ["deprecated", "readOnly", "writeOnly", "uniqueItems"],
  schema: [
    ...["items", "additionalProperties", "propertyNames", "not", "if", "then", "else", "contains"],
    ...["unevaluatedItems", "unevaluatedProperties", "contentSchema"],
  ],
  schemas: ["allOf", "anyOf", "oneOf", "prefixItems"],
  "named schemas": ["properties", "patternProperties", "dependentSchemas"],
  names: ["required"],
  "named names": ["dependentRequired"],
  list: ["enum", "examples"],
  data: ["const", "default"],
  // Of no use to a caller, met only through `$ref`, or said anew by the lift of the dialect.
  stripped: [
    ...[
      "$ref",
      "$id",
      "id",
      "$schema",
      "$anchor",
      "$dynamicAnchor",
      "$dynamicRef",
      "$vocabulary",
      "$comment",
      "$defs",
      "definitions",
    ],
    ...["type", "nullable", "example", "discriminator", "xml", "externalDocs", "collectionFormat"],
  ],
};

/** By name; a name that is not here is unknown. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries(BY_KIND).flatMap(([kind, names]) => names.map((name) => [name, kind as Keyword] as const)),
);
