import { createHash } from "node:crypto";
import type { Json } from "../../model/json.ts";
import type { Said } from "../../model/said.ts";
import type { Alternative } from "../expressions/list-alternatives.ts";

type SaidValue = Omit<Said, "optional" | "properties" | "items">;

/** More values, or longer ones, are told by a digest. */
const MOST_VALUES = 50;
const MOST_CHARACTERS = 2_000;
const LONGEST_FORMAT = 64;

/** What the ways in which a value can satisfy its schema have in common, and of which types they are. Empty where one of them is open. */
export function sayValue(alternatives: readonly Alternative[]): SaidValue {
  if (alternatives.some((one) => one.type === "any")) return {};
  const values = alternatives.filter((one) => one.type !== "null");
  const isNullable = values.length < alternatives.length;
  if (values.length === 0) return isNullable ? { type: "null" } : {};
  const format = sayFormat(values);
  return {
    type: sayTypes(values),
    ...(isNullable && { nullable: true }),
    ...(format !== undefined && { format }),
    ...sayEnum(values),
  };
}

function sayTypes(values: readonly Alternative[]): string {
  const types = new Set<string>(values.map((one) => one.type));
  // Every integer is a number.
  if (types.has("number")) types.delete("integer");
  return [...types].toSorted().join("|");
}

function sayFormat(values: readonly Alternative[]): string | undefined {
  const formats = new Set(values.map(({ parts }) => parts.find((part) => part.format !== undefined)?.format));
  const [only] = formats;
  return formats.size === 1 && typeof only === "string" && only.length <= LONGEST_FORMAT ? only : undefined;
}

function sayEnum(values: readonly Alternative[]): Pick<Said, "enum" | "enumDigest"> {
  const lists = values.map(valuesOf);
  if (!lists.every((list) => list !== undefined)) return {};
  const texts = [
    ...new Set(lists.flat().map((one) => (typeof one === "string" ? one : JSON.stringify(one)))),
  ].toSorted();
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length <= MOST_VALUES && characters <= MOST_CHARACTERS) return { enum: texts };
  const sha256 = createHash("sha256").update(JSON.stringify(texts)).digest("hex");
  return { enumDigest: `${texts.length} values, ${sha256.slice(0, 16)}` };
}

/** Null is told by itself. */
function valuesOf({ parts }: Alternative): readonly Json[] | undefined {
  for (const { enum: values, const: only } of parts) {
    const found = only === undefined ? values : [only];
    if (found !== undefined) return found.filter((one) => one !== null);
  }
  return undefined;
}
