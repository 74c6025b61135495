import fc from "fast-check";
import { readLiteral } from "../../src/filter/read-literal.ts";
import type { Condition, FieldType, FilterField, FilterOp, Literal } from "../../src/model/filter.ts";
import { FILTER_OPS } from "../../src/model/filter.ts";
import type { Row } from "./selects.ts";

export const STATUSES = ["active", "past_due", "closed"] as const;

/** Texts that a careless writer would take for something else. */
export const HOSTILE = [
  "O'Hara",
  `O'Hara, "X" \\ Co`,
  '"',
  "'",
  "''",
  "\\",
  "\\'",
  '\\"',
  "x' or '1' eq '1",
  'x" OR status:"active',
  "a,b",
  "a;b",
  "a|b",
  "a&b=c",
  "(a)",
  ")",
  "*",
  "a*",
  "50%",
  "a_b",
  "%",
  "?",
  "or",
  "OR",
  "NOT",
  "null",
  "NULL",
  "true",
  "$NOW",
  "$ne",
  "@me",
  "gte:5",
  ">5",
  ">=5",
  "=5",
  "-5",
  "a..b",
  "--",
  "/* x */",
  "# x",
  "a -- b",
  "{value}",
  "${x}",
  "<script>",
  "a\u00a0b",
  "\uff27\uff34",
  "\u2019",
  "\uff07",
  "na\u00efve",
  "\ud83d\ude00",
  "\u202eabc",
  " a ",
  "a  b",
  "__proto__",
  "constructor",
  "1e3",
  "0x10",
  "2026-01-31",
];
export const CONTROLS = ["a\u0000b", "a\nb", "a\tb", "a\rb", "\u001b[0m", "a\u0085b", "a\u2028b", "\u007f"];
const PLAIN = ["abc", "ab", "b", "abcd", "open", "Bob"];

const POOLS: Readonly<Record<FieldType, readonly (string | number | boolean)[]>> = {
  string: [...PLAIN, ...PLAIN, ...HOSTILE],
  enum: STATUSES,
  integer: [-5, 0, 1, 2, 10, 1000],
  decimal: [-12.5, 0, 0.1, 1, 12.5, 1000],
  boolean: [true, false],
  date: ["2026-01-30", "2026-01-31", "2026-02-01"],
  "date-time": ["2026-01-30T23:59:59Z", "2026-01-31T00:00:00Z", "2026-01-31T00:00:01Z"],
};

/** One field of each type that may lack a value, and one of some that always has one. */
export function makeFields(to: (name: string, type: FieldType) => string): FilterField[] {
  return FIELD_SHAPES.map(({ name, type, nullable }) => ({
    name,
    to: to(name, type),
    type,
    nullable,
    ...(type === "enum" && { values: STATUSES.map((text) => ({ text, wire: text })) }),
  }));
}

export const FIELD_SHAPES: readonly { name: string; type: FieldType; nullable: boolean }[] = [
  { name: "name", type: "string", nullable: true },
  { name: "code", type: "string", nullable: false },
  { name: "status", type: "enum", nullable: true },
  { name: "stage", type: "enum", nullable: false },
  { name: "qty", type: "integer", nullable: true },
  { name: "size", type: "integer", nullable: false },
  { name: "amount", type: "decimal", nullable: true },
  { name: "active", type: "boolean", nullable: true },
  { name: "day", type: "date", nullable: true },
  { name: "at", type: "date-time", nullable: true },
];
export const TYPES: ReadonlyMap<string, FieldType> = new Map(FIELD_SHAPES.map(({ name, type }) => [name, type]));

export const rows: fc.Arbitrary<Row> = fc.record(
  Object.fromEntries(
    FIELD_SHAPES.map(({ name, type, nullable }) => {
      const value = fc.constantFrom(...POOLS[type]);
      return [name, nullable ? fc.option(value, { freq: 3 }) : value];
    }),
  ),
) as fc.Arbitrary<Row>;

export function literalOf(field: FilterField, raw: string | number | boolean): Literal {
  const read = readLiteral(field, raw);
  if ("mustBe" in read) throw new Error(`${raw} is no ${field.type}: must be ${read.mustBe}`);
  return read;
}

export function conditionOf(
  field: FilterField,
  op: FilterOp,
  values: readonly (string | number | boolean)[],
  path = "filter",
): Condition {
  const literals = values.map((value) => literalOf(field, value));
  switch (op) {
    case "is_null":
    case "is_not_null":
      return { kind: "null", op, field, path };
    case "in":
    case "not_in":
      return { kind: "member", op, field, values: literals, path };
    default:
      return { kind: "compare", op, field, value: literals[0]!, path };
  }
}

export function groupOf(match: "all" | "any" | "none", conditions: readonly Condition[]): Condition {
  return { kind: "group", match, conditions, path: "filter" };
}

/** The same condition with the path at which each part stands. */
export function withPaths(condition: Condition, path = "filter"): Condition {
  if (condition.kind !== "group") return { ...condition, path };
  const conditions = condition.conditions.map((part, index) => withPaths(part, `${path}.conditions[${index}]`));
  return { ...condition, conditions, path };
}

export function pathsOf(condition: Condition): string[] {
  if (condition.kind === "group") return [condition.path, ...condition.conditions.flatMap(pathsOf)];
  if (condition.kind === "compare") return [condition.path, `${condition.path}.value`];
  if (condition.kind === "null") return [condition.path];
  return [condition.path, ...condition.values.map((_, index) => `${condition.path}.values[${index}]`)];
}

export function conditions(fields: readonly FilterField[]): fc.Arbitrary<Condition> {
  const single = fc.constantFrom(...fields).chain((field) =>
    fc
      .record({
        op: fc.constantFrom(...FILTER_OPS),
        values: fc.array(fc.constantFrom(...POOLS[field.type]), { minLength: 1, maxLength: 3 }),
      })
      .map(({ op, values }) => conditionOf(field, op, values)),
  );
  const group = (inner: fc.Arbitrary<Condition>) =>
    fc
      .record({
        match: fc.constantFrom("all" as const, "any" as const, "none" as const),
        parts: fc.array(inner, { minLength: 1, maxLength: 3 }),
      })
      .map(({ match, parts }) => groupOf(match, parts));
  const one = group(single);
  const two = group(fc.oneof(single, one));
  return fc
    .oneof({ weight: 3, arbitrary: single }, { weight: 3, arbitrary: one }, { weight: 2, arbitrary: two })
    .map((condition) => withPaths(condition));
}

/** What a filter means (contract section 3): a row without a value fails every comparison, and passes `ne`, `not_in` and `none`. */
export function means(condition: Condition, row: Row): boolean {
  if (condition.kind === "group") {
    const parts = condition.conditions.map((part) => means(part, row));
    if (condition.match === "all") return parts.every(Boolean);
    return parts.some(Boolean) === (condition.match === "any");
  }
  const value = row[condition.field.name]!;
  switch (condition.op) {
    case "is_null":
      return value === null;
    case "is_not_null":
      return value !== null;
    case "in":
      return value !== null && condition.values.some(({ text }) => text === textOf(value));
    case "not_in":
      return value === null || !condition.values.some(({ text }) => text === textOf(value));
    case "eq":
      return value !== null && condition.value.text === textOf(value);
    case "ne":
      return value === null || condition.value.text !== textOf(value);
    case "contains":
      return value !== null && String(value).includes(condition.value.text);
    case "lt":
      return value !== null && value < amountOf(condition.value);
    case "lte":
      return value !== null && value <= amountOf(condition.value);
    case "gt":
      return value !== null && value > amountOf(condition.value);
    case "gte":
      return value !== null && value >= amountOf(condition.value);
    default:
      return condition satisfies never;
  }
}

const textOf = (value: string | number | boolean) => String(value);

/** Dates and date-times of one form are in the order of their texts. */
const amountOf = ({ type, text }: Literal) => (type === "integer" || type === "decimal" ? Number(text) : text);
