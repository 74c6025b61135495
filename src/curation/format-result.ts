import * as z from "zod";
import {
  AnyValue,
  Args,
  Count,
  ExpressionText,
  Flag,
  Form,
  key,
  MINOR_HAS_UNIT,
  may,
  OperationName,
  Size,
  Text,
  ValueText,
} from "./format-scalar.ts";

const FieldEntry = z
  .strictObject({
    path: key(ExpressionText, "Over the row: the value."),
    clip: may(
      z.union([Count, z.literal("first-sentence")]),
      "Cuts a text to so many characters or to its first sentence.",
    ),
    round: may(z.int().min(0).max(20), "Decimal places that are shown."),
    as: may(Form, "The upstream's form of the value."),
    unit: may(Text, "The value's unit: a code, ${…} or a path in the row."),
  })
  .meta({ id: "Field", description: "One column.", ...MINOR_HAS_UNIT });

export const Fields = z
  .record(z.string(), z.union([ExpressionText, FieldEntry]))
  .meta({ id: "Fields", description: 'Columns by name; "..." adds one column a name of a list.' });

/** `result.value`: bare expressions, alone or in a mapping of any depth. */
export type ValueEntry = string | { readonly [name: string]: ValueEntry };
const ValueMap = z
  .record(
    z.string(),
    z.lazy((): z.ZodType<ValueEntry> => ValueEntry),
  )
  .meta({ id: "ValueMap", description: "Bare expressions by name, of any depth." });
export const ValueEntry: z.ZodType<ValueEntry> = z.union([ExpressionText, ValueMap]);

const OrderRule = z.strictObject({
  when: may(ExpressionText, "The rule counts where this holds."),
  by: key(
    z.array(Text).min(1),
    'Columns in order; - before a name turns it round, "..." stands for the added columns.',
  ),
});

const Order = z.union([z.literal("upstream"), z.array(Text).min(1), z.array(OrderRule).min(1)]);

export const LineCut = z
  .union([
    z.strictObject({ head: key(Count, "Keeps so many lines from the beginning.") }),
    z.strictObject({ tail: key(Count, "Keeps so many lines at the end.") }),
  ])
  .meta({ id: "LineCut", description: "Cuts a text body by lines." });

const Caveat = z.strictObject({
  when: may(ExpressionText, "Over the body that the total is read from: whether it applies; always unless said."),
  code: key(
    z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/, "is not a caveat's code\nWrite it in capitals, for example ESTIMATED."),
    "What is wrong, for programs: ESTIMATED, SAMPLED, STALE, PARTIAL_PERIOD, APPROXIMATE or the like.",
  ),
  note: key(Text, "What is wrong, in words."),
});

const measured = {
  measure: key(Text, "The column that is added up."),
  unit: may(Text, "The measure's unit: a code, ${…} or a path in the body."),
  additive: may(Flag, "False where values of the measure may not be added, as of distinct counts and averages.", true),
  caveats: may(z.array(Caveat).min(1), "What may be wrong with the total."),
};

const Totals = z
  .union([
    z.strictObject({
      ...measured,
      operation: may(OperationName, "The operation that gives the total; the tool's own unless said."),
      args: may(Args, "What is sent in place of the call's own."),
      value: key(ExpressionText, "Over the body: a number, or a list of {value, unit}."),
    }),
    z.strictObject({
      count: key(ExpressionText, "Over the body: how many rows there are in all."),
      exactWhen: may(ExpressionText, "Over the body: whether that count is exact."),
    }),
    z.strictObject({
      ...measured,
      walk: key(z.strictObject({ maxPages: key(Count, "The most pages to read.") }), "Adds up by reading every page."),
    }),
  ])
  .meta({ id: "Totals", description: "Where the true total comes from; it is never guessed among the rows." });

const Group = z
  .strictObject({
    by: key(z.union([ValueText, z.array(ValueText).min(1)]), "The columns to group by, or ${…}."),
    sum: may(z.array(Text).min(1), "The columns to add up."),
    count: may(Text, "The column that holds the number of rows."),
    maxPages: may(Count, "The most upstream pages to read.", 100),
  })
  .meta({ id: "Group", description: "Adds rows up after all upstream pages were read." });

const Rest = z
  .strictObject({
    tool: key(Text, "The tool that gives what is left out here."),
    args: may(z.record(z.string(), AnyValue), "The arguments with which it does."),
    max: may(Count, "The most items of this list that the reply shows."),
    of: may(ExpressionText, "How many items there are in all, where fewer were read."),
  })
  .meta({ id: "Rest", description: "Where the rest is of what a reply cuts." });

export const ResultEntry = z
  .strictObject({
    rows: may(ExpressionText, "Over the body: the list of rows."),
    value: may(ValueEntry, "An object that is built by expressions."),
    fields: may(Fields, "What is kept of each row, or of the body."),
    search: may(ValueText, "What to search the rows for, where the upstream cannot."),
    all: may(
      z.strictObject({ max: key(Count, "The most rows to read.") }),
      "Reads every upstream page before ordering.",
    ),
    group: may(Group, "Adds rows up."),
    order: may(Order, "The order of rows: columns, rules, or upstream."),
    totals: may(Totals, "Where the true total comes from."),
    limit: may(
      z.strictObject({
        default: key(Count, "Rows where the caller says nothing."),
        max: key(Count, "The most rows that a caller may ask for."),
      }),
      "Gives the caller a limit.",
    ),
    budget: may(Size, "The most bytes of a reply.", "25kB"),
    text: may(LineCut, "Which lines of a text body are kept."),
    emptyNote: may(Text, "What the reply says where nothing was found."),
    rest: may(
      z.record(z.string(), Rest),
      "Which tool gives the rest of what is cut at a path of the reply, or in a column.",
    ),
  })
  .meta({ id: "Result", description: "How the upstream's body becomes the reply." });
export type FieldEntry = z.infer<typeof FieldEntry>;
export type GroupEntry = z.infer<typeof Group>;
export type OrderEntry = z.infer<typeof Order>;
export type TotalsEntry = z.infer<typeof Totals>;
export type RestEntry = z.infer<typeof Rest>;
export type ResultEntry = z.infer<typeof ResultEntry>;
