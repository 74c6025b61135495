import { isJsonObject, type Json } from "../../../src/model/json.ts";
import type { ValueType } from "../../../src/model/value.ts";

/** A value that the spec allows and a caller has no way to write: a finding. */
export class Inexpressible extends Error {}

/** How a caller writes a value so that the upstream gets exactly `wire`. */
export function callerForm(type: ValueType, wire: Json, path = ""): Json {
  if (wire === null) {
    if (type.nullable === true || type.kind === "json")
      return type.kind === "json" && type.texts === undefined ? "null" : null;
    throw new Inexpressible(`${path}: null for ${type.kind}`);
  }
  switch (type.kind) {
    case "enum": {
      const value = type.values.find((one) => JSON.stringify(one.wire) === JSON.stringify(wire));
      if (value === undefined) throw new Inexpressible(`${path}: ${JSON.stringify(wire)} is not in the enum`);
      return value.text;
    }
    case "array":
      if (!Array.isArray(wire)) throw unlike(type, wire, path);
      return wire.map((item: Json, at) => callerForm(type.items, item, `${path}[${at}]`));
    case "object": {
      if (!isJsonObject(wire)) throw unlike(type, wire, path);
      return Object.fromEntries(
        Object.entries(wire).map(([name, value]) => {
          const property = type.properties.find((one) => one.wire === name);
          if (property === undefined && type.others !== undefined)
            return [name, callerForm(type.others, value, `${path}.${name}`)];
          if (property === undefined) throw new Inexpressible(`${path}: no property ${name}`);
          return [property.name, callerForm(property.type, value, `${path}.${name}`)];
        }),
      );
    }
    case "map":
      if (!isJsonObject(wire)) throw unlike(type, wire, path);
      return Object.entries(wire).map(([key, value]) => ({
        key,
        value: callerForm(type.values, value, `${path}.${key}`),
      }));
    case "json":
      // Where texts are taken, one is given as it is, and a number would stay a text.
      return type.texts !== undefined && typeof wire !== "object" ? wire : JSON.stringify(wire);
    case "integer":
      if (typeof wire !== "number") throw unlike(type, wire, path);
      return type.digits === true ? String(wire) : wire;
    case "number":
    case "boolean":
      if (typeof wire !== type.kind) throw unlike(type, wire, path);
      return wire;
    case "string":
    case "date":
    case "date-time":
      if (typeof wire !== "string") throw unlike(type, wire, path);
      return wire;
    default:
      return type satisfies never;
  }
}

function unlike(type: ValueType, wire: Json, path: string): Inexpressible {
  return new Inexpressible(`${path}: ${Array.isArray(wire) ? "a list" : `a ${typeof wire}`} for ${type.kind}`);
}
