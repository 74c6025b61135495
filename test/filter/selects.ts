import type { FieldType, NullOnNegation } from "../../src/model/filter.ts";

/** What a reader of the tests makes of a written filter. Values are texts, as the upstream was sent them. */
export type Node =
  | { readonly kind: "and" | "or"; readonly parts: readonly Node[] }
  | { readonly kind: "not"; readonly part: Node }
  | { readonly kind: "leaf"; readonly field: string; readonly op: NodeOp; readonly values: readonly string[] };
export type NodeOp =
  | "eq"
  | "ne"
  | "in"
  | "not_in"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "contains"
  | "not_contains"
  | "is_null"
  | "is_not_null";

export type Row = Readonly<Record<string, string | number | boolean | null>>;

export const leaf = (field: string, op: NodeOp, ...values: readonly string[]): Node => ({
  kind: "leaf",
  field,
  op,
  values,
});
export const all = (parts: readonly Node[]): Node => ({ kind: "and", parts });
export const any = (parts: readonly Node[]): Node => ({ kind: "or", parts });
export const not = (part: Node): Node => ({ kind: "not", part });

/** Whether an upstream selects a row: one that drops what has no value reckons like SQL, with `undefined` for unknown. */
export function selects(node: Node, row: Row, types: ReadonlyMap<string, FieldType>, nulls: NullOnNegation): boolean {
  return evaluate(node) === true;

  function evaluate(one: Node): boolean | undefined {
    switch (one.kind) {
      case "and": {
        const parts = one.parts.map(evaluate);
        return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
      }
      case "or": {
        const parts = one.parts.map(evaluate);
        return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false;
      }
      case "not": {
        const part = evaluate(one.part);
        return part === undefined ? undefined : !part;
      }
      case "leaf":
        return evaluateLeaf(one);
      default:
        return one satisfies never;
    }
  }

  function evaluateLeaf({ field, op, values }: Extract<Node, { kind: "leaf" }>): boolean | undefined {
    const type = types.get(field);
    if (type === undefined || !Object.hasOwn(row, field)) throw new Error(`The upstream has no field ${field}.`);
    const value = row[field]!;
    if (op === "is_null") return value === null;
    if (op === "is_not_null") return value !== null;
    if (values.length === 0) throw new Error(`${op} without a value.`);
    if (value === null) {
      if (nulls === "drop") return undefined;
      return op === "ne" || op === "not_in" || op === "not_contains";
    }
    const order = values.map((text) => compare(value, text, type));
    switch (op) {
      case "eq":
      case "in":
        return order.includes(0);
      case "ne":
      case "not_in":
        return !order.includes(0);
      case "lt":
        return order[0]! < 0;
      case "lte":
        return order[0]! <= 0;
      case "gt":
        return order[0]! > 0;
      case "gte":
        return order[0]! >= 0;
      case "contains":
        return String(value).includes(values[0]!);
      case "not_contains":
        return !String(value).includes(values[0]!);
      default:
        return op satisfies never;
    }
  }
}

function compare(value: string | number | boolean, text: string, type: FieldType): number {
  switch (type) {
    case "integer":
    case "decimal": {
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${text} is no number.`);
      return Number(value) - Number(text);
    }
    case "date":
    case "date-time":
      return momentOf(String(value)) - momentOf(text);
    default:
      return String(value) === text ? 0 : Number.NaN;
  }
}

/** RFC 3339, or Unix milliseconds. */
function momentOf(text: string): number {
  const moment = /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(moment)) throw new Error(`${text} is no moment.`);
  return moment;
}
