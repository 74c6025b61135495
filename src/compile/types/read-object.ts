import type { Json } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import type { PropertyType, ValueType } from "../../model/value.ts";
import { type FlatSchema, flattenSchema, type Spot } from "./flatten-schema.ts";
import { isNever } from "./is-never.ts";
import { portableNames } from "./portable-name.ts";
import { isEnforceable } from "./read-pattern.ts";
import type { Extent, TypeReader } from "./type-reader.ts";

/** Reads what stands inside the object. */
type Read = (spot: Spot, reader: TypeReader, extent: Extent) => { readonly type: ValueType };

/** An object as its properties; a map where the spec names none but says what the values are; else JSON as text. */
export function readObject(flat: FlatSchema, reader: TypeReader, extent: Extent, read: Read): ValueType {
  const wires = settableProperties(flat, reader);
  if (Object.keys(flat.own.properties ?? {}).length === 0) return readMap(flat, reader, extent, read);
  const names = portableNames(wires.map(({ wire }) => wire));
  const opened = wires.filter(({ child }) => isNested(child)).length;
  const share = Math.floor((extent.nodes - wires.length) / Math.max(opened, 1));
  const properties = wires.map(({ wire, schema, child }, at): PropertyType => {
    const { type } = read({ schema, trail: flat.trail }, reader, { depth: extent.depth, nodes: share });
    const isNeeded = flat.own.required?.includes(wire) ?? false;
    const fallback = isNeeded ? fallbackOf(type, child) : undefined;
    const required = isNeeded && fallback === undefined;
    return { name: names[at]!, wire, required, type, ...(fallback !== undefined && { fallback }) };
  });
  const others = readOthers(flat, reader, { depth: extent.depth, nodes: share }, read);
  return { kind: "object", properties, ...others };
}

/** What a needed property has where nobody gives it: the spec's default, or the one value that it may have. */
function fallbackOf(type: ValueType, { own, unions }: FlatSchema): Json | undefined {
  const isOne = unions.length === 0 && (own.const !== undefined || own.enum?.length === 1);
  return type.preset ?? (isOne && type.kind === "enum" ? type.values[0]?.text : undefined);
}

interface Settable {
  readonly wire: string;
  readonly schema: Schema;
  readonly child: FlatSchema;
}

/** Without what only the upstream sets (readOnly), what can hold no value, and what is pinned. */
function settableProperties(flat: FlatSchema, reader: TypeReader): Settable[] {
  return Object.entries(flat.own.properties ?? {}).flatMap(([wire, schema]) => {
    const child = flattenSchema({ schema, trail: flat.trail }, reader);
    const isOut = child.own.readOnly === true || isNever(child.own) || reader.pinned.has(wire.toLowerCase());
    return isOut ? [] : [{ wire, schema, child }];
  });
}

function isNested(child: FlatSchema): boolean {
  return child.unions.length > 0 || child.types.some((type) => type === "object" || type === "array");
}

type Others = Pick<ValueType & { readonly kind: "object" }, "others" | "names">;

/** What the spec says of further properties; where it says nothing of them, what nobody asked for is not sent. */
function readOthers(flat: FlatSchema, reader: TypeReader, extent: Extent, read: Read): Others {
  const { additionalProperties: stated, patternProperties } = flat.own;
  const schema = stated === undefined || isNever(stated) ? patternSchema(patternProperties) : stated;
  if (schema === undefined) return {};
  return { others: read({ schema, trail: flat.trail }, reader, extent).type, ...namesOf(flat.own) };
}

function readMap(flat: FlatSchema, reader: TypeReader, extent: Extent, read: Read): ValueType {
  const values = [flat.own.additionalProperties, patternSchema(flat.own.patternProperties)].find(
    (schema) => schema !== undefined && !isNever(schema) && Object.keys(schema).length > 0,
  );
  if (values === undefined) return { kind: "json", description: "A JSON object, as text." };
  return {
    kind: "map",
    values: read({ schema: values, trail: flat.trail }, reader, extent).type,
    ...namesOf(flat.own),
  };
}

function patternSchema(patternProperties: Schema["patternProperties"]): Schema | undefined {
  const schemas = Object.values(patternProperties ?? {}).filter((schema) => !isNever(schema));
  return schemas.length > 1 ? { anyOf: schemas } : schemas[0];
}

/** The names that further properties may have: those of the patterns where there are no others, and what is said of all names. */
function namesOf({ additionalProperties, patternProperties, propertyNames }: Schema): Pick<Others, "names"> {
  const isClosed = additionalProperties !== undefined && isNever(additionalProperties);
  const patterns = isClosed ? Object.keys(patternProperties ?? {}) : [];
  const { pattern, enum: listed } = propertyNames ?? {};
  const all = patterns.length > 0 ? patterns : pattern !== undefined ? [pattern] : (listed ?? []).map(exactly);
  if (all.length === 0 || !all.every(isEnforceable)) return {};
  return { names: all.length === 1 ? all[0]! : all.map((one) => `(?:${one})`).join("|") };
}

function exactly(name: Json): string {
  return `^${String(name).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}
