import { readFileSync } from "node:fs";
import { join } from "node:path";

export type DataType = "string" | "decimal" | "date-time" | "boolean" | "json";

export interface Field {
  /** The exact name that callers use, for example `FOCUS/ServiceName`. */
  readonly name: string;
  readonly provider: string;
  /** The part of the name after the provider. */
  readonly shortName: string;
  readonly dataType: DataType;
  readonly category: string;
  readonly summary: string;
  /** The definition, where the catalogue has one. */
  readonly definition: string | undefined;
  /** Where the provider publishes it. */
  readonly source: string;
  /** The SQL expression of the field's value, made of known names only. */
  readonly sql: string;
  /** False for money and quantities, which are summed, and for whole objects. */
  readonly groupable: boolean;
}

/** All fields by name, in catalogue order: a Map, since strangers send the names. */
export type Catalogue = ReadonlyMap<string, Field>;

interface Section {
  readonly source: string;
  readonly fields: readonly string[];
}

/** Reads `fields.json`, whose lines are `name|type|category|summary|definition`. */
export function readCatalogue(dataFolder: string): Catalogue {
  const sections = JSON.parse(readFileSync(join(dataFolder, "fields.json"), "utf8")) as Record<string, Section>;
  const fields = Object.entries(sections).flatMap(([provider, section]) =>
    section.fields.map((line) => readField(provider, section.source, line)),
  );
  return new Map(fields.map((field) => [field.name, field]));
}

function readField(provider: string, source: string, line: string): Field {
  const [shortName = "", type = "string", category = "", summary = "", definition] = line.split("|");
  const dataType = type as DataType;
  const name = `${provider}/${shortName}`;
  return {
    name,
    provider,
    shortName,
    dataType,
    category,
    summary,
    definition,
    source,
    sql: writeExpression(provider, shortName, dataType),
    groupable: dataType !== "decimal" && dataType !== "json",
  };
}

const SQL_TYPES: Record<DataType, string> = {
  string: "VARCHAR",
  decimal: "DECIMAL(28,12)",
  "date-time": "TIMESTAMP",
  boolean: "BOOLEAN",
  json: "VARCHAR",
};

export const sqlTypeOf = (dataType: DataType): string => SQL_TYPES[dataType];

function writeExpression(provider: string, shortName: string, dataType: DataType): string {
  if (provider === "FOCUS" && shortName === "Tags") return "CAST(to_json(TagMap) AS VARCHAR)";
  if (provider === "FOCUS") return `"${shortName}"`;
  const map = provider === "Tags" ? "TagMap" : "Details";
  const key = provider === "Tags" ? shortName : `${provider}/${shortName}`;
  const text = `${map}['${key.replaceAll("'", "''")}']`;
  return dataType === "string" ? text : `TRY_CAST(${text} AS ${SQL_TYPES[dataType]})`;
}
