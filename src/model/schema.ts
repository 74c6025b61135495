import type { Json } from "./json.ts";

/**
 * A JSON Schema of dialect 2020-12, as every spec version is lifted to. `$ref` may stand anywhere: `Api.resolve` follows it.
 * `true` and `false` are lifted to `{}` and `{ not: {} }`. Unknown keywords are kept under their name but never relied on.
 */
export interface Schema {
  readonly $ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly contentEncoding?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly dependentSchemas?: Readonly<Record<string, Schema>>;
  readonly discriminator?: Discriminator;
}

export type SchemaType = "string" | "integer" | "number" | "boolean" | "array" | "object" | "null";

/** OpenAPI's own keyword; `mapping` values are references, resolvable by `Api.resolve({ $ref })`. */
export interface Discriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
  /** OAS 3.2: the schema of values whose property is absent or unknown. */
  readonly defaultMapping?: string;
}

/**
 * The portable subset (contract section 2): all that a tool's advertised schema may hold. A cell that may be null declares no type
 * (output schemas only).
 */
export interface PortableSchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, PortableSchema>>;
  readonly required?: readonly string[];
  readonly items?: PortableSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: Json;
  readonly format?: "date-time";
}
