import type { Expression, Value } from "./value.ts";

/** Every expression in a value, in the order of their standing. */
export function expressionsOf(value: Value): readonly Expression[] {
  switch (value.kind) {
    case "literal":
      return [];
    case "expression":
      return [value.expression];
    case "text":
      return value.parts.filter((part) => typeof part !== "string");
    case "object":
      return value.entries.flatMap(([, entry]) => expressionsOf(entry));
    case "list":
      return value.items.flatMap(expressionsOf);
    default:
      return value satisfies never;
  }
}
