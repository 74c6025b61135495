import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Problem } from "../../../src/model/problem.ts";
import { run } from "../fake-shell.ts";

const SPEC = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: "https://shop.example.com" }]
components:
  schemas:
    Item: { type: object, properties: { id: { type: string }, price: { type: number }, state: { type: string } } }
paths:
  /items:
    get:
      operationId: listItems
      parameters:
        - { name: colour, in: query, description: The colour of the paint., schema: { type: string, enum: [red, green] } }
        - { name: size, in: query, schema: { type: integer } }
        - { name: where, in: query, schema: { type: string } }
      responses: { "200": { description: ok, content: { application/json: { schema: { type: object, properties: { items: { type: array, items: { $ref: "#/components/schemas/Item" } } } } } } } }
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Item" } } } } }
  /colours:
    get:
      operationId: listColours
      responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`;

const CURATION = `vitrine: 1
api: { spec: ../spec.yaml, overlays: [overlay.yaml] }
server: { name: shop, prefix: shop_ }
tools:
  list_items:
    operation: listItems
    use: List the items of the shop.
    input:
      colour: {}
      size: {}
    filter:
      to: query.where
      dialect: odata
      fields: { price: { type: decimal } }
    result:
      rows: items
      fields:
        id: id
        price: price
    next: { get_item: see one item }
  get_item:
    operation: getItem
    use: Get one item of the shop.
    input: { id: { describe: An id as list_items gives it. } }
  see_colours:
    use: See an item and the colours that there are.
    input: { id: { describe: An id as list_items gives it. } }
    steps:
      - { id: item, operation: getItem, args: { id: "\${input.id}" } }
      - { id: colours, operation: listColours }
    result: { value: { item: steps.item.id, colours: steps.colours } }
`;

const OVERLAY = `overlay: 1.0.0
info: { title: ours, version: "1" }
actions:
  - { target: "$.info", update: { title: Our shop } }
`;

const line = (part: string) => CURATION.split("\n").findIndex((one) => one.includes(part)) + 1;

/** Replaces pieces of the spec; each must be there. */
const newer = (...changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`There is no ${from}`);
    return text.replace(from, to);
  }, SPEC);

async function drift(spec: string, { curation = CURATION, overlay = OVERLAY, present = SPEC } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "drift-"));
  const files = { "spec.yaml": present, "curation/shop.yaml": curation, "curation/overlay.yaml": overlay };
  for (const [name, text] of Object.entries({ ...files, "elsewhere/new.yaml": spec })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const file = join(folder, "curation/shop.yaml");
  const { code, out, err } = await run(["check", "--json", "--spec", join(folder, "elsewhere/new.yaml"), file]);
  if (out === "") return { code, err, found: [], problems: [] };
  const problems = JSON.parse(out) as Problem[];
  const found = problems.map(({ severity, code: name, line: at }) => `${at} ${severity} ${name}`);
  return { code, err, problems, found };
}

test("with the same spec nothing would change", async () => {
  expect(await drift(SPEC)).toMatchObject({ code: 0, found: [] });
});

test("with a spec that differs where nothing of it is used, nothing would change", async () => {
  const spec = newer(['version: "1"', 'version: "2"'], ["paths:", "paths:\n  /other: { get: { responses: {} } }"]);
  expect(await drift(spec)).toMatchObject({ code: 0, found: [] });
});

describe("what would break is an error at the curation's line", () => {
  test.each<readonly [string, string, string[]]>([
    [
      "an operation that is gone",
      newer(["operationId: listItems", "operationId: searchItems"]),
      [`${line("operation: listItems")} error drift_unknown_operation`],
    ],
    [
      "a step's operation that is gone",
      newer(["operationId: listColours", "operationId: getColours"]),
      [`${line("operation: listColours")} error drift_unknown_operation`],
    ],
    [
      "a field that is gone",
      newer(["price: { type: number }, ", ""]),
      [
        `${line("price: price")} error drift_path_not_in_spec`,
        `${line("  get_item:")} error drift_output_field_removed`,
      ],
    ],
    [
      "a parameter that is gone",
      newer(["name: size", "name: length"]),
      [`${line("size: {}")} error drift_unknown_place`],
    ],
    [
      "a parameter that is new and required",
      newer([
        "- { name: size,",
        "- { name: shop, in: query, required: true, schema: { type: string } }\n        - { name: size,",
      ]),
      [`${line("operation: listItems")} error drift_required_unfilled`],
    ],
    [
      "a filter's place that is gone",
      newer(["name: where", "name: q"]),
      [`${line("to: query.where")} error drift_unknown_place`],
    ],
    [
      "a list that is none any more",
      newer(["items: { type: array, items:", "items: { type: object, properties:"]),
      [`${line("rows: items")} error drift_rows_not_a_list`],
    ],
  ])("%s", async (_, spec, want) => {
    const { code, found } = await drift(spec);
    expect(code).toBe(1);
    expect(found).toEqual(expect.arrayContaining(want));
    expect(found.filter((one) => one.includes(" error "))).toStrictEqual(want);
  });
});

describe("what callers would see otherwise is told at the curation's line", () => {
  test.each<readonly [string, string, number, string[]]>([
    [
      "a value that is gone",
      newer(["enum: [red, green]", "enum: [red]"]),
      1,
      [`${line("colour: {}")} error drift_input_enum_narrowed`],
    ],
    [
      "a value that is new",
      newer(["enum: [red, green]", "enum: [red, green, blue]"]),
      0,
      [`${line("colour: {}")} note drift_input_enum_widened`],
    ],
    [
      "words that are other ones",
      newer(["The colour of the paint.", "The colour of the frame."]),
      0,
      [`${line("colour: {}")} warning drift_input_text_changed`],
    ],
    [
      "a type that is another one",
      newer(["name: size, in: query, schema: { type: integer }", "name: size, in: query, schema: { type: string }"]),
      1,
      [`${line("size: {}")} error drift_input_type_changed`],
    ],
    [
      "a field of another type",
      newer(["price: { type: number }", "price: { type: string }"]),
      1,
      [
        `${line("price: price")} error drift_output_type_changed`,
        `${line("  get_item:")} error drift_output_type_changed`,
      ],
    ],
    [
      "an operation that is deprecated",
      newer(["operationId: getItem", "deprecated: true\n      operationId: getItem"]),
      0,
      [
        `${line("operation: getItem")} warning drift_deprecated_operation`,
        `${line("{ id: item, operation")} warning drift_deprecated_operation`,
      ],
    ],
    [
      "a bound",
      newer([
        "name: size, in: query, schema: { type: integer }",
        "name: size, in: query, schema: { type: integer, maximum: 3 }",
      ]),
      1,
      [`${line("size: {}")} error drift_input_bound_tightened`],
    ],
  ])("%s", async (_, spec, exit, want) => {
    const { code, found, problems } = await drift(spec);
    expect(problems.every(({ message, hint }) => message.startsWith("With the new spec: ") && hint !== null)).toBe(
      true,
    );
    expect(found).toStrictEqual(want);
    expect(code).toBe(exit);
  });
});

test("what else would change in a tool that breaks is told too, and nothing of what only lacks it", async () => {
  const spec = newer(["name: size", "name: length"], ["enum: [red, green]", "enum: [red]"]);
  expect(await drift(spec)).toMatchObject({
    code: 1,
    found: [`${line("colour: {}")} error drift_input_enum_narrowed`, `${line("size: {}")} error drift_unknown_place`],
  });
});

test("where what breaks is in no tool, it is said that nothing was compared", async () => {
  const curation = CURATION.replace("overlays:", "serverVariables: { region: eu }, overlays:");
  const present = SPEC.replace("https://shop.example.com", "https://{region}.example.com").replace(
    'com" }',
    'com", variables: { region: { default: eu } } }',
  );
  const { code, found } = await drift(SPEC, { curation, present });
  expect(code).toBe(1);
  expect(found).toStrictEqual([
    `${line("overlays:")} error drift_unknown_server_variable`,
    `${line("tools:")} warning drift_not_compared`,
  ]);
});

test("tools in a group are told at their own lines", async () => {
  const curation = CURATION.replace("prefix: shop_ }", "prefix: shop_, expose: grouped }")
    .replace("  list_items:", "  items.list:")
    .replace("next: { get_item:", "next: { items.get:")
    .replace("  get_item:", "  items.get:");
  const { found } = await drift(newer(["enum: [red, green]", "enum: [red]"]), { curation });
  expect(found).toStrictEqual([`${line("colour: {}")} error drift_input_enum_narrowed`]);
});

test("a tool that proposes one that is gone is compared without its proposal", async () => {
  const suggest = 'suggest: [{ tool: get_item, args: { id: "${item.id}" }, why: see it whole }]';
  const curation = CURATION.replace("next: { get_item: see one item }", suggest);
  const spec = newer(["operationId: getItem", "operationId: readItem"], ["enum: [red, green]", "enum: [red]"]);
  const { found } = await drift(spec, { curation });
  expect(found).toStrictEqual([
    `${line("colour: {}")} error drift_input_enum_narrowed`,
    `${line("operation: getItem")} error drift_unknown_operation`,
    `${line("{ id: item, operation: getItem")} error drift_unknown_operation`,
  ]);
});

test("overlays are applied to the newer spec too", async () => {
  const overlay = `${OVERLAY}  - { target: "$.paths['/colours'].get", update: { operationId: listColours } }\n`;
  const spec = newer(["operationId: listColours", "operationId: getColours"]);
  expect(await drift(spec, { overlay })).toMatchObject({ code: 0, found: [] });
});

test("a curation that does not fit its present spec gives its own errors alone", async () => {
  const curation = CURATION.replace("operation: getItem\n", "operation: getItems\n");
  const { code, found } = await drift(SPEC, { curation });
  expect(code).toBe(1);
  expect(found).toStrictEqual([`${line("operation: getItem")} error unknown_operation`]);
});

test("a newer spec that cannot be read ends with 2", async () => {
  expect(await drift("openapi: [")).toMatchObject({ code: 2, err: expect.stringContaining("new.yaml") });
});
