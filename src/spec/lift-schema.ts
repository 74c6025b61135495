import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Schema } from "../model/schema.ts";
import { isChosenOnTheWay } from "./identify-schemas.ts";
import { liftDialect } from "./lift-dialect.ts";
import { liftDiscriminator } from "./lift-discriminator.ts";
import { pointerTo } from "./locate.ts";
import type { SpecDocument } from "./read-document.ts";
import { textOf } from "./read-field.ts";
import { canonicalRef, followRefs, refOf } from "./resolve-ref.ts";
import { KEYWORDS, type Keyword } from "./schema-keywords.ts";
import { spelledAsMeant } from "./spelled-as-meant.ts";

/** Lifts the schemas of a spec; each raw object is lifted once, so that shared ones (YAML aliases) stay shared. */
export interface SchemaLift {
  /** `pointer` is where the schema stands. A `$ref` is not followed, but written so that it means the same anywhere in the spec; what is no schema at all accepts anything. */
  lift(value: Json | undefined, pointer: string): Schema;
  /** Where a lifted schema with `$ref` stands. */
  placeOf(schema: Schema): string | undefined;
}

const ANYTHING: Schema = {};
const NOTHING: Schema = { not: {} };

/** `subtypesOf` as of `Api`. */
export function createLift(document: SpecDocument, subtypesOf: (pointer: string) => readonly string[]): SchemaLift {
  const lifted = new WeakMap<object, Schema>();
  const places = new WeakMap<object, string>();
  const refHasSiblings = document.version === "3.1" || document.version === "3.2";

  function lift(value: Json | undefined, pointer: string): Schema {
    if (value === false) return NOTHING;
    if (!isJsonObject(value)) return ANYTHING;
    const known = lifted.get(value);
    if (known !== undefined) return known;
    const ref = refOf(value) ?? (refHasSiblings ? dynamicRefOf(value, pointer) : undefined);
    const schema = ref === undefined ? liftPlain(value, pointer) : liftRef(ref, value, pointer);
    lifted.set(value, schema);
    return schema;
  }

  function liftPlain(value: JsonObject, pointer: string): Schema {
    const schema = liftDialect(value, liftKeywords(value, pointer));
    if (schema.discriminator === undefined) return schema;
    return { ...schema, discriminator: liftDiscriminator(schema.discriminator, pointer, document, subtypesOf) };
  }

  // One that may lead to several schemas says nothing of its value: none of them may be refused.
  function dynamicRefOf(value: JsonObject, pointer: string): string | undefined {
    const ref = textOf(value, "$dynamicRef");
    return ref !== undefined && isChosenOnTheWay(document, ref, pointer) ? undefined : ref;
  }

  function liftRef(ref: string, value: JsonObject, pointer: string): Schema {
    const { $ref: _, ...siblings } = value;
    const { description } = siblings;
    // OAS 3.0 4.8.23.1 has siblings ignored; a description is kept all the same, it cannot do harm.
    const beside = refHasSiblings
      ? liftDialect(siblings, liftKeywords(siblings, pointer))
      : typeof description === "string"
        ? { description }
        : {};
    const schema = { ...beside, $ref: canonicalRef(document, ref, pointer) };
    places.set(schema, pointer);
    return schema;
  }

  function liftKeywords(value: JsonObject, pointer: string): Schema {
    const entries: [string, unknown][] = [];
    for (const [name, raw] of Object.entries(value)) {
      const keyword = KEYWORDS.get(name) ?? (name.startsWith("x-") ? "stripped" : "unknown");
      // Draft 4's list of item schemas by position is `prefixItems` since 2020-12 (10.3.1.1).
      const isTuple = name === "items" && Array.isArray(raw);
      const data = keyword === "list" || keyword === "data" ? spelledAsMeant(value, name, raw) : raw;
      const content = liftKeyword(isTuple ? "schemas" : keyword, data, pointer, name);
      if (content !== undefined) entries.push([isTuple ? "prefixItems" : name, content]);
    }
    return Object.fromEntries(entries) as Schema;
  }

  function liftKeyword(keyword: Keyword, raw: Json, parent: string, name: string): unknown {
    switch (keyword) {
      case "text":
        return typeof raw === "string" ? raw : undefined;
      case "number":
        return typeof raw === "number" && Number.isFinite(raw) ? raw : undefined;
      case "flag":
        return typeof raw === "boolean" ? raw : undefined;
      case "schema":
        return isJsonObject(raw) || typeof raw === "boolean" ? lift(raw, pointerTo(parent, name)) : undefined;
      case "schemas":
        return Array.isArray(raw) && raw.length > 0 ? liftEach(raw, pointerTo(parent, name)) : undefined;
      case "named schemas":
        return liftNamed(raw, pointerTo(parent, name));
      case "names":
        return liftNames(raw);
      case "named names":
        return isJsonObject(raw)
          ? Object.fromEntries(Object.entries(raw).map(([name, names]) => [name, liftNames(names) ?? []]))
          : undefined;
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

  function liftEach(list: readonly Json[], pointer: string): readonly Schema[] {
    return list.map((item, index) => lift(item, pointerTo(pointer, index)));
  }

  // A schema is never a text, so a text under `$ref` here is no property of that name: some authors keep a whole map elsewhere.
  function liftNamed(raw: Json, pointer: string): Readonly<Record<string, Schema>> | undefined {
    if (!isJsonObject(raw)) return undefined;
    const { value, pointer: at } = followRefs(document, { value: raw, pointer });
    if (!isJsonObject(value)) return undefined;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, lift(item, pointerTo(at, name))]));
  }

  return { lift, placeOf: (schema) => places.get(schema) };
}

function liftNames(raw: Json): readonly string[] | undefined {
  return Array.isArray(raw) ? raw.filter((name) => typeof name === "string") : undefined;
}
