import { describe, expect, test } from "vitest";
import { close, conduct, IN, list, type Patch, runTable, small, told } from "./compare-builder.ts";

// Two lists that differ in one thing, and what is told of it, there and back: what they feel beside the schemas.

describe("conduct", () => {
  const both = (rule: string, path: string): [string[], string[]] => [[`${rule} ${path}`], [`${rule} ${path}`]];
  runTable([
    [
      "another operation",
      conduct({ operations: ["GET /v2/bugs"] }),
      ...both("BEHAVIOUR operations_changed", "/conduct/operations"),
    ],
    [
      "another operation, and with it other requests",
      conduct({ operations: ["GET /v2/bugs"], requests: { operation: "GET /v2/bugs" } }),
      ...both("BEHAVIOUR operations_changed", "/conduct/operations"),
    ],
    [
      "a further scope",
      conduct({ access: ["token", "token: all"] }),
      ["BREAKING access_added /conduct/access"],
      ["COMPATIBLE access_removed /conduct/access"],
    ],
    [
      "other requests alone",
      conduct({ requests: { "value query.kind": "3" } }),
      ...both("UNKNOWN requests_changed", "/conduct/requests"),
    ],
    [
      "other replies alone",
      conduct({ replies: { rows: "3" } }),
      ...both("UNKNOWN replies_changed", "/conduct/replies"),
    ],
    [
      "a further input, and with it other requests",
      list({
        inputSchema: { properties: { team: { type: "string" } } },
        conduct: { requests: { "value query.team": "as-given $team" } },
      }),
      [`COMPATIBLE optional_input_added ${IN}/team`],
      [`BREAKING input_removed ${IN}/team`],
    ],
    [
      "another text does not make other requests",
      list({ title: "Bugs", conduct: { requests: { "value query.kind": "3" } } }),
      ["UNKNOWN requests_changed /conduct/requests", "BEHAVIOUR title_changed /title"],
      ["UNKNOWN requests_changed /conduct/requests", "BEHAVIOUR title_changed /title"],
    ],
    [
      "a state less",
      conduct({ states: undefined }),
      ["COMPATIBLE states_widened /conduct/states"],
      ["BREAKING states_narrowed /conduct/states"],
    ],
    [
      "a state more",
      conduct({ states: ["open", "trial"] }),
      ["COMPATIBLE states_widened /conduct/states"],
      ["BREAKING states_narrowed /conduct/states"],
    ],
    [
      "it goes without a pin",
      conduct({ unpinned: ["tenant"] }),
      ["BREAKING pin_dropped /conduct/unpinned"],
      ["BEHAVIOUR pin_carried /conduct/unpinned"],
    ],
    [
      "the default limit, in schema, words and conduct",
      list({ inputSchema: { properties: { limit: { default: 10 } } }, conduct: { limit: { default: 10 } } }),
      ...both("BEHAVIOUR default_limit_changed", "/conduct/limit/default"),
    ],
    [
      "the largest limit, in schema, words and conduct",
      list({
        inputSchema: { properties: { limit: { maximum: 50, description: "The most rows. 1 to 50." } } },
        conduct: { limit: { max: 50 } },
      }),
      ["BREAKING max_limit_lowered /conduct/limit/max"],
      ["COMPATIBLE max_limit_raised /conduct/limit/max"],
    ],
    [
      "no limit any more",
      list({ inputSchema: { properties: { limit: undefined } }, conduct: { limit: undefined } }),
      [`BREAKING input_removed ${IN}/limit`],
      ["BEHAVIOUR default_limit_changed /conduct/limit/default", `COMPATIBLE optional_input_added ${IN}/limit`],
    ],
    ["the budget", conduct({ budget: 24_000 }), ...both("BEHAVIOUR budget_changed", "/conduct/budget")],
    ["the deadline", conduct({ deadlineMs: 1_000 }), ...both("BEHAVIOUR deadline_changed", "/conduct/deadlineMs")],
    ["the order of rows", conduct({ order: ["cost"] }), ...both("BEHAVIOUR order_changed", "/conduct/order")],
    [
      "how totals are made",
      conduct({ totals: { count: "totals.all" } }),
      ...both("BEHAVIOUR totals_changed", "/conduct/totals"),
    ],
    [
      "how rows are added up",
      conduct({ group: { maxPages: 9 } }),
      ...both("BEHAVIOUR grouping_changed", "/conduct/group"),
    ],
    [
      "fewer rows are read whole",
      conduct({ all: 500 }),
      ["BREAKING read_whole_lowered /conduct/all"],
      ["BEHAVIOUR read_whole_changed /conduct/all"],
    ],
    ["how text is cut", conduct({ text: { tail: 100 } }), ...both("BEHAVIOUR text_cut_changed", "/conduct/text")],
    [
      "how upstream pages are asked for",
      conduct({ pages: undefined }),
      ...both("BEHAVIOUR paging_changed", "/conduct/pages"),
    ],
    [
      "what errors are called",
      conduct({ errors: [{ on: "404", error: "gone", recover: "List them first." }] }),
      ...both("BEHAVIOUR errors_changed", "/conduct/errors"),
    ],
    [
      "what is suggested",
      conduct({ suggest: ["4444444444444444 @close_bug"] }),
      ...both("BEHAVIOUR suggestions_changed", "/conduct/suggest"),
    ],
    [
      "it no longer asks",
      close({ inputSchema: { properties: { confirm: undefined } }, conduct: { confirm: undefined } }),
      ["BREAKING confirm_removed close_bug/conduct/confirm"],
      ["BREAKING confirm_added close_bug/conduct/confirm"],
    ],
    [
      "only a person can agree",
      close({ conduct: { confirm: { human: true } } }),
      ["BREAKING confirm_human_added close_bug/conduct/confirm/human"],
      ["BREAKING confirm_human_removed close_bug/conduct/confirm/human"],
    ],
    [
      "what it asks",
      close({ conduct: { confirm: { text: "Really?" } } }),
      ...both("BEHAVIOUR confirm_text_changed", "close_bug/conduct/confirm/text"),
    ],
    [
      "writes carry no key",
      close({ conduct: { keyed: undefined } }),
      ["BEHAVIOUR key_dropped close_bug/conduct/keyed"],
      ["COMPATIBLE key_added close_bug/conduct/keyed"],
    ],
    ["what no rule knows", conduct({ cached: 30 }), ...both("UNKNOWN unclassified_change", "/conduct/cached")],
  ]);
});

describe("filters", () => {
  const filter = (patch: Patch): Patch => conduct({ filter: patch });
  const AT = "/conduct/filter";
  runTable([
    [
      "there is none any more",
      list({
        inputSchema: { properties: { filter: undefined } },
        conduct: { filter: { offered: false, fields: {}, depth: 0 } },
      }),
      [`BREAKING filter_removed ${AT}/offered`],
      [`COMPATIBLE filter_added ${AT}/offered`],
    ],
    [
      "a field is gone, in schema and conduct",
      list({
        inputSchema: { properties: { filter: { properties: { field: { enum: ["status"] } } } } },
        conduct: { filter: { fields: { size: undefined } } },
      }),
      [`BREAKING filter_field_removed ${AT}/fields/size`],
      [`COMPATIBLE filter_field_added ${AT}/fields/size`],
    ],
    [
      "an operator is gone",
      filter({ fields: { size: { ops: ["eq"] } } }),
      [`BREAKING filter_op_removed ${AT}/fields/size/ops`],
      [`COMPATIBLE filter_op_added ${AT}/fields/size/ops`],
    ],
    [
      "a value is gone",
      filter({ fields: { status: { values: ["new"] } } }),
      [`BREAKING filter_values_removed ${AT}/fields/status/values`],
      [`COMPATIBLE filter_values_added ${AT}/fields/status/values`],
    ],
    [
      "any value is taken",
      filter({ fields: { status: { values: undefined } } }),
      [`COMPATIBLE filter_values_added ${AT}/fields/status/values`],
      [`BREAKING filter_values_removed ${AT}/fields/status/values`],
    ],
    [
      "a field has another type",
      filter({ fields: { size: { type: "decimal" } } }),
      [`BREAKING filter_field_type_changed ${AT}/fields/size/type`],
      [`BREAKING filter_field_type_changed ${AT}/fields/size/type`],
    ],
    [
      "rows without a value",
      filter({ fields: { size: { nullable: false } } }),
      [`BEHAVIOUR filter_nulls_changed ${AT}/fields/size/nullable`],
      [`BEHAVIOUR filter_nulls_changed ${AT}/fields/size/nullable`],
    ],
    [
      "less depth",
      filter({ depth: 1 }),
      [`BREAKING filter_depth_lowered ${AT}/depth`],
      [`COMPATIBLE filter_depth_raised ${AT}/depth`],
    ],
    [
      "another language",
      filter({ dialects: ["odata"] }),
      [`BEHAVIOUR filter_dialect_changed ${AT}/dialects`],
      [`BEHAVIOUR filter_dialect_changed ${AT}/dialects`],
    ],
    [
      "further fields of the upstream",
      filter({ from: "GET /fields" }),
      [`COMPATIBLE filter_from_added ${AT}/from`],
      [`BREAKING filter_from_removed ${AT}/from`],
    ],
    [
      "what always holds",
      filter({ always: undefined }),
      [`BREAKING filter_always_removed ${AT}/always`],
      [`BEHAVIOUR filter_always_added ${AT}/always`],
    ],
    [
      "a filter must be given",
      filter({ required: true }),
      [`BREAKING filter_required ${AT}/required`],
      [`COMPATIBLE filter_optional ${AT}/required`],
    ],
  ]);

  test("further fields come from another list", () => {
    const from = (operation: string) => small(filter({ from: operation }));
    expect(told(from("GET /a"), from("GET /b"))).toStrictEqual([`UNKNOWN filter_from_changed ${AT}/from`]);
  });
});
