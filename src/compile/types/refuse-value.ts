import { isJsonObject, type Json } from "../../model/json.ts";
import type { Bounds, ValueType } from "../../model/value.ts";

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** What a literal must be to be given where a caller writes a value of this type, as in "a whole number"; undefined where it is that. */
export function refuseValue(value: Json, type: ValueType): string | undefined {
  if (value === null) return type.nullable === true ? undefined : `${nounOf(type)}, not null`;
  if (value === "" && type.empty === true) return undefined;
  switch (type.kind) {
    case "string":
      if (typeof value !== "string") return "a text";
      return outside(value.length, type.minLength, type.maxLength, "characters");
    case "integer":
      if (type.digits === true && typeof value === "string") return /^-?\d+$/.test(value) ? undefined : "digits";
      return typeof value === "number" && Number.isInteger(value) ? outsideBounds(value, type) : "a whole number";
    case "number":
      return typeof value === "number" ? outsideBounds(value, type) : "a number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "enum":
      return type.values.some(({ text }) => text === value)
        ? undefined
        : `one of ${type.values.map(({ text }) => text).join(", ")}`;
    case "date":
      return typeof value === "string" && DATE.test(value)
        ? undefined
        : "a date, YYYY-MM-DD, or words such as 30 days ago";
    case "date-time":
      if (typeof value === "string" && (DATE.test(value) || DATE_TIME.test(value))) return undefined;
      return "an RFC 3339 date-time or date, or words such as 30 days ago";
    case "array": {
      if (!Array.isArray(value)) return "a list";
      const item = value.map((one: Json) => refuseValue(one, type.items)).find((fault) => fault !== undefined);
      return item === undefined ? outside(value.length, type.minItems, type.maxItems, "items") : `a list of ${item}`;
    }
    case "object":
      return isJsonObject(value) ? refuseObject(value, type) : "an object";
    case "map":
      return Array.isArray(value) || isJsonObject(value) ? undefined : "a list of key and value";
    case "json":
      return undefined;
    default:
      return type satisfies never;
  }
}

function nounOf(type: ValueType): string {
  return type.kind === "enum" ? "one of its values" : `${/^[aeiou]/.test(type.kind) ? "an" : "a"} ${type.kind}`;
}

function refuseObject(value: Readonly<Record<string, Json>>, type: ValueType & { kind: "object" }): string | undefined {
  const unknown = Object.keys(value).find((name) => !type.properties.some((one) => one.name === name));
  if (unknown !== undefined && type.others === undefined) return `an object without \`${unknown}\``;
  const missing = type.properties.find((one) => one.required && !Object.hasOwn(value, one.name));
  if (missing !== undefined) return `an object with \`${missing.name}\``;
  const wrong = type.properties.find(
    (one) => Object.hasOwn(value, one.name) && refuseValue(value[one.name]!, one.type),
  );
  return wrong === undefined
    ? undefined
    : `an object whose \`${wrong.name}\` is ${refuseValue(value[wrong.name]!, wrong.type)}`;
}

function outside(
  length: number,
  least: number | undefined,
  most: number | undefined,
  unit: string,
): string | undefined {
  if (least !== undefined && length < least) return `of at least ${least} ${unit}`;
  return most !== undefined && length > most ? `of at most ${most} ${unit}` : undefined;
}

function outsideBounds(value: number, bounds: Bounds): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (minimum !== undefined && value < minimum) return `at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `more than ${exclusiveMinimum}`;
  return exclusiveMaximum !== undefined && value >= exclusiveMaximum ? `less than ${exclusiveMaximum}` : undefined;
}
