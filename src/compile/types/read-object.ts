import type { Schema } from "../../model/schema.ts";
import type { PropertyType, ValueType } from "../../model/value.ts";
import { type FlatSchema, flattenSchema, isNever, type Spot } from "./flatten-schema.ts";
import { portableNames } from "./portable-name.ts";
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
  const properties = wires.map(
    ({ wire, schema }, at): PropertyType => ({
      name: names[at]!,
      wire,
      required: flat.own.required?.includes(wire) ?? false,
      type: read({ schema, trail: flat.trail }, reader, { depth: extent.depth, nodes: share }).type,
    }),
  );
  const others = readOthers(flat, reader, { depth: extent.depth, nodes: share }, read);
  return { kind: "object", properties, ...(others !== undefined && { others }) };
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

/** What the spec says of further properties; where it says nothing of them, what nobody asked for is not sent. */
function readOthers(flat: FlatSchema, reader: TypeReader, extent: Extent, read: Read): ValueType | undefined {
  const { additionalProperties: stated, patternProperties } = flat.own;
  const [pattern] = Object.values(patternProperties ?? {});
  const schema = stated ?? pattern;
  if (schema === undefined || isNever(schema)) return undefined;
  return read({ schema, trail: flat.trail }, reader, extent).type;
}

function readMap(flat: FlatSchema, reader: TypeReader, extent: Extent, read: Read): ValueType {
  const [pattern] = Object.values(flat.own.patternProperties ?? {});
  const values = [flat.own.additionalProperties, pattern].find(
    (schema) => schema !== undefined && !isNever(schema) && Object.keys(schema).length > 0,
  );
  if (values === undefined) return { kind: "json", description: "A JSON object, as text." };
  return { kind: "map", values: read({ schema: values, trail: flat.trail }, reader, extent).type };
}
