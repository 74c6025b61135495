import * as z from "zod";
import { OwnPages } from "./format-api.ts";
import { LineCut } from "./format-result.ts";
import { Args, Count, ExpressionText, Flag, key, may, OperationName, Text, ValueText } from "./format-scalar.ts";

const EFFECTS = ["read", "write", "destroy"] as const;
export const Effect = z
  .enum(EFFECTS)
  .meta({ id: "Effect", description: "What a call does; by its method unless said." });

/** What a tool and a step that send an operation have in common. */
export const callKeys = {
  args: may(Args, "What is sent where."),
  pages: may(OwnPages, "How the upstream cuts this list into pages, or none."),
  accept: may(Text, "The media type to ask for."),
  contentType: may(Text, "The media type to send."),
  text: may(LineCut, "Which lines of a text body are kept."),
  unchecked: may(Flag, "True where the spec's schemas are wrong, so that paths are not checked against them.", false),
};

const id = key(Text, "The name under which later steps see the body, as steps.ID.");

const CallStep = z
  .strictObject({
    id,
    operation: key(OperationName, "The operation to send."),
    effect: may(Effect, "What this step does; by its method unless said."),
    ...callKeys,
    when: may(ExpressionText, "The step runs where this holds; else its body is null."),
    forEach: may(ExpressionText, "A list: the operation is sent once for each item."),
    max: may(z.int().min(1).max(50), "The most items of `forEach`.", 10),
    all: may(
      z.strictObject({
        rows: may(ExpressionText, "Over the body: the list of rows."),
        max: key(Count, "The most rows to read."),
      }),
      "Reads the rows of all pages.",
    ),
    optional: may(
      z.union([Flag, z.int().min(400).max(599)]),
      "True reports a failure as omitted; a status takes that answer as null.",
      false,
    ),
  })
  .meta({ id: "CallStep", description: "A step that sends an operation." });

const ValueStep = z
  .strictObject({
    id,
    value: key(ExpressionText, "Over the roots: what later steps see."),
    when: may(ExpressionText, "The step runs where this holds; else it is null."),
  })
  .meta({ id: "ValueStep", description: "A step that computes a value from earlier ones." });

const Arazzo = z.strictObject({ arazzo: key(Text, "An Arazzo 1.0 workflow: file#workflowId.") });

export const Steps = z.union([z.array(z.union([CallStep, ValueStep])).min(1), Arazzo]);

const Alias = z
  .union([
    z.strictObject({
      pattern: key(Text, "What the caller wrote, an RE2 pattern."),
      to: key(ValueText, "The identifier, made of ${captures[N]} without a call."),
    }),
    z.strictObject({
      pattern: key(Text, "What the caller wrote, an RE2 pattern."),
      operation: key(OperationName, "The operation that finds it."),
      args: may(Args, "What is sent where; ${captures[N]} is what the pattern found."),
      ids: key(ExpressionText, "Over the body: every candidate."),
    }),
  ])
  .meta({ id: "Alias", description: "Another way in which callers name such a thing." });

export const Entities = z.record(
  z.string(),
  z
    .strictObject({
      from: key(Text, "The tool that lists them."),
      field: key(Text, "The column that holds the identifier."),
      aliases: may(z.array(Alias), "Other ways to name one."),
    })
    .meta({ id: "Entity", description: "Where identifiers of one kind come from." }),
);

export const States = z.record(
  z.string(),
  z
    .strictObject({
      operation: key(OperationName, "The safe operation that is asked."),
      args: may(Args, "What is sent where."),
      when: key(ExpressionText, "Over the body: whether the state holds."),
    })
    .meta({ id: "State", description: "A state of the upstream, as it says itself." }),
);
export type CallStepEntry = z.infer<typeof CallStep>;
export type ValueStepEntry = z.infer<typeof ValueStep>;
export type StepsEntry = z.infer<typeof Steps>;
