import { expect, test } from "vitest";
import { makeManifest } from "../../../src/surface/manifest.ts";
import type { Manifest } from "../../../src/surface/manifest-format.ts";
import { apiOfText, compileText, shown } from "../../compile/compile-text.ts";
import { told } from "./compare-builder.ts";

// Names of tools and their groups, as people edit them: what stays callable as it was is not told, and what does not is.

const reply =
  "responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}";
const byId =
  "parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: view, in: query, schema: {type: string}}]";
const search = "parameters: [{name: q, in: query, schema: {type: string}}]";
const SPEC = `
paths:
  /bills: {get: {operationId: listBills, ${search}, ${reply}}}
  /bills/{id}: {get: {operationId: getBill, ${byId}, ${reply}}}
  /users: {get: {operationId: listUsers, ${search}, ${reply}}}
  /users/{id}: {get: {operationId: getUser, ${byId}, ${reply}}}
`;

const TOOLS = `
  bill.list: {operation: listBills, use: Find the bills of the shop., input: {q: {}}}
  bill.get: {operation: getBill, use: Read one bill of the shop., input: {id: {}}, aliases: [fetch_bill]}
  user.list: {operation: listUsers, use: Find the people of the shop., input: {q: {}}}
  user.get: {operation: getUser, use: Read one person of the shop., input: {id: {}}}
`;
/** Old names of a group are its actions. */
const GROUPED = TOOLS.replace(", aliases: [fetch_bill]", "");

async function manifestOf(tools: string, expose = "flat"): Promise<Manifest> {
  const text = `vitrine: 1\napi: {spec: spec.yaml}\nserver: {name: shop, expose: ${expose}}\ntools:${tools}`;
  const { toolset, problems } = compileText(await apiOfText(SPEC), text);
  if (toolset === undefined) throw new Error(shown(problems).join("\n"));
  return makeManifest(toolset, { vitrine: "1.0.0", from: [] });
}

/** Of what it costs nothing is told. */
const names = (base: Manifest, head: Manifest) =>
  told(base, head).filter((one) => !one.includes("list_tokens_changed"));

test("another separator says nothing to callers of groups", async () => {
  const [one, other] = [
    await manifestOf(GROUPED, "grouped"),
    await manifestOf(GROUPED, "{as: grouped, separator: __}"),
  ];
  expect([names(one, other), names(other, one)]).toStrictEqual([[], []]);
});

test("another discriminator is told of each group, and nothing beside it", async () => {
  const [one, other] = [
    await manifestOf(GROUPED, "grouped"),
    await manifestOf(GROUPED, "{as: grouped, discriminator: op}"),
  ];
  expect(names(one, other)).toStrictEqual([
    "BREAKING discriminator_changed bill/group/discriminator",
    "BREAKING discriminator_changed user/group/discriminator",
  ]);
});

test("an action that moves is told, and nothing of the groups that lose and win it", async () => {
  const [one, other] = [
    await manifestOf(GROUPED, "grouped"),
    await manifestOf(GROUPED.replace("bill.get", "user.bill"), "grouped"),
  ];
  expect([names(one, other), names(other, one)]).toStrictEqual([
    ["BREAKING tool_renamed user/bill/name"],
    ["BREAKING tool_renamed bill/get/name"],
  ]);
});

test("names that change places each call another tool", async () => {
  const swapped = GROUPED.replace("bill.get", "x").replace("user.get", "bill.get").replace("x", "user.get");
  const found = names(await manifestOf(GROUPED), await manifestOf(swapped)).filter((one) => one.startsWith("BREAKING"));
  expect(found).toStrictEqual(["BREAKING name_taken bill_get/name", "BREAKING name_taken user_get/name"]);
});

test("the old names of a tool that another one stands in for are told where that does not have them", async () => {
  const stands = (aliases: string) =>
    TOOLS.replace(/ {2}bill\.get.*\n/, "").replace("input: {id: {}}}", `input: {id: {}}, aliases: [${aliases}]}`);
  const base = await manifestOf(TOOLS);
  const of = (found: readonly string[]) => found.filter((one) => one.startsWith("BREAKING"));
  expect(of(names(base, await manifestOf(stands("bill_get"))))).toStrictEqual([
    "BREAKING alias_removed user_get/aliases",
  ]);
  expect(of(names(base, await manifestOf(stands("bill_get, fetch_bill"))))).toStrictEqual([]);
});

test("a suggestion of a tool that has another name now is not told beside the name", async () => {
  const base = TOOLS.replace("[fetch_bill]", "[fetch_bill], suggest: [{tool: user.list, args: {}, why: see who}]");
  const head = base
    .replaceAll("user.list", "user.all")
    .replace("the people of the shop., ", "the people of the shop., aliases: [user_list], ");
  expect(names(await manifestOf(base), await manifestOf(head))).toStrictEqual([
    "BEHAVIOUR tool_renamed_served user_all/name",
  ]);
});

test("a new input whose default is sent changes calls as they were", async () => {
  const base = await manifestOf(GROUPED);
  const withView = async (view: string) =>
    manifestOf(
      GROUPED.replace(
        "one bill of the shop., input: {id: {}}",
        `one bill of the shop., input: {id: {}, view: ${view}}`,
      ),
    );
  const added = "COMPATIBLE optional_input_added bill_get/inputSchema/properties/view";
  expect(names(base, await withView("{}"))).toStrictEqual([added]);
  expect(names(base, await withView("{default: full}"))).toStrictEqual([
    "BEHAVIOUR input_default_changed bill_get/conduct/defaults/view",
    added,
  ]);
});

const DEEP = `
paths:
  /bills:
    get:
      operationId: listBills
      parameters:
        - {name: code, in: query, schema: {type: integer, enum: [1, 2]}}
        - {name: place, in: query, style: deepObject, schema: {type: object, properties: {city: {type: string}}}}
      ${reply}
`;

test.each([
  [
    "a further code that is a number",
    "enum: [1, 2]",
    "enum: [1, 2, 3]",
    "input_enum_widened bill_list/inputSchema/properties/code/enum",
  ],
  [
    "a further name in an object",
    "{city: {type: string}}",
    "{city: {type: string}, zip: {type: string}}",
    "optional_input_added bill_list/inputSchema/properties/place/properties/zip",
  ],
])("%s makes no other requests", async (_, from, to, want) => {
  const make = async (spec: string) => {
    const text = `vitrine: 1\napi: {spec: spec.yaml}\nserver: {name: shop}\ntools: {bill.list: {operation: listBills, use: Find the bills of the shop., input: {code: {}, place: {}}}}`;
    const { toolset } = compileText(await apiOfText(spec), text);
    return makeManifest(toolset!, { vitrine: "1.0.0", from: [] });
  };
  expect(names(await make(DEEP), await make(DEEP.replace(from, to)))).toStrictEqual([`COMPATIBLE ${want}`]);
});
