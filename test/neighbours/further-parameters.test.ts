import { describeRows, type Row, withParameters } from "./run-rows.ts";

const BASE = "https://api.example.com";
const LIST = "{type: array, items: {type: string}}";
const refused = (text: string) => ({ error: true, no_request: true, result_text_contains: text });

/** One row a query parameter `q`. */
const query = (title: string, schema: string, q: NonNullable<Row["args"]>["body"], expect: Row["expect"]): Row => ({
  title,
  spec: withParameters(`{name: q, in: query, schema: ${schema}}`),
  operation: "GET /x",
  args: { query: { q: q! } },
  expect,
});

const header = (title: string, schema: string, value: object): Row => ({
  title,
  spec: withParameters(`{name: X-L, in: header, schema: ${schema}}`),
  operation: "GET /x",
  args: { header: { "X-L": value as never } },
  expect: { headers_absent: ["x-l"] },
});

await describeRows("a header", [
  header("of an empty list is not sent", LIST, []),
  header("of an empty object is not sent", "{type: object, properties: {a: {type: string}}}", {}),
]);

const swagger = (parameters: string) =>
  `swagger: '2.0'\ninfo: {title: t, version: '1'}\nhost: api.example.com\nschemes: [https]\npaths: {'/x/{p}': {get: {operationId: x, parameters: [${parameters}], responses: {'200': {description: ok}}}}}`;
const of20 = (title: string, format: string, args: Row["args"], expect: Row["expect"]): Row => {
  const rest = `type: array, items: {type: string}, collectionFormat: ${format}`;
  const parameters = ["{name: p, in: path, required: true", "{name: q, in: query", "{name: X-H, in: header"];
  const spec = swagger(parameters.map((start) => `${start}, ${rest}}`).join(", "));
  return { title, spec, operation: "GET /x/{p}", args: args!, expect };
};

await describeRows("a list of Swagger 2.0", [
  of20("by bars in a path", "pipes", { path: { p: ["c", "d"] } }, { url: `${BASE}/x/c%7Cd` }),
  of20("by bars in a path, as JSON text", "pipes", { path: { p: '["c","d"]' } }, { url: `${BASE}/x/c%7Cd` }),
  of20("by spaces in a path", "ssv", { path: { p: ["c", "d"] } }, { url: `${BASE}/x/c%20d` }),
  of20("by tabs in a path", "tsv", { path: { p: ["c", "d e"] } }, { url: `${BASE}/x/c%09d%20e` }),
  of20("by tabs in a query", "tsv", { path: { p: ["c"] }, query: { q: ["a", "b"] } }, { url: `${BASE}/x/c?q=a%09b` }),
  of20(
    "by bars in a header",
    "pipes",
    { path: { p: ["c"] }, header: { "X-H": ["a", "b,"] } },
    { headers: { "x-h": "a|b," } },
  ),
  of20("by bars, with one inside", "pipes", { path: { p: ["c|d"] } }, refused("separates the items")),
  of20("by a name that there is not", "csb", { path: { p: ["c", "d"] } }, { url: `${BASE}/x/c,d` }),
]);

await describeRows("one text for a list of texts", [
  query("is that list", LIST, "a", { url: `${BASE}/x?q=a` }),
  query("is not where it says that there is none", LIST, "null", refused("a list")),
  query("is not as another language says that", LIST, "None", refused("a list")),
  query("is not where it is code", LIST, '```json\n["a"]\n```', refused("a list")),
  query("is where it is one of the values", "{type: array, items: {type: string, enum: [None, All]}}", "None", {
    url: `${BASE}/x?q=None`,
  }),
]);

await describeRows("a pattern", [
  query("between slashes is what stands there", "{type: string, pattern: /^x+$/}", "xx", { url: `${BASE}/x?q=xx` }),
  query("between slashes is enforced", "{type: string, pattern: /^x+$/}", "y", refused("pattern")),
  query("between slashes, in any case", "{type: string, pattern: /^x+$/i}", "XX", { url: `${BASE}/x?q=XX` }),
  query("with slashes of its own stays", "{type: string, pattern: '/x/'}", "a/x/b", { url: `${BASE}/x?q=a%2Fx%2Fb` }),
]);

await describeRows("a part of a path", [
  ...["", " ", ";v=1"].map(
    (id): Row => ({
      title: `that is ${JSON.stringify(id)} is named as empty`,
      spec: withParameters("{name: id, in: path, required: true, schema: {type: string}}", "/x/{id}"),
      operation: "GET /x/{id}",
      args: { path: { id } },
      expect: refused("empty or blank"),
    }),
  ),
]);
