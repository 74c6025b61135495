import { describe, expect, test } from "vitest";
import {
  column,
  conduct,
  IN,
  input,
  list,
  ROW,
  type Row,
  runTable,
  SAID,
  SMALL,
  said,
  small,
  told,
} from "./compare-builder.ts";

// Two lists that differ in one thing, and what is told of it, there and back: what callers write and read.

describe("inputs", () => {
  runTable([
    [
      "an input is gone",
      input("when", undefined),
      [`BREAKING input_removed ${IN}/when`],
      [`COMPATIBLE optional_input_added ${IN}/when`],
    ],
    [
      "an input is renamed",
      list({
        inputSchema: {
          properties: { owner: undefined, ownerName: SMALL.tools["list_bugs"]!.inputSchema.properties!["owner"] },
        },
      }),
      [`BREAKING input_renamed ${IN}/owner`],
      [`BREAKING input_renamed ${IN}/ownerName`],
    ],
    [
      "a required input is new",
      list({ inputSchema: { properties: { team: { type: "string" } }, required: ["project", "team"] } }),
      [`BREAKING required_input_added ${IN}/team`],
      [`BREAKING input_removed ${IN}/team`],
    ],
    [
      "an optional input is new",
      input("team", { type: "string" }),
      [`COMPATIBLE optional_input_added ${IN}/team`],
      [`BREAKING input_removed ${IN}/team`],
    ],
    [
      "an optional input becomes required",
      list({ inputSchema: { required: ["project", "owner"] } }),
      [`BREAKING input_required ${IN}/owner`],
      [`COMPATIBLE input_optional ${IN}/owner`],
    ],
    [
      "a default makes a required input optional",
      list({
        inputSchema: {
          properties: { project: { default: "X", description: "The key of the project. Default: X." } },
          required: [],
        },
        conduct: { defaults: { project: "X" } },
      }),
      [`COMPATIBLE input_optional ${IN}/project`],
      [`BREAKING input_required ${IN}/project`],
    ],
    [
      "an inner property becomes required",
      input("place", { required: ["city", "zip"] }),
      [`BREAKING input_required ${IN}/place/properties/zip`],
      [`COMPATIBLE input_optional ${IN}/place/properties/zip`],
    ],
    [
      "a type is another",
      input("count", { type: "boolean" }),
      [`BREAKING input_type_changed ${IN}/count/type`],
      [`BREAKING input_type_changed ${IN}/count/type`],
    ],
    [
      "a type is wider",
      input("count", { type: "number" }),
      [`COMPATIBLE input_type_widened ${IN}/count/type`],
      [`BREAKING input_type_changed ${IN}/count/type`],
    ],
    [
      "an item's type is another",
      input("label", { items: { type: "integer" } }),
      [`BREAKING input_type_changed ${IN}/label/items/type`],
      [`BREAKING input_type_changed ${IN}/label/items/type`],
    ],
    [
      "a value is gone",
      input("state", { enum: ["open"] }),
      [`BREAKING input_enum_narrowed ${IN}/state/enum`],
      [`COMPATIBLE input_enum_widened ${IN}/state/enum`],
    ],
    [
      "one value takes the place of another",
      input("state", { enum: ["open", "done"] }),
      [`BREAKING input_enum_narrowed ${IN}/state/enum`, `COMPATIBLE input_enum_widened ${IN}/state/enum`],
      [`BREAKING input_enum_narrowed ${IN}/state/enum`, `COMPATIBLE input_enum_widened ${IN}/state/enum`],
    ],
    [
      "free text becomes a choice",
      input("project", { enum: ["a"] }),
      [`BREAKING input_enum_narrowed ${IN}/project/enum`],
      [`COMPATIBLE input_enum_widened ${IN}/project/enum`],
    ],
    ...[
      ["count", "minimum", 2],
      ["count", "maximum", 49],
      ["owner", "minLength", 2],
      ["owner", "maxLength", 39],
      ["label", "maxItems", 4],
      ["label", "minItems", 1],
      ["project", "maxLength", 9],
    ].map(
      ([name, keyword, value]): Row => [
        `${keyword} of ${name} is tighter`,
        input(String(name), { [keyword!]: value }),
        [`BREAKING input_bound_tightened ${IN}/${name}/${keyword}`],
        [`COMPATIBLE input_bound_relaxed ${IN}/${name}/${keyword}`],
      ],
    ),
    [
      "a pattern is another",
      input("owner", { pattern: "^[a-z]*$" }),
      [`UNKNOWN input_pattern_changed ${IN}/owner/pattern`],
      [`UNKNOWN input_pattern_changed ${IN}/owner/pattern`],
    ],
    [
      "a pattern is gone",
      input("owner", { pattern: undefined }),
      [`COMPATIBLE input_pattern_removed ${IN}/owner/pattern`],
      [`BREAKING input_pattern_added ${IN}/owner/pattern`],
    ],
    [
      "a format is gone",
      input("when", { format: undefined }),
      [`COMPATIBLE input_format_removed ${IN}/when/format`],
      [`BREAKING input_format_added ${IN}/when/format`],
    ],
    [
      "further arguments are refused",
      list({ inputSchema: { additionalProperties: false } }),
      ["BREAKING input_closed /inputSchema/additionalProperties"],
      ["COMPATIBLE input_opened /inputSchema/additionalProperties"],
    ],
    [
      "a keyword that no rule knows",
      input("count", { multipleOf: 5 }),
      [`UNKNOWN input_keyword_changed ${IN}/count/multipleOf`],
      [`UNKNOWN input_keyword_changed ${IN}/count/multipleOf`],
    ],
    [
      "a default is another, in schema, words and conduct",
      list({
        inputSchema: { properties: { state: { default: "closed", description: "Which bugs. Default: closed." } } },
        conduct: { defaults: { state: "closed" } },
      }),
      ["BEHAVIOUR input_default_changed /conduct/defaults/state"],
      ["BEHAVIOUR input_default_changed /conduct/defaults/state"],
    ],
    [
      "a moment by default is another",
      list({
        inputSchema: { properties: { since: { description: "From when on. Default: 7 days ago." } } },
        conduct: { defaults: { since: "7 days ago" } },
      }),
      ["BEHAVIOUR input_default_changed /conduct/defaults/since"],
      ["BEHAVIOUR input_default_changed /conduct/defaults/since"],
    ],
    [
      "the text is another",
      input("owner", { description: "Whose it is." }),
      [`BEHAVIOUR input_text_changed ${IN}/owner/description`],
      [`BEHAVIOUR input_text_changed ${IN}/owner/description`],
    ],
    [
      "the text says more than the default that changed",
      list({
        inputSchema: { properties: { since: { description: "Up to when. Default: 7 days ago." } } },
        conduct: { defaults: { since: "7 days ago" } },
      }),
      [
        "BEHAVIOUR input_default_changed /conduct/defaults/since",
        `BEHAVIOUR input_text_changed ${IN}/since/description`,
      ],
      [
        "BEHAVIOUR input_default_changed /conduct/defaults/since",
        `BEHAVIOUR input_text_changed ${IN}/since/description`,
      ],
    ],
    [
      "the upstream's form is another",
      conduct({ inputs: { since: { form: "unix-ms" } } }),
      ["BREAKING input_form_changed /conduct/inputs/since/form"],
      ["BREAKING input_form_changed /conduct/inputs/since/form"],
    ],
    [
      "an end is read in another way",
      conduct({ inputs: { since: { end: "inclusive" } } }),
      ["BEHAVIOUR input_end_changed /conduct/inputs/since/end"],
      ["BEHAVIOUR input_end_changed /conduct/inputs/since/end"],
    ],
    [
      "an input names a thing",
      conduct({ inputs: { owner: { entity: "user" } } }),
      ["BEHAVIOUR input_entity_added /conduct/inputs/owner/entity"],
      ["BREAKING input_entity_changed /conduct/inputs/owner/entity"],
    ],
    [
      "values are checked against a list",
      conduct({ inputs: { owner: { valuesFrom: "GET /users" } } }),
      ["BREAKING input_values_checked /conduct/inputs/owner/valuesFrom"],
      ["COMPATIBLE input_values_unchecked /conduct/inputs/owner/valuesFrom"],
    ],
    [
      "checks beyond the schema are others",
      conduct({ inputs: { owner: { checks: "bbbbbbbbbbbbbbbb" } } }),
      ["UNKNOWN input_checks_changed /conduct/inputs/owner/checks"],
      ["UNKNOWN input_checks_changed /conduct/inputs/owner/checks"],
    ],
    [
      "null is taken too, which its schema does not say",
      conduct({ inputs: { owner: { takes: ["null"] } } }),
      ["COMPATIBLE input_type_widened /conduct/inputs/owner/takes"],
      ["BREAKING input_type_changed /conduct/inputs/owner/takes"],
    ],
    [
      "there are no more checks beyond the schema",
      conduct({ inputs: { owner: undefined } }),
      ["COMPATIBLE input_checks_removed /conduct/inputs/owner/checks"],
      ["BREAKING input_checks_added /conduct/inputs/owner/checks"],
    ],
  ]);

  test("values come from another list", () => {
    const from = (operation: string) => small(conduct({ inputs: { owner: { valuesFrom: operation } } }));
    expect(told(from("GET /users"), from("GET /people"))).toStrictEqual([
      "UNKNOWN input_values_source_changed /conduct/inputs/owner/valuesFrom",
    ]);
  });
});

describe("replies", () => {
  runTable([
    [
      "a column is gone",
      column("when", undefined),
      [`BREAKING output_field_removed ${ROW}/when`],
      [`COMPATIBLE output_field_added ${ROW}/when`],
    ],
    [
      "a column is renamed",
      list({
        outputSchema: {
          properties: {
            data: { items: { properties: { cost: undefined, billedCost: { type: "number", minimum: 0 } } } },
          },
        },
        conduct: { fields: { cost: undefined, billedCost: { form: "minor USD", unit: "USD", round: 2 } } },
      }),
      [`BREAKING output_field_renamed ${ROW}/cost`],
      [`BREAKING output_field_renamed ${ROW}/billedCost`],
    ],
    [
      "a type is another",
      column("id", { type: "integer" }),
      [`BREAKING output_type_changed ${ROW}/id/type`],
      [`BREAKING output_type_changed ${ROW}/id/type`],
    ],
    [
      "a type is narrower",
      column("cost", { type: "integer" }),
      [`COMPATIBLE output_type_narrowed ${ROW}/cost/type`],
      [`BREAKING output_type_changed ${ROW}/cost/type`],
    ],
    [
      "a column may be null",
      column("id", { type: undefined }),
      [`BEHAVIOUR output_nullable ${ROW}/id/type`],
      [`COMPATIBLE output_never_null ${ROW}/id/type`],
    ],
    [
      "a column is no longer promised",
      list({ outputSchema: { properties: { data: { items: { required: [] } } } } }),
      [`BREAKING output_field_optional ${ROW}/id`],
      [`COMPATIBLE output_field_promised ${ROW}/id`],
    ],
    [
      "a column has a further value",
      column("status", { enum: ["new", "done", "lost"] }),
      [`BEHAVIOUR output_enum_widened ${ROW}/status/enum`],
      [`COMPATIBLE output_enum_narrowed ${ROW}/status/enum`],
    ],
    [
      "a bound of a column is relaxed",
      column("cost", { minimum: undefined }),
      [`BEHAVIOUR output_bound_relaxed ${ROW}/cost/minimum`],
      [`COMPATIBLE output_bound_tightened ${ROW}/cost/minimum`],
    ],
    [
      "a column has no format",
      column("when", { format: undefined }),
      [`BREAKING output_format_changed ${ROW}/when/format`],
      [`COMPATIBLE output_format_added ${ROW}/when/format`],
    ],
    [
      "a keyword that no rule knows",
      column("cost", { multipleOf: 5 }),
      [`UNKNOWN output_keyword_changed ${ROW}/cost/multipleOf`],
      [`UNKNOWN output_keyword_changed ${ROW}/cost/multipleOf`],
    ],
    [
      "the text of a column is another",
      column("text", { description: "What happened." }),
      [`BEHAVIOUR output_text_changed ${ROW}/text/description`],
      [`BEHAVIOUR output_text_changed ${ROW}/text/description`],
    ],
    [
      "there is no output schema",
      list({ outputSchema: undefined }),
      ["BREAKING output_schema_removed /outputSchema"],
      ["COMPATIBLE output_schema_added /outputSchema"],
    ],
    [
      "a list becomes an object",
      list({
        outputSchema: {
          properties: { data: undefined, rowCount: undefined, bugs: { type: "array" } },
          required: undefined,
        },
      }),
      ["BREAKING output_root_changed /outputSchema"],
      ["BREAKING output_root_changed /outputSchema"],
    ],
    [
      "no reply is structured, and no tool has an output schema",
      { server: { structured: false }, tools: { list_bugs: { outputSchema: undefined } } },
      ["BREAKING structured_removed server/server/structured"],
      ["COMPATIBLE structured_added server/server/structured"],
    ],
    [
      "a unit is another",
      conduct({ fields: { cost: { unit: "EUR" } } }),
      ["BREAKING field_unit_changed /conduct/fields/cost/unit"],
      ["BREAKING field_unit_changed /conduct/fields/cost/unit"],
    ],
    [
      "a unit is no longer said",
      conduct({ fields: { cost: { unit: undefined } } }),
      ["BEHAVIOUR field_unit_declared /conduct/fields/cost/unit"],
      ["BEHAVIOUR field_unit_declared /conduct/fields/cost/unit"],
    ],
    [
      "a form is another",
      conduct({ fields: { cost: { form: "minor JPY" } } }),
      ["BREAKING field_form_changed /conduct/fields/cost/form"],
      ["BREAKING field_form_changed /conduct/fields/cost/form"],
    ],
    [
      "a column is clipped later",
      conduct({ fields: { text: { clip: 200 } } }),
      ["BEHAVIOUR field_clip_changed /conduct/fields/text/clip"],
      ["BEHAVIOUR field_clip_changed /conduct/fields/text/clip"],
    ],
    [
      "a column is rounded",
      conduct({ fields: { cost: { round: 0 } } }),
      ["BEHAVIOUR field_round_changed /conduct/fields/cost/round"],
      ["BEHAVIOUR field_round_changed /conduct/fields/cost/round"],
    ],
  ]);

  test("what is inside a column is no longer told, and told again", () => {
    const [whole, untold] = [small(column("assignee", { properties: { id: {}, name: {} } })), small()];
    expect(told(whole, untold)).toStrictEqual([`UNKNOWN output_inside_untold ${ROW}/assignee`]);
    expect(told(untold, whole)).toStrictEqual([`COMPATIBLE output_inside_told ${ROW}/assignee`]);
  });

  test("a pattern of a column cannot be compared", () => {
    const with_ = (pattern: string) => small(column("id", { pattern }));
    expect(told(with_("^a"), with_("^b"))).toStrictEqual([`UNKNOWN output_pattern_changed ${ROW}/id/pattern`]);
  });
});

describe("what the spec says of a reply", () => {
  runTable([
    [
      "a type is another",
      said("id", { type: "integer" }),
      [`BREAKING output_type_changed ${SAID}/id/type`],
      [`BREAKING output_type_changed ${SAID}/id/type`],
    ],
    [
      "of another type nothing else is told",
      said("when", { type: "integer", format: "unix-time", nullable: true }),
      [`BREAKING output_type_changed ${SAID}/when/type`],
      [`BREAKING output_type_changed ${SAID}/when/type`],
    ],
    [
      "one type more",
      said("id", { type: "integer|string" }),
      [`BREAKING output_type_changed ${SAID}/id/type`],
      [`COMPATIBLE output_type_narrowed ${SAID}/id/type`],
    ],
    [
      "only integers",
      said("cost", { type: "integer" }),
      [`COMPATIBLE output_type_narrowed ${SAID}/cost/type`],
      [`BREAKING output_type_changed ${SAID}/cost/type`],
    ],
    [
      "a type is no longer told",
      said("id", { type: undefined }),
      [`UNKNOWN output_type_untold ${SAID}/id/type`],
      [`COMPATIBLE output_type_told ${SAID}/id/type`],
    ],
    [
      "nothing is told any more",
      conduct({ said: undefined }),
      ["UNKNOWN output_type_untold /conduct/said/type"],
      ["COMPATIBLE output_type_told /conduct/said/type"],
    ],
    [
      "a value may be null",
      said("id", { nullable: true }),
      [`BEHAVIOUR output_nullable ${SAID}/id/nullable`],
      [`COMPATIBLE output_never_null ${SAID}/id/nullable`],
    ],
    [
      "a value need not be there",
      said("id", { optional: true }),
      [`BREAKING output_field_optional ${SAID}/id/optional`],
      [`COMPATIBLE output_field_promised ${SAID}/id/optional`],
    ],
    [
      "a further value",
      said("status", { enum: ["done", "lost", "new"] }),
      [`BEHAVIOUR output_enum_widened ${SAID}/status/enum`],
      [`COMPATIBLE output_enum_narrowed ${SAID}/status/enum`],
    ],
    [
      "any value",
      said("status", { enum: undefined }),
      [`BEHAVIOUR output_enum_widened ${SAID}/status/enum`],
      [`COMPATIBLE output_enum_narrowed ${SAID}/status/enum`],
    ],
    [
      "other ones of many values",
      said("country", { enumDigest: "250 values, 1111111111111111" }),
      [`UNKNOWN output_enum_unclear ${SAID}/country/enum`],
      [`UNKNOWN output_enum_unclear ${SAID}/country/enum`],
    ],
    [
      "something else below what is compared",
      said("country", { below: "1111111111111111" }),
      [`COMPATIBLE output_below_added ${SAID}/country/below`],
      [`UNKNOWN output_below_changed ${SAID}/country/below`],
    ],
    [
      "few in place of many values",
      said("country", { enumDigest: undefined, enum: ["DE"] }),
      [`UNKNOWN output_enum_unclear ${SAID}/country/enum`],
      [`UNKNOWN output_enum_unclear ${SAID}/country/enum`],
    ],
    [
      "a format is another",
      said("when", { format: "date" }),
      [`BREAKING output_format_changed ${SAID}/when/format`],
      [`BREAKING output_format_changed ${SAID}/when/format`],
    ],
    [
      "a format is gone",
      said("when", { format: undefined }),
      [`BREAKING output_format_changed ${SAID}/when/format`],
      [`COMPATIBLE output_format_added ${SAID}/when/format`],
    ],
    [
      "a number may be longer",
      said("size", { format: "int64" }),
      [`BEHAVIOUR output_bound_relaxed ${SAID}/size/format`],
      [`COMPATIBLE output_bound_tightened ${SAID}/size/format`],
    ],
    [
      "a number may be as long as it likes",
      said("size", { format: undefined }),
      [`BEHAVIOUR output_bound_relaxed ${SAID}/size/format`],
      [`COMPATIBLE output_bound_tightened ${SAID}/size/format`],
    ],
    [
      "inside a value",
      said("assignee", { properties: { login: { type: "integer" } } }),
      [`BREAKING output_type_changed ${SAID}/assignee/properties/login/type`],
      [`BREAKING output_type_changed ${SAID}/assignee/properties/login/type`],
    ],
    [
      "the items of a list",
      said("labels", { items: { type: "object" } }),
      [`BREAKING output_type_changed ${SAID}/labels/items/type`],
      [`BREAKING output_type_changed ${SAID}/labels/items/type`],
    ],
    ["names are told of the output schema", said("id", undefined), [], []],
  ]);

  const unshown = (name: string, is: object | undefined) =>
    small(list({ outputSchema: undefined }), said(name, is as never));
  test("where no schema shows the names, they are told of it", () => {
    const [whole, less] = [unshown("id", {}), unshown("id", undefined)];
    expect(told(whole, less)).toStrictEqual([`BREAKING output_field_removed ${SAID}/id`]);
    expect(told(less, whole)).toStrictEqual([`COMPATIBLE output_field_added ${SAID}/id`]);
  });
});
