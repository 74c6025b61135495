import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { curationJsonSchema } from "../../src/curation/print-schema.ts";
import { apiOfText, compileText } from "./compile-text.ts";

// What `vitrine schema` and docs/reference.md tell of a key that is left out is what compiles without it.

const ROWS =
  "{type: object, properties: {rows: {type: array, items: {type: object, properties: {id: {type: string}, n: {type: integer}}}}}}";
const SPEC = `
paths:
  /rows:
    parameters: [{name: page, in: query, schema: {type: integer}}, {name: size, in: query, schema: {type: integer}}, {name: q, in: query, schema: {type: string}}]
    get: {operationId: listRows, responses: {'200': {description: ok, content: {application/json: {schema: ${ROWS}}}}}}
    post: {operationId: addRow, responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}}}
  /ranges:
    get: {operationId: listRanges, responses: {'200': {description: ok, content: {application/json: {schema: ${ROWS}}}}}}
`;

const LIST = { rows: "rows", fields: { id: "id", n: "n" } };

/** Wherever a key with a standard value may stand, once; `at` is where the key is then written out. */
function write(given: Readonly<Record<string, Record<string, unknown>>> = {}): string {
  const at = (place: string) => given[place] ?? {};
  return stringify({
    vitrine: 1,
    api: {
      spec: "spec.yaml",
      pages: [{ style: "page", send: "query.page", size: "query.size", ...at("PageStyle") }],
      ...at("Api"),
    },
    server: { name: "test", ...at("Server") },
    tools: {
      list: {
        operation: "listRows",
        use: "List rows.",
        filter: {
          to: "query.q",
          dialect: "odata",
          fields: { n: { type: "integer", ...at("FilterField") } },
          ...at("Filter"),
        },
        result: {
          ...LIST,
          totals: { measure: "n", walk: { maxPages: 2 }, ...at("Totals") },
          limit: { default: 5, max: 9 },
          ...at("Result"),
        },
        ...at("Tool"),
      },
      group: {
        operation: "listRows",
        use: "Group rows.",
        result: { ...LIST, group: { by: ["id"], sum: ["n"], ...at("Group") } },
      },
      range: {
        operation: "listRanges",
        use: "List rows.",
        pages: { style: "range", size: 10, ...at("PageStyle range") },
        result: LIST,
      },
      each: {
        use: "Look at each row.",
        steps: [
          { id: "all", operation: "listRows" },
          { id: "one", operation: "listRows", forEach: "steps.all.rows", ...at("CallStep") },
        ],
        result: { value: { rows: "steps.one[].item.id" } },
      },
    },
  });
}

async function compile(given?: Parameters<typeof write>[0]): Promise<unknown> {
  const text = write(given);
  const { toolset, problems } = compileText(await apiOfText(SPEC), text);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  return JSON.parse(JSON.stringify({ ...toolset, server: { pageTokenTtlMs: TTL_MS, ...toolset?.server } }));
}
/** Of `open-page-token`: the only one that the toolset leaves to the run. */
const TTL_MS = 15 * 60_000;

interface Printed {
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly oneOf?: readonly Printed[];
  readonly anyOf?: readonly Printed[];
}
const DEFS = new Map(Object.entries((curationJsonSchema() as { $defs: Readonly<Record<string, Printed>> }).$defs));

/** The standard values that the printed schema tells of a kind, by key; those of another page style are another place. */
function standardOf(place: string): Record<string, unknown> {
  const [kind = "", style] = place.split(" ");
  const { properties, oneOf = [], anyOf = [] } = DEFS.get(kind)!;
  const all = [properties ?? {}, ...[...oneOf, ...anyOf].map((one) => one.properties ?? {})];
  const own = Object.fromEntries(
    all
      .flatMap((one) => Object.entries(one))
      .flatMap(([key, one]) => (one.default === undefined ? [] : [[key, one.default]])),
  );
  if (kind !== "PageStyle") return own;
  const { first, unit } = own;
  return style === "range" ? { unit } : { first };
}

const PLACES = [
  "Api",
  "Server",
  "Tool",
  "Filter",
  "FilterField",
  "Result",
  "Totals",
  "Group",
  "PageStyle",
  "PageStyle range",
  "CallStep",
];

test.each(PLACES)("what %s is unless said is what compiles where it is said", async (place) => {
  const standard = standardOf(place);
  expect(Object.keys(standard)).not.toEqual([]);
  expect(parse(write({ [place]: standard }))).not.toEqual(parse(write()));
  expect(await compile({ [place]: standard })).toEqual(await compile());
});

test("no other kind has standard values", () => {
  const told = [...DEFS.keys()].filter((kind) => Object.keys(standardOf(kind)).length > 0);
  expect(told.toSorted()).toEqual([...new Set(PLACES.map((place) => place.split(" ")[0]))].toSorted());
});
