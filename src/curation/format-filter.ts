import * as z from "zod";
import { FILTER_OPS } from "../model/filter.ts";
import {
  AnyValue,
  Args,
  Count,
  ExpressionText,
  Flag,
  Form,
  key,
  may,
  OperationName,
  PlaceText,
  Scalar,
  Text,
} from "./format-scalar.ts";

export const FILTER_DIALECTS = [
  "odata",
  "aip-160",
  "rsql",
  "soql",
  "jql",
  "lucene",
  "elasticsearch",
  "mongo",
  "django",
  "postgrest",
  "directus",
  "strapi",
  "shopify",
  "notion",
  "datadog",
  "aws-cost-explorer",
  "hubspot",
  "stripe-search",
  "github-search",
  "kubernetes-selector",
  "json-api",
  "params",
  "json",
  "text",
] as const;

const FILTER_TYPES = ["string", "integer", "decimal", "boolean", "date", "date-time"] as const;

const Op = z.enum(FILTER_OPS);

const FilterField = z
  .strictObject({
    type: may(z.union([z.enum(FILTER_TYPES), z.array(Scalar).min(1)]), "The type of its values, or the list of them."),
    to: may(Text, "The upstream's name of the field; with `params` the place of its value."),
    as: may(Form, "The upstream's form of its values."),
    unit: may(Text, "With `as: minor`: the unit of its values."),
    ops: may(
      z.union([z.array(Op).min(1), z.partialRecord(Op, AnyValue)]),
      "The operators that a caller may use, or a template for each over {value} or {values}.",
    ),
    nullable: may(Flag, "Whether rows may have no value of it.", true),
  })
  .meta({ id: "FilterField", description: "A field that a caller may filter by." });

const FieldSource = z
  .strictObject({
    operation: key(OperationName, "The operation that lists the fields."),
    args: may(Args, "What is sent with it."),
    rows: may(ExpressionText, "Over the body: the list of fields."),
    field: may(ExpressionText, "Over a row: the name of the field."),
    type: may(ExpressionText, "Over a row: the type of the field."),
  })
  .meta({ id: "FieldSource", description: "Fields that an operation lists." });

const Templates = z.strictObject({
  single: may(AnyValue, "One condition, over {field}, {op} and {value}."),
  all: may(AnyValue, "All of {conditions}."),
  any: may(AnyValue, "Any of {conditions}."),
  none: may(AnyValue, "None of {conditions}."),
  ops: may(
    z.partialRecord(Op, AnyValue),
    "The upstream's word for an operator, a template of its own, or null where it has none; operators that are not named it has not.",
  ),
});

const Limits = z
  .strictObject({
    leaves: may(Count, "The most conditions."),
    characters: may(Count, "The most characters of the whole, as it is written."),
    alternatives: may(Count, "The most groups, where the language has them in two levels only."),
    leavesOfAlternative: may(Count, "The most conditions of one such group."),
  })
  .meta({ id: "FilterLimits", description: "Bounds of one filter, laid over those of its dialect." });

export const FilterEntry = z
  .strictObject({
    to: may(PlaceText, "The place of the whole filter."),
    dialect: key(z.enum(FILTER_DIALECTS), "The upstream's language of filters."),
    templates: may(Templates, "With `json` or `text`: how conditions are written."),
    fields: may(
      z.record(
        z.string(),
        z
          .union([FilterField, FieldSource])
          .nullable()
          .transform((field) => field ?? {}),
      ),
      "The fields by name, or `from` an operation that lists them.",
    ),
    parameter: may(Text, "With `strapi` and `json-api`: the query parameter that names begin with."),
    limits: may(Limits, "Beyond which a filter is refused."),
    depth: may(z.int().min(0).max(4), "How deep conditions may be nested, where the language has no less.", 2),
    always: may(z.record(z.string(), AnyValue), "Conditions that no caller sees or weakens; null leaves one out."),
    hidden: may(Flag, "True gives the caller no filter input.", false),
    nullOnNegation: may(z.enum(["keep", "drop"]), "What the upstream does with rows without a value when it negates."),
  })
  .meta({ id: "Filter", description: "What a caller may filter by, and the language in which the upstream is told." });
export type FilterEntry = z.infer<typeof FilterEntry>;
export type FilterFieldEntry = z.infer<typeof FilterField>;
export type FieldSourceEntry = z.infer<typeof FieldSource>;
