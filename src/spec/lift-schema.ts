import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Schema } from "../model/schema.ts";
import { liftDialect } from "./lift-dialect.ts";
import type { SpecVersion } from "./read-document.ts";
import { pointerTo, refOf } from "./resolve-ref.ts";
import { KEYWORDS, type Keyword } from "./schema-keywords.ts";

/** Lifts schemas of one document; each raw object is lifted once, so that shared ones (YAML aliases) stay shared. */
export interface SchemaLift {
  /** `pointer` is where the schema stands. A `$ref` is kept, not followed; what is no schema at all accepts anything. */
  lift(value: Json | undefined, pointer: string): Schema;
  /** Where a lifted schema with `$ref` stands. */
  placeOf(schema: Schema): string | undefined;
}

const ANYTHING: Schema = {};
const NOTHING: Schema = { not: {} };

export function createLift(version: SpecVersion): SchemaLift {
  const lifted = new WeakMap<object, Schema>();
  const places = new WeakMap<object, string>();
  const refHasSiblings = version === "3.1" || version === "3.2";

  function lift(value: Json | undefined, pointer: string): Schema {
    if (value === false) return NOTHING;
    if (!isJsonObject(value)) return ANYTHING;
    const known = lifted.get(value);
    if (known !== undefined) return known;
    const schema =
      refOf(value) === undefined ? liftDialect(value, liftKeywords(value, pointer)) : liftRef(value, pointer);
    lifted.set(value, schema);
    return schema;
  }

  function liftRef(value: JsonObject, pointer: string): Schema {
    const { $ref, ...siblings } = value;
    const { description } = siblings;
    // OAS 3.0 4.8.23.1 has siblings ignored; a description is kept all the same, it cannot do harm.
    const beside = refHasSiblings
      ? liftDialect(siblings, liftKeywords(siblings, pointer))
      : typeof description === "string"
        ? { description }
        : {};
    const schema = { ...beside, $ref: $ref as string };
    places.set(schema, pointer);
    return schema;
  }

  function liftKeywords(value: JsonObject, pointer: string): Schema {
    const entries: [string, unknown][] = [];
    for (const [name, raw] of Object.entries(value)) {
      const keyword = KEYWORDS.get(name) ?? (name.startsWith("x-") ? "stripped" : "unknown");
      // Draft 4's list of item schemas by position is `prefixItems` since 2020-12 (10.3.1.1).
      const isTuple = name === "items" && Array.isArray(raw);
      const content = liftKeyword(isTuple ? "schemas" : keyword, raw, pointerTo(pointer, name));
      if (content !== undefined) entries.push([isTuple ? "prefixItems" : name, content]);
    }
    return Object.fromEntries(entries) as Schema;
  }

  function liftKeyword(keyword: Keyword, raw: Json, pointer: string): unknown {
    switch (keyword) {
      case "text":
        return typeof raw === "string" ? raw : undefined;
      case "number":
        return typeof raw === "number" && Number.isFinite(raw) ? raw : undefined;
      case "flag":
        return typeof raw === "boolean" ? raw : undefined;
      case "schema":
        return isJsonObject(raw) || typeof raw === "boolean" ? lift(raw, pointer) : undefined;
      case "schemas":
        return Array.isArray(raw) && raw.length > 0
          ? raw.map((item, index) => lift(item, pointerTo(pointer, index)))
          : undefined;
      case "named schemas":
        if (!isJsonObject(raw)) return undefined;
        return Object.fromEntries(
          Object.entries(raw).map(([name, item]) => [name, lift(item, pointerTo(pointer, name))]),
        );
      case "names":
        return Array.isArray(raw) ? raw.filter((name) => typeof name === "string") : undefined;
      case "list":
        return Array.isArray(raw) && raw.length > 0 ? raw : undefined;
      case "data":
      case "unknown":
        return raw;
      case "stripped":
        return undefined;
      default:
        return keyword satisfies never;
    }
  }

  return { lift, placeOf: (schema) => places.get(schema) };
}
