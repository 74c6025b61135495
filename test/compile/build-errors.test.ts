import { expect, test } from "vitest";
import { openReport } from "../../src/compile/open-report.ts";
import { buildErrors } from "../../src/compile/reply/build-errors.ts";
import { nameToolsInInputs } from "../../src/compile/words/name-tools-in-inputs.ts";
import { nameTools } from "../../src/compile/words/tool-names.ts";
import { apiOf, curationOf, inputOf } from "./spec-stub.ts";

function build(errors: readonly object[]) {
  const curation = curationOf({ list_fields: { operation: "a" }, query: { operation: "b", errors } }, { prefix: "p_" });
  const context = {
    curation,
    api: apiOf({}),
    inputs: [inputOf("field", { kind: "string" })],
    pins: [],
    names: nameTools(curation),
  };
  const built = buildErrors(curation.content.tools.query!, ["tools", "query"], context);
  return { errors: built.errors, problems: built.problems.map(({ code, file, hint }) => [code, file, hint]) };
}

test("an error rule keeps its order, its status as text, and leads to tools by the names that callers see", () => {
  expect(
    build([
      {
        status: 404,
        when: "code == 'X' && contains(body.detail, $.input.field)",
        error: "no_field",
        recover: "Call `list_fields`.",
      },
      { status: "4XX", error: "refused", recover: "Ask." },
      { error: "failed", recover: "Wait." },
    ]),
  ).toEqual({
    errors: [
      {
        status: "404",
        when: { jmespath: "code == 'X' && contains(body.detail, $.input.field)" },
        error: "no_field",
        recover: "Call `p_list_fields`.",
      },
      { status: "4XX", error: "refused", recover: "Ask." },
      { error: "failed", recover: "Wait." },
    ],
    problems: [],
  });
});

test.each<[string, object, unknown[]]>([
  [
    "what an answer does not have",
    { when: "kode == 'X'" },
    ["path_not_in_spec", "tools.query.errors.0.when", 'Did you mean "code"?'],
  ],
  [
    "no input",
    { when: "$.input.feild == code" },
    ["unknown_input", "tools.query.errors.0.when", 'Did you mean "field"?'],
  ],
  [
    "a tool's name with a slip",
    { recover: "Call `list_field`." },
    ["unknown_tool_name", "tools.query.errors.0.recover", 'Did you mean "list_fields"?'],
  ],
])("%s is found", (_, entry, want) => {
  expect(build([{ error: "e", recover: "r", ...entry }]).problems).toEqual([want]);
});

test("what an author says of an input leads to tools by the names that callers see, what the spec says stays", () => {
  const curation = curationOf(
    {
      list_fields: { operation: "a" },
      query: { operation: "b", input: { a: { describe: "See `list_fields`, `list_field`." }, b: {} } },
    },
    { prefix: "p_" },
  );
  const report = openReport(curation);
  const said = (name: string, description: string) => inputOf(name, { kind: "string", description });
  const inputs = [said("a", "See `list_fields`, `list_field`."), said("b", "Of `list_fields`.")];
  const tool = curation.content.tools.query!;
  const named = nameToolsInInputs(inputs, tool, ["tools", "query"], nameTools(curation), report);
  expect(named.map(({ type }) => type.description)).toEqual([
    "See `p_list_fields`, `list_field`.",
    "Of `list_fields`.",
  ]);
  expect(report.problems).toMatchObject([{ code: "unknown_tool_name", file: "tools.query.input.a.describe" }]);
});
