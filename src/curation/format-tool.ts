import * as z from "zod";
import { ERROR_CODE, INPUT_NAME, RESERVED_INPUTS } from "./entry-names.ts";
import { FilterEntry } from "./format-filter.ts";
import { ResultEntry } from "./format-result.ts";
import {
  AnyValue,
  Args,
  Duration,
  ExpressionText,
  FileName,
  Flag,
  Form,
  key,
  MINOR_HAS_UNIT,
  may,
  Names,
  named,
  OperationName,
  Scalar,
  Text,
  ValueText,
} from "./format-scalar.ts";
import { callKeys, Effect, Steps } from "./format-steps.ts";

const BASE_TYPES = ["string", "integer", "number", "decimal", "boolean", "date", "date-time", "json"] as const;
export const INPUT_TYPES = [...BASE_TYPES, ...BASE_TYPES.map((type) => `${type}[]` as const)] as const;

const ValuesFrom = z
  .strictObject({
    operation: key(OperationName, "The operation that lists the values."),
    args: may(Args, "What is sent where."),
    rows: may(ExpressionText, "Over the body: the list of rows."),
    field: may(ExpressionText, "Over a row: the value."),
  })
  .meta({ id: "ValuesFrom", description: "Values that an operation lists." });

const count = z.int().min(0);

const InputEntry = z
  .strictObject({
    type: may(z.enum(INPUT_TYPES), "The type; by default that of the place."),
    enum: may(z.array(Scalar).min(1), "The values that a caller may give."),
    default: may(AnyValue, "The value where a caller gives none; for a time also in words, as 30 days ago."),
    required: may(Flag, "Whether a caller must give it."),
    describe: may(Text, "What it means, for the caller."),
    minimum: may(z.number(), "The least value."),
    maximum: may(z.number(), "The greatest value."),
    exclusiveMinimum: may(z.number(), "What the value must be over."),
    exclusiveMaximum: may(z.number(), "What the value must be under."),
    multipleOf: may(z.number().gt(0), "What the value must be a multiple of."),
    minLength: may(count, "The fewest characters."),
    maxLength: may(count, "The most characters."),
    pattern: may(Text, "An RE2 pattern of the text."),
    minItems: may(count, "The fewest items."),
    maxItems: may(count, "The most items."),
    uniqueItems: may(Flag, "Whether items must differ."),
    as: may(Form, "The upstream's form of the value."),
    unit: may(ValueText, "With `as: minor`: an ISO 4217 code or ${…}."),
    end: may(z.enum(["inclusive", "exclusive"]), "How the upstream reads an end that is a date alone."),
    entity: may(Text, "The kind of thing that it names."),
    valuesFrom: may(ValuesFrom, "Where its values are listed."),
  })
  .meta({
    id: "Input",
    description: "One argument of a caller; what is not said here comes from the spec.",
    ...MINOR_HAS_UNIT,
  });

const ErrorEntry = z
  .strictObject({
    status: may(
      z
        .union([
          z.int().min(100).max(599),
          z.string().regex(/^[1-5](\d\d|XX)$/, "is not a status\nWrite one as 404, or a class as 4XX."),
        ])
        .transform(String),
      "The status of the answer, or a class as 4XX; any failure unless said.",
    ),
    when: may(ExpressionText, "Over {status, code, message, body}."),
    error: key(
      z
        .string()
        .regex(ERROR_CODE, "is not a code\nCodes are in snake_case, for example unknown_fields.")
        // Events and gates count it as a crash.
        .refine((code) => code !== "internal", "is said of faults of the program\nName what the upstream means by it."),
      "The code that the caller gets.",
    ),
    recover: key(Text, "What the caller is told to do next."),
  })
  .meta({ id: "ErrorRule", description: "Maps an answer of the upstream to a code and a way out." });

const Confirm = z.union([
  ValueText,
  z.strictObject({
    text: key(ValueText, "What the person is asked."),
    human: may(Flag, "True refuses callers that cannot ask a person.", false),
  }),
]);

const Suggestion = z.strictObject({
  tool: key(Text, "The tool to call next."),
  args: may(z.record(z.string(), AnyValue), "Its arguments."),
  when: may(ExpressionText, "The suggestion is made where this holds."),
  why: key(Text, "Why one would."),
});

const MOMENT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

const Answers = z.union([FileName, z.array(FileName)]);

const Example = z.strictObject({
  args: may(z.record(z.string(), AnyValue), "The caller's arguments."),
  upstream: key(
    z.union([FileName, z.array(FileName), z.record(z.string(), Answers)]),
    "The file of the upstream's answer, or several in the order of the requests, or those of each operation by its name. A file is a body, or a whole answer as `curl -i` prints it.",
  ),
  reply: key(FileName, "The file of the reply that must come of it; … in it stands for any text."),
  claims: may(z.record(z.string(), AnyValue), "What `key` holds."),
  env: may(z.record(z.string(), Text), "What `env` holds."),
  now: may(
    z.string().regex(MOMENT, "is not a moment\nWrite it as 2026-01-31T00:00:00Z."),
    "The moment of the call.",
    "2026-01-01T00:00:00Z",
  ),
});

const Tags = z.array(
  z.string().regex(/^[^\s,]+$/, "is not a tag\nWrite it without spaces and commas, for example finance."),
);

export const ToolEntry = z
  .strictObject({
    operation: may(OperationName, "The operation behind the tool; or else `steps`."),
    steps: may(Steps, "Several operations behind one tool."),
    title: may(Text, "A short name for people."),
    use: may(Text, "What the tool is for, first of all."),
    notFor: may(Text, "What it is not for, and which tool is."),
    returns: may(Text, "What comes back."),
    next: may(z.record(z.string(), Text), "Tools to call next, each with the reason."),
    effect: may(Effect, "What a call does; by the methods unless said."),
    idempotent: may(Flag, "Whether a second equal call changes nothing more."),
    openWorld: may(Flag, "Whether the tool reaches things outside this server; any API is.", true),
    input: may(
      named(
        InputEntry.nullable().transform((entry) => entry ?? {}),
        INPUT_NAME,
        RESERVED_INPUTS,
      ),
      "What a caller may set; nothing else reaches the upstream.",
    ),
    ...callKeys,
    filter: may(FilterEntry, "What a caller may filter by."),
    result: may(ResultEntry, "How the body becomes the reply."),
    errors: may(z.array(ErrorEntry), "What failures mean; the first that fits counts."),
    deadline: may(Duration, "The longest that one call may take.", "45s"),
    confirm: may(Confirm, "Asks before a write."),
    states: may(Names, "States without which the tool does not exist."),
    tags: may(Tags, "By which servers and keys choose tools."),
    suggest: may(z.array(Suggestion), "Next calls that the reply proposes."),
    unpinned: may(z.record(z.string(), Text), "Pins that the tool cannot carry, each with the reason."),
    examples: may(z.array(Example), "Run offline by `vitrine check`."),
    lint: may(z.record(z.string(), Text), "Rules that are waived, each with the reason."),
    aliases: may(Names, "Old names: still callable, not listed."),
  })
  .meta({
    id: "Tool",
    description: "One tool: an operation, or several in steps.",
    oneOf: [{ required: ["operation"] }, { required: ["steps"] }],
  });
export type InputEntry = z.infer<typeof InputEntry>;
export type ErrorEntry = z.infer<typeof ErrorEntry>;
export type ToolEntry = z.infer<typeof ToolEntry>;
