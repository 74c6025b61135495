import { beforeAll, expect, test } from "vitest";
import type { DiffFinding } from "../../../src/surface/diff/change.ts";
import { run } from "../fake-shell.ts";
import { GIT_ENV, openRepository, type Repository, shopCuration, shopPart, shopSpec } from "./a-repository.ts";

// A HEAD of which a part has errors is compared without that part, which is told at the line where it stands.

const FILE = "curation/shop.yaml";
const curation = `${shopCuration()}  get_first:
    operation: listItems
    use: Read the first item.
    result:
      value:
        id: items[0].id
        name: items[0].name
  list_colours:
    operation: listColours
    use: Find colours.
    result: { rows: "@", fields: { name: name }, limit: { default: 10, max: 20 } }
`;
const colours = `  /colours:
    get:
      operationId: listColours
      responses: { "200": { description: OK, content: { application/json: { schema: { type: array, items: { type: object, properties: { name: { type: string } } } } } } } }
`;
const items = `Items: { type: object, properties: { items: { type: array, items: { $ref: "one.yaml#/Item" } } } }
Colour: { $ref: "one.yaml#/Colour" }
`;
const lineOf = (text: string) => curation.split("\n").indexOf(text) + 1;

let repository: Repository;
beforeAll(() => {
  repository = openRepository();
  repository.commit({
    "specs/shop.yaml": shopSpec() + colours,
    "specs/parts/items.yaml": items,
    "specs/parts/one.yaml": shopPart(),
    [FILE]: curation,
  });
});

async function found(files: Readonly<Record<string, string>>): Promise<string[]> {
  repository.git("checkout", "-q", "--", ".");
  repository.write(files);
  const { code, out, err } = await run(["diff", "--json", `git:main:${repository.path(FILE)}`], { env: GIT_ENV });
  expect([code, err]).toStrictEqual([1, expect.stringContaining("is compared without what is wrong")]);
  return (JSON.parse(out) as DiffFinding[])
    .filter((one) => one.class === "BREAKING")
    .map(({ rule, tool, cause, line }) => `${rule} ${tool} ${cause} ${line}`);
}

test("an entry of a built value goes by itself", async () => {
  expect(await found({ "specs/parts/one.yaml": shopPart().replace(", name: { type: string }", "") })).toStrictEqual([
    `output_field_removed shop_get_first spec ${lineOf("        name: items[0].name")}`,
    `output_field_removed shop_list_items spec ${lineOf("      fields: { id: id, name: name }")}`,
  ]);
});

test("a tool without its operation goes whole, and is told where it stands", async () => {
  expect(await found({ "specs/shop.yaml": shopSpec() })).toStrictEqual([
    `tool_removed shop_list_colours spec ${lineOf("  list_colours:")}`,
  ]);
});
