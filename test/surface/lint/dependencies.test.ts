import { describe, expect, test } from "vitest";
import type { Schema } from "../../../src/model/schema.ts";
import { DEPENDENCY_RULES } from "../../../src/surface/lint/rules/dependency-rules.ts";
import { findDependent } from "../../../src/surface/lint/rules/find-dependent.ts";
import { MEANING_RULES } from "../../../src/surface/lint/rules-reply/meaning-rules.ts";
import { type LintCase, lintWith } from "./lint-with.ts";

const text = "{type: string}";
const spec = (schema: string): string => `paths:
  /payments:
    post:
      operationId: pay
      requestBody: {required: true, content: {application/json: {schema: ${schema}}}}
      responses: {'200': {description: Fine, content: {application/json: {schema: {type: object, properties: {id: ${text}}}}}}}
`;
const FORMS = `{type: object, properties: {card: ${text}, account: ${text}, amount: {type: integer}}, anyOf: [{required: [card]}, {required: [account]}]}`;
const pay = (schema: string, input: string, use = "Pay a bill."): LintCase => ({
  spec: spec(schema),
  server: "writes: true",
  tools: `pay: {operation: pay, use: ${use}, input: {${input}}}`,
});
const said = (describe: string): string => `{describe: ${describe}}`;
const SIDES = ["if", "then", "else"];
const when = (...sides: readonly Schema[]): Schema => Object.fromEntries(sides.map((side, at) => [SIDES[at], side]));
const AT = "warning inputs_depend tools.pay.input";

describe("inputs that depend on each other", () => {
  test.each<readonly [string, LintCase, readonly string[]]>([
    ["are told where no text says so", pay(FORMS, "card: {}, account: {}"), [`${AT}.card`]],
    [
      "are told where each is described by itself",
      pay(FORMS, `card: ${said("The card to pay with.")}, account: ${said("The account to pay from.")}`),
      [`${AT}.card`],
    ],
    [
      "are not told where one names the other",
      pay(FORMS, `card: ${said("Needed without an account.")}, account: {}`),
      [],
    ],
    [
      "are not told where the tool names both",
      pay(FORMS, "card: {}, account: {}", "Pay a bill with `card` or `account`."),
      [],
    ],
    [
      "are told where the tool names one alone",
      pay(FORMS, "card: {}, account: {}", "Pay a bill by card."),
      [`${AT}.card`],
    ],
    ["are no question where callers have one of them", pay(FORMS, "card: {}, amount: {}"), []],
    [
      "are told of a property that hangs on another",
      pay(
        `{type: object, properties: {card: ${text}, code: ${text}}, dependentRequired: {card: [code]}}`,
        "card: {}, code: {}",
      ),
      [`${AT}.card`],
    ],
    [
      "are told once, whatever leads to them",
      pay(
        `{type: object, properties: {card: ${text}, code: ${text}}, dependentRequired: {card: [code], code: [card]}}`,
        "card: {}, code: {}",
      ),
      [`${AT}.card`],
    ],
    [
      "are told inside one input",
      pay(
        `{type: object, properties: {source: {type: object, properties: {card: ${text}, code: ${text}}, dependentRequired: {card: [code]}}}}`,
        "source: {}",
      ),
      [`${AT}.source`],
    ],
    [
      "are not told inside one input where a property's text says it",
      pay(
        `{type: object, properties: {source: {type: object, properties: {card: ${text}, code: {type: string, description: Needed with card.}}, dependentRequired: {card: [code]}}}}`,
        "source: {}",
      ),
      [],
    ],
    [
      "are not told where the compiler says the forms of an object",
      pay(
        `{type: object, properties: {source: {oneOf: [{type: object, required: [card], properties: {card: ${text}}}, {type: object, required: [account], properties: {account: ${text}}}]}}}`,
        "source: {}",
      ),
      [],
    ],
    [
      "are no question where both are always needed",
      pay(`{type: object, required: [card, code], properties: {card: ${text}, code: ${text}}}`, "card: {}, code: {}"),
      [],
    ],
  ])("%s", async (_, given, want) => {
    expect(await lintWith(DEPENDENCY_RULES, given)).toStrictEqual(want);
  });

  test.each<readonly [string, Schema, readonly (readonly string[])[]]>([
    ["nothing where there is no choice", { required: ["a", "b"] }, []],
    [
      "what one form needs and another does not",
      { anyOf: [{ required: ["a"] }, { required: ["b", "c"] }] },
      [["a", "b", "c"]],
    ],
    [
      "what tells the forms apart",
      {
        anyOf: [
          { properties: { type: { const: "card" } }, required: ["type", "number"] },
          { properties: { type: { enum: ["bank"] } }, required: ["type", "iban"] },
        ],
      },
      [["type", "number", "iban"]],
    ],
    [
      "a condition with what it asks for",
      when({ properties: { type: { const: "card" } } }, { required: ["number"] }, { required: ["iban"] }),
      [["type", "number", "iban"]],
    ],
    ["what a form asks in itself", { anyOf: [when({ required: ["a"] }, { required: ["b"] }), {}] }, [["a", "b"]]],
    ["nothing of null beside one form", { anyOf: [{ type: "null" }, { required: ["a", "b"] }] }, []],
    [
      "a name of Object's own",
      { anyOf: [{ required: ["constructor", "a"] }, { required: ["constructor", "b"] }] },
      [["a", "b"]],
    ],
  ])("a check tells %s", (_, schema, want) => {
    expect([...findDependent(schema)].map(({ names }) => names)).toStrictEqual(want);
  });
});

test.each([
  ["", []],
  ["structured: true", []],
  ["structured: false", ["note output_schema_missing server.structured"]],
])("replies without a schema with `server: {%s}`", async (server, want) => {
  const given = { ...pay(FORMS, "card: {}"), server: ["writes: true", server].filter(Boolean).join(", ") };
  const found = await lintWith(MEANING_RULES, given);
  expect(found).toStrictEqual(want);
});
