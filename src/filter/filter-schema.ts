import { FILTER_OPS, type FieldType, type FilterField, type FilterOp } from "../model/filter.ts";
import type { PortableSchema } from "../model/schema.ts";

export interface FilterSchemaOptions {
  /** Undefined where they are discovered when a call comes. */
  readonly fields?: readonly FilterField[];
  /** The operators that some field has; all unless said (see `offerOps`). */
  readonly ops?: readonly FilterOp[];
  /** The groups that the dialect has; all unless said. */
  readonly matches?: readonly ("all" | "any" | "none")[];
  /** How deep groups may be nested; 2 unless said. */
  readonly depth?: number;
}

/**
 * Fifth door of the room. What a caller fills in for `filter`, in the portable subset (contract section 2), unrolled to `depth`. Only the outermost
 * level has descriptions and lists: further in they would cost their tokens again and say the same.
 */
export function buildFilterSchema(options: FilterSchemaOptions): PortableSchema {
  const { fields, ops = FILTER_OPS, matches = ["all", "any", "none"], depth = 2 } = options;
  const isFlat = depth === 0 || matches.length === 0;
  const properties: Record<string, PortableSchema> = {
    kind: {
      type: "string",
      enum: isFlat ? ["single"] : ["single", "composite"],
      description: isFlat
        ? "Set field, op and value (or values)."
        : "single: set field, op and value (or values). composite: set match and conditions.",
    },
    field: fieldSchema(fields),
    op: { type: "string", enum: ops },
    value: { type: "string", description: `As text: ${examplesOf(fields)}.${withoutValue(ops)}` },
  };
  const many = ops.filter((op) => op === "in" || op === "not_in");
  if (many.length > 0) properties["values"] = { ...TEXT_LIST, description: `Only for ${many.join(", ")}.` };
  if (!isFlat) {
    const words = matches.map((match) => MATCHES[match]).join(", ");
    properties["match"] = { type: "string", enum: matches, description: `composite only. ${words}.` };
    properties["conditions"] = {
      type: "array",
      description: "composite only. 1 to 10 conditions of the same shape.",
      items: innerSchema(depth - 1, many.length > 0),
    };
  }
  return { type: "object", properties, required: ["kind"] };
}

const MATCHES = { all: "all = AND", any: "any = OR", none: "none = NOT(OR)" } as const;
const TEXT: PortableSchema = { type: "string" };
const TEXT_LIST: PortableSchema = { type: "array", items: TEXT };

function innerSchema(depth: number, takesLists: boolean): PortableSchema {
  return {
    type: "object",
    required: ["kind"],
    properties: {
      kind: { type: "string", enum: depth > 0 ? ["single", "composite"] : ["single"] },
      field: TEXT,
      op: TEXT,
      value: TEXT,
      ...(takesLists && { values: TEXT_LIST }),
      ...(depth > 0 && { match: TEXT, conditions: { type: "array", items: innerSchema(depth - 1, takesLists) } }),
    },
  };
}

/** Names of many characters in a long list cost more than they tell: beyond this they are told when one is wrong. */
const MOST_FIELDS = 60;
const MOST_VALUES_SHOWN = 12;

function fieldSchema(fields: readonly FilterField[] | undefined): PortableSchema {
  if (fields === undefined || fields.length === 0 || fields.length > MOST_FIELDS) return TEXT;
  const types = fields.filter(({ type }) => type !== "string").map(describeField);
  return {
    type: "string",
    enum: fields.map(({ name }) => name),
    ...(types.length > 0 && { description: `${types.join("; ")}.` }),
  };
}

function describeField({ name, type, values = [] }: FilterField): string {
  if (type !== "enum") return `${name} ${type}`;
  const shown = values.slice(0, MOST_VALUES_SHOWN).map(({ text }) => text);
  return `${name} ${shown.join("|")}${values.length > shown.length ? "|…" : ""}`;
}

const EXAMPLES: Readonly<Partial<Record<FilterField["type"], string>>> = {
  integer: '"1000"',
  decimal: '"12.50"',
  date: '"2026-01-31"',
  "date-time": '"2026-01-31T00:00:00Z"',
  boolean: '"true"',
};

function examplesOf(fields: readonly FilterField[] | undefined): string {
  const types = new Set<FieldType>(fields?.map(({ type }) => type) ?? ["decimal", "date-time", "boolean"]);
  const examples = [...types].map((type) => EXAMPLES[type]).filter((example) => example !== undefined);
  return examples.length > 0 ? examples.join(", ") : '"open"';
}

function withoutValue(ops: readonly FilterOp[]): string {
  const none = ops.filter((op) => op === "is_null" || op === "is_not_null");
  return none.length > 0 ? ` Omit for ${none.join(", ")}.` : "";
}
