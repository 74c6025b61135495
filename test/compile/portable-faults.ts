import { isJsonObject } from "../../src/model/json.ts";

const KEYWORDS = new Set([
  "type",
  "description",
  "properties",
  "required",
  "items",
  "enum",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
  "default",
]);
const TYPES = new Set(["string", "integer", "number", "boolean", "array", "object"]);
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
/** Which keywords go with which types; the rest go with all. */
const OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  properties: ["object"],
  required: ["object"],
  items: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  enum: ["string"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  minimum: ["integer", "number"],
  maximum: ["integer", "number"],
};

/** What an input schema holds that not every client takes (contract section 2, the portable subset); empty where it is fine. */
export function portableFaults(schema: unknown, path = "#"): string[] {
  if (!isJsonObject(schema)) return [`${path}: no schema`];
  const type = schema.type;
  if (typeof type !== "string" || !TYPES.has(type)) return [`${path}: type ${JSON.stringify(type)}`];
  const faults = Object.entries(schema).flatMap(([keyword, value]) => {
    if (!KEYWORDS.has(keyword)) return [`${path}: ${keyword}`];
    const types = OF_TYPE[keyword];
    if (types !== undefined && !types.includes(type)) return [`${path}: ${keyword} on ${type}`];
    return keywordFaults(keyword, value, schema, path);
  });
  if (type === "array" && schema.items === undefined) faults.push(`${path}: an array without items`);
  if (type === "object" && schema.properties === undefined) faults.push(`${path}: an object without properties`);
  return faults;
}

function keywordFaults(
  keyword: string,
  value: unknown,
  schema: Readonly<Record<string, unknown>>,
  path: string,
): string[] {
  switch (keyword) {
    case "properties":
      return Object.entries(value as object).flatMap(([name, inner]) => [
        ...(NAME.test(name) ? [] : [`${path}: the name ${name}`]),
        ...portableFaults(inner, `${path}/${name}`),
      ]);
    case "items":
      return portableFaults(value, `${path}/items`);
    case "required": {
      const names = Object.keys((schema.properties ?? {}) as object);
      const list = value as string[];
      return list.length === 0 || new Set(list).size !== list.length || list.some((name) => !names.includes(name))
        ? [`${path}: required ${JSON.stringify(value)}`]
        : [];
    }
    case "enum":
      return (value as unknown[]).length > 0 &&
        (value as unknown[]).every((one) => typeof one === "string" && one !== "")
        ? []
        : [`${path}: enum ${JSON.stringify(value)}`];
    case "description":
      return typeof value === "string" && value !== "" && value.length <= 1024 ? [] : [`${path}: description`];
    case "pattern":
      try {
        new RegExp(value as string, "u");
        return [];
      } catch {
        return [`${path}: pattern ${value}`];
      }
    default:
      return [];
  }
}
