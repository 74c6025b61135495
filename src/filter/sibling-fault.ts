import type { FilterOp } from "../model/filter.ts";
import type { Json } from "../model/json.ts";
import type { Leaf } from "./dialect.ts";
import { fillText } from "./fill-template.ts";
import { fillRaw } from "./write-parameters.ts";

/**
 * Why the text that one operator of a field writes would be read as another one's, where both stand at the same place: `gte:5` as the value
 * of `eq` beside `gte: "gte:{value}"`, or `a,b` beside `in: "{values}"`. No value ever becomes an operator. `plain` are the operators that
 * write their value as it is.
 */
export function siblingFault(leaf: Leaf, plain: Readonly<Partial<Record<FilterOp, Json>>>): string | undefined {
  const templates: Readonly<Partial<Record<FilterOp, Json>>> = { ...plain, ...leaf.field.templates };
  const entries = Object.entries(templates) as [FilterOp, Json][];
  const own = entries.find(([op]) => op === leaf.op)?.[1];
  if (typeof own !== "string") return undefined;
  const filled = fillRaw(own, leaf);
  for (const text of Array.isArray(filled) ? filled.map(String) : [String(filled)]) {
    for (const [op, other] of entries) {
      if (op === leaf.op || typeof other !== "string") continue;
      if (fixedLength(other) >= fixedLength(own) && patternOf(other).test(text) && !isSame(leaf, op, other, own))
        return `The upstream would read this as \`${op}\`.`;
    }
  }
  return undefined;
}

/** `in` of a single value is `eq` of it. */
function isSame(leaf: Leaf, op: FilterOp, other: string, own: string): boolean {
  return other === own || (leaf.op === "in" && op === "eq") || (leaf.op === "not_in" && op === "ne");
}

function separatorOf({ name, separator = "," }: { name: string; separator?: string | undefined }): string {
  return name === "values" ? separator : "";
}

function fixedLength(template: string): number {
  return fillText(template, separatorOf).length;
}

function patternOf(template: string): RegExp {
  const marked = fillText(template, (one) => `\u0000${separatorOf(one)}\u0001`);
  const source = marked
    .replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
    .replace(/\u0000(.*?)\u0001/gs, (_, separator: string) => (separator === "" ? ".*" : `.*${separator}.*`));
  return new RegExp(`^${source}$`, "s");
}
