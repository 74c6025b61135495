import * as z from "zod";
import type { Json } from "../model/json.ts";
import { bytesOf, DURATION, millisecondsOf, SIZE } from "./measure-text.ts";
import { HEADER_NAME } from "./place.ts";

/** A key that must be there, with the sentence that `vitrine schema` prints. */
export function key<S extends z.ZodType>(schema: S, says: string): S {
  return schema.describe(says);
}

/** A key that may be left out; `byDefault` is told in the printed schema, and what compiles puts it in the key's place. */
export function may<S extends z.ZodType>(schema: S, says: string, byDefault?: Json): z.ZodExactOptional<S> {
  return z.exactOptional(
    byDefault === undefined ? schema.describe(says) : schema.meta({ description: says, default: byDefault }),
  );
}

/** A line break in a message stands between what is wrong and the hint. */
export const Text = z
  .string()
  .min(1, "must not be an empty text")
  .meta({ id: "Text", description: "Text that is not empty." });
export const Flag = z.boolean();
export const Count = z.int().min(1);

/** Literal, but for `${…}` in it. */
export const ValueText = Text.meta({ id: "ValueText", description: "Text, in which ${…} is an expression." });

/** Any JSON; in every text of it `${…}` is an expression. */
export const AnyValue: z.ZodType<Json> = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(z.unknown() as z.ZodType<Json>),
    z.record(z.string(), z.unknown() as z.ZodType<Json>),
  ])
  .meta({ id: "AnyValue", description: "Any value; in every text of it ${…} is an expression." });

/** What a credential is sent as must be a name of a header (RFC 9110 5.6.2) or cookie (RFC 6265 4.1.1). */
export function isSendable(one: { readonly in: "header" | "query" | "cookie"; readonly name: string }): boolean {
  return one.in === "query" || HEADER_NAME.test(one.name);
}
export const UNSENDABLE = "is not the name of a header or cookie\nUse letters, digits and dashes.";

export const Scalar = z.union([z.string(), z.number(), z.boolean()]);

export const ExpressionText = Text.meta({ id: "Expression", description: "A JMESPath expression, written bare." });

export const PlaceText = Text.meta({
  id: "Place",
  description:
    "Where in a request a value goes: path.N, query.N, header.N, cookie.N, querystring or body, each with an optional /pointer, or a bare name.",
});

export const Args = z
  .record(z.string(), AnyValue)
  .meta({ id: "Args", description: "What is sent where: a map from places to values." });

export const OperationName = Text.meta({
  id: "Operation",
  description: 'An operationId of the spec, or "METHOD /path".',
});

export const FileName = Text.meta({ id: "File", description: "A file, beside this one or by a relative path." });

export const Names = z.array(Text).meta({ id: "Names", description: "Several texts." });

const FORMS = ["unix", "unix-ms", "date", "minor", "csv"] as const;
export const Form = z
  .enum(FORMS)
  .meta({ id: "Form", description: "The upstream's form of a value; callers see RFC 3339 and major units." });

/** For the printed schema; what holds here is checked in `check-entries`. */
export const MINOR_HAS_UNIT = {
  if: { properties: { as: { const: "minor", description: "Amounts in the smallest unit." } }, required: ["as"] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  then: { required: ["unit"] },
};

/** Bytes of `8kB`, `20MB` or a plain number; 1 kB is 1,000. */
export const Size = z
  .union([
    z.int().min(1),
    z.string().regex(SIZE, "is not a size\nWrite a number with B, kB, MB or GB, for example 8kB; 1 kB is 1,000 bytes."),
  ])
  .transform((size) => (typeof size === "number" ? size : bytesOf(size)))
  .meta({ id: "Size", description: "Bytes: a whole number, or a number with B, kB, MB or GB (1 kB is 1,000)." });

/** Milliseconds of `20s`, `15m` or `500ms`. */
export const Duration = z
  .string()
  .regex(DURATION, "is not a duration\nWrite a number with ms, s, m, h or d, for example 20s.")
  .transform(millisecondsOf)
  .meta({ id: "Duration", description: "A time: a number with ms, s, m, h or d, for example 20s." });

/** A map whose names follow a pattern; the names are checked in `check-entries`, so that the entries are checked as well. */
export function named<S extends z.ZodType>(
  entry: S,
  pattern: RegExp,
  reserved: readonly string[],
): z.ZodRecord<z.ZodString, S> {
  const propertyNames = { pattern: pattern.source, not: { enum: reserved } };
  return z.record(z.string(), entry).meta({ propertyNames });
}
