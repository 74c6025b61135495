import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { curationJsonSchema } from "../../src/curation/print-schema.ts";
import { writeTable } from "../setup/write-table.ts";

// docs/reference.md is made from the schema that validates curations: `npx vitest run test/curation/reference-page.test.ts -u` writes it anew.

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const FILE = curationJsonSchema() as Schema & { readonly $defs: Readonly<Record<string, Schema>> };
const DEFS = new Map(Object.entries(FILE.$defs));
const PATH = join(import.meta.dirname, "../../docs/reference.md");

const idOf = ({ $ref }: Schema): string | undefined => $ref?.replace("#/$defs/", "");
const choicesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] =>
  (anyOf ?? oneOf ?? []).filter((one) => one.type || one.$ref || one.anyOf || one.oneOf);
/** The objects that a value may be, right there or in a list. */
function objectsOf(schema: Schema): readonly Schema[] {
  if (schema.properties !== undefined) return [schema];
  if (schema.items !== undefined) return objectsOf(schema.items);
  return choicesOf(schema).flatMap(objectsOf);
}
/** Kinds with keys have a section of their own, the others a row. */
const hasKeys = (schema: Schema): boolean => objectsOf(schema).length > 0;

function typeOf(schema: Schema): string {
  const id = idOf(schema);
  if (id !== undefined) return `[${id}](#${hasKeys(DEFS.get(id)!) ? id.toLowerCase() : "kinds-of-values"})`;
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${String(one)}\``).join(", ");
  const choices = choicesOf(schema);
  if (choices.length > 0) return [...new Set(choices.map((one) => typeOf(one)))].join(" or ");
  if (schema.items !== undefined) return listOf(schema.items);
  if (schema.properties !== undefined) return "a mapping";
  if (typeof schema.additionalProperties === "object") return mapOf(schema.additionalProperties);
  return [schema.type ?? []]
    .flat()
    .map((type) => `${WORDS.get(type) ?? type}${boundsOf(schema)}`)
    .join(" or ");
}
const WORDS = new Map([
  ["string", "a text"],
  ["integer", "a whole number"],
  ["number", "a number"],
  ["boolean", "true/false"],
  ["null", "nothing"],
  ["object", "a mapping"],
  ["array", "a list"],
]);
function listOf(items: Schema): string {
  if (Object.keys(items).length === 0) return "a list";
  return items.properties === undefined ? `a list of ${typeOf(items)}` : "a list of mappings";
}
function mapOf(values: Schema): string {
  return Object.keys(values).length === 0 ? "a mapping" : `a mapping of names to ${typeOf(values)}`;
}
function boundsOf({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return ` (${minimum} to ${maximum})`;
  return minimum === undefined || minimum < 1 ? "" : ` (${minimum} or more)`;
}

/** A row a key; what a key holds of no name follows as `key.inner`, or `key[].inner` in a list. */
function rowsOf({ properties = {}, required = [] }: Schema, before = ""): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${before}${name}`;
    const standard = schema.default === undefined ? "" : `\`${String(schema.default)}\``;
    const row = [
      `\`${key}\``,
      typeOf(schema),
      required.includes(name) ? "required" : standard,
      schema.description ?? "",
    ];
    return [row, ...innerOf(schema).flatMap(([inside, step]) => rowsOf(inside, `${key}${step}`))];
  });
}
function innerOf(schema: Schema, step = "."): (readonly [Schema, string])[] {
  if (schema.$ref !== undefined) return [];
  if (schema.properties !== undefined) return [[schema, step]];
  if (schema.items !== undefined) return innerOf(schema.items, "[].");
  return choicesOf(schema).flatMap((one) => innerOf(one, step));
}

const keysTable = (schema: Schema): string => writeTable([["key", "holds", "unless said", "means"], ...rowsOf(schema)]);

/** The kinds that a schema leads to, each once, in the order in which a reader of the file meets them. */
function kindsIn(schema: Schema, found: Set<string> = new Set()): Set<string> {
  const id = idOf(schema);
  if (id !== undefined && !found.has(id)) kindsIn(DEFS.get(id)!, found.add(id));
  const { properties = {}, items, additionalProperties } = schema;
  for (const one of [...Object.values(properties), ...choicesOf(schema)]) kindsIn(one, found);
  for (const one of [items, additionalProperties]) if (typeof one === "object") kindsIn(one, found);
  return found;
}

function section(id: string): string {
  const schema = DEFS.get(id)!;
  const objects = objectsOf(schema);
  const others = choicesOf(schema)
    .filter((one) => !hasKeys(one) && one.$ref === undefined)
    .map(typeOf);
  const also = others.length === 0 ? [] : [`Either ${[...new Set(others)].join(" or ")}, or a mapping:`];
  const several = objects.length > 1 ? ["One of these:"] : [];
  return [`## ${id}`, schema.description ?? "", ...also, ...several, ...objects.map(keysTable)].join("\n\n");
}

test("docs/reference.md tells every key of the curation file", async () => {
  const [intro = ""] = readFileSync(PATH, "utf8").split("\n## ", 1);
  const kinds = [...kindsIn(FILE)];
  const values = kinds.filter((id) => !hasKeys(DEFS.get(id)!));
  const rows = values.map((id) => [`\`${id}\``, typeOf(DEFS.get(id)!), DEFS.get(id)!.description ?? ""]);
  const sections = [
    `## The file\n\n${FILE.description}\n\n${keysTable(FILE)}`,
    ...kinds.filter((id) => !values.includes(id)).map(section),
    `## Kinds of values\n\n${writeTable([["kind", "written as", "is"], ...rows])}`,
  ];
  expect([...kinds].toSorted()).toEqual([...DEFS.keys()].toSorted());
  await expect(`${intro}\n${sections.join("\n\n")}\n`).toMatchFileSnapshot(PATH);
});
