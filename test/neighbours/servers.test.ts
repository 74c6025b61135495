import { describeRows, type Row } from "./run-rows.ts";

// The neighbours of the public cases 010, 011, 012, 062, 063 and 086: where a request goes.

const get = (title: string, spec: string, operation: string, url: string, more: Partial<Row> = {}): Row => ({
  title,
  spec,
  operation,
  args: {},
  expect: { url },
  ...more,
});
const ok = "responses: {'200': {description: ok}}";
const at = (servers: string, path = "/x", more = "") =>
  `openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: ${servers}\npaths: {'${path}': {${more}get: {operationId: x, ${ok}}}}\n`;
const of20 = (head: string) =>
  `swagger: '2.0'\ninfo: {title: t, version: '1'}\n${head}\npaths: {/x: {get: {operationId: x, ${ok}}}}\n`;

await describeRows("servers", [
  get(
    "the operation's before all",
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://root.example'}]\npaths: {/x: {servers: [{url: 'https://path.example'}], get: {servers: [{url: 'https://own.example/o'}], operationId: x, ${ok}}}}`,
    "GET /x",
    "https://own.example/o/x",
  ),
  get(
    "the path's before the root's",
    at("[{url: 'https://root.example'}]", "/x", "servers: [{url: 'https://path.example/p/'}], "),
    "GET /x",
    "https://path.example/p/x",
  ),
  get(
    "the first of several",
    at("[{url: 'https://a.example/v2'}, {url: 'https://b.example'}]"),
    "GET /x",
    "https://a.example/v2/x",
  ),
  get(
    "variables have their defaults",
    at(
      "[{url: 'https://{region}.api.example.com/{v}', variables: {region: {default: eu, enum: [eu, us]}, v: {default: v3}}}]",
    ),
    "GET /x",
    "https://eu.api.example.com/v3/x",
  ),
  get("a port", at("[{url: 'https://api.example.com:8443/v1'}]"), "GET /x", "https://api.example.com:8443/v1/x"),
  get(
    "slashes stay as the path has them",
    at("[{url: 'https://api.example.com/v1/'}]", "/x/"),
    "GET /x/",
    "https://api.example.com/v1/x/",
  ),
  get("the root path", at("[{url: 'https://api.example.com/v1'}]", "/"), "GET /", "https://api.example.com/v1/"),
  get(
    "a base path of 2.0 with a slash",
    of20("host: api.example.com\nbasePath: /v2/\nschemes: [https]"),
    "GET /x",
    "https://api.example.com/v2/x",
  ),
  get("a host of 2.0 alone", of20("host: api.example.com"), "GET /x", "https://api.example.com/x"),
  get(
    "https before http in 2.0",
    of20("host: api.example.com\nschemes: [http, https]"),
    "GET /x",
    "https://api.example.com/x",
  ),
]);

const of32 = (paths: string) =>
  `openapi: 3.2.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://api.example.com'}]\npaths: ${paths}\n`;

await describeRows("paths and methods", [
  get(
    "a fixed query before the parameters, and none of it doubled",
    at(
      "[{url: 'https://api.example.com'}]",
      "/x?a=1&b",
      "parameters: [{name: c, in: query, schema: {type: string}}], ",
    ),
    "GET /x?a=1&b",
    "https://api.example.com/x?a=1&b&c=2",
    { args: { query: { c: "2" } } },
  ),
  get(
    "a template in a fixed query",
    at(
      "[{url: 'https://api.example.com'}]",
      "/x?c={c}",
      "parameters: [{name: c, in: query, schema: {type: string}}], ",
    ),
    "GET /x?c={c}",
    "https://api.example.com/x?c=a%26b",
    { args: { query: { c: "a&b" } } },
  ),
  get(
    "a fragment is nothing that is sent",
    at(
      "[{url: 'https://api.example.com'}]",
      "/x#Action=A",
      "parameters: [{name: c, in: query, schema: {type: string}}], ",
    ),
    "GET /x#Action=A",
    "https://api.example.com/x?c=1",
    { args: { query: { c: "1" } } },
  ),
  get(
    "signs in a path",
    at("[{url: 'https://api.example.com'}]", "/a b/é/$batch(x)/%2F"),
    "GET /a b/é/$batch(x)/%2F",
    "https://api.example.com/a%20b/%C3%A9/$batch(x)/%2F",
  ),
  {
    title: "a method of one's own, with a body",
    spec: of32(
      `{/x: {additionalOperations: {LOCK: {operationId: x, requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}}, ${ok}}}}}`,
    ),
    operation: "LOCK /x",
    args: { body: { a: 1 } },
    expect: { method: "LOCK", body_json: { a: 1 } },
  },
  {
    title: "a query method with a form",
    spec: of32(
      `{/x: {query: {operationId: x, requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}}}}}}, ${ok}}}}`,
    ),
    operation: "QUERY /x",
    args: { body: { a: "b c" } },
    expect: { method: "QUERY", body_form: [["a", "b c"]] },
  },
  {
    title: "the whole query as one form",
    spec: of32(
      `{/x: {get: {operationId: x, parameters: [{name: q, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {a: {type: string}, l: {type: array, items: {type: integer}}}}}}}], ${ok}}}}`,
    ),
    operation: "GET /x",
    args: { querystring: { a: "b c&d", l: [1, 2] } },
    expect: {
      query_decoded: [
        ["a", "b c&d"],
        ["l", "1"],
        ["l", "2"],
      ],
    },
  },
  {
    title: "the whole query as JSON",
    spec: of32(
      `{/x: {get: {operationId: x, parameters: [{name: q, in: querystring, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}], ${ok}}}}`,
    ),
    operation: "GET /x",
    args: { querystring: { a: "b" } },
    expect: { url: "https://api.example.com/x?%7B%22a%22%3A%22b%22%7D" },
  },
  {
    title: "parameters of the path item behind references, headers in any case",
    spec: `openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://api.example.com'}]\npaths: {'/x/{id}': {parameters: [{$ref: '#/components/parameters/Id'}, {name: X-A, in: header, schema: {type: integer}}], get: {operationId: x, parameters: [{name: x-a, in: header, schema: {type: string}}], ${ok}}}}\ncomponents: {parameters: {Id: {name: id, in: path, required: true, schema: {type: string}}}}`,
    operation: "GET /x/{id}",
    args: { path: { id: "1" }, header: { "x-a": "text" } },
    expect: { url: "https://api.example.com/x/1", headers: { "x-a": "text" } },
  },
]);
