import type { CaseArgs } from "../cases-runner/read-case.ts";
import { describeRows, type Row, withParameters } from "./run-rows.ts";

// The neighbours of the public cases 012, 044, 048, 053 and 060 to 086: other styles, places, types and templates.

const get = (title: string, parameters: string, args: CaseArgs, url: string, path?: string): Row => ({
  title,
  spec: withParameters(parameters, path),
  operation: `GET ${path ?? "/x"}`,
  args,
  expect: { method: "GET", url: `https://api.example.com${url}` },
});
const list = "schema: {type: array, items: {type: string}}";
const object = "schema: {type: object, properties: {k: {type: string}, m: {type: string}}}";
const km = { k: "a,b", m: "c d" };

await describeRows("paths", [
  get(
    "simple, a list",
    `{name: p, in: path, required: true, ${list}}`,
    { path: { p: ["a/b", "c,d"] } },
    "/x/a%2Fb,c%2Cd",
    "/x/{p}",
  ),
  get(
    "simple, an object",
    `{name: p, in: path, required: true, ${object}}`,
    { path: { p: km } },
    "/x/k,a%2Cb,m,c%20d",
    "/x/{p}",
  ),
  get(
    "label, joined",
    `{name: p, in: path, required: true, style: label, ${list}}`,
    { path: { p: ["a", "b"] } },
    "/x/.a,b",
    "/x/{p}",
  ),
  get(
    "matrix, joined, alone in its segment",
    `{name: p, in: path, required: true, style: matrix, ${list}}`,
    { path: { p: ["a", ".."] } },
    "/x/;p=a,..",
    "/x/{p}",
  ),
  get(
    "matrix, an exploded object",
    `{name: p, in: path, required: true, style: matrix, explode: true, ${object}}`,
    { path: { p: km } },
    "/x/;k=a%2Cb;m=c%20d/y",
    "/x/{p}/y",
  ),
  get(
    "two in one segment",
    `{name: a, in: path, required: true, schema: {type: string}}, {name: b, in: path, required: true, schema: {type: integer}}`,
    { path: { a: "x.y", b: 2 } },
    "/x/x.y..2.json",
    "/x/{a}..{b}.json",
  ),
  get(
    "a name with a dash, a verb behind a colon",
    `{name: user-id, in: path, required: true, schema: {type: string}}`,
    { path: { "user-id": "a:b" } },
    "/x/a%3Ab:undelete",
    "/x/{user-id}:undelete",
  ),
  get("one that nobody declared", "", { path: { id: "1" } }, "/x/1", "/x/{id}"),
  get(
    "one in parentheses",
    `{name: id, in: path, required: true, schema: {type: string}}`,
    { path: { id: "O'Neil" } },
    "/Users(O'Neil)",
    "/Users({id})",
  ),
  get(
    "an integer beyond 2^53",
    `{name: id, in: path, required: true, schema: {type: integer, format: int64}}`,
    { path: { id: "-9223372036854775808" } },
    "/x/-9223372036854775808",
    "/x/{id}",
  ),
]);

await describeRows("headers and cookies", [
  {
    title: "an exploded object in a header",
    spec: withParameters(`{name: X-P, in: header, explode: true, ${object}}`),
    operation: "GET /x",
    args: { header: { "X-P": { k: "1", m: "a b" } } },
    expect: { headers: { "x-p": "k=1,m=a b" } },
  },
  {
    title: "an object in a header",
    spec: withParameters(`{name: X-P, in: header, ${object}}`),
    operation: "GET /x",
    args: { header: { "x-p": { k: "1", m: "2" } } },
    expect: { headers: { "x-p": "k,1,m,2" } },
  },
  {
    title: "JSON in a header",
    spec: withParameters(
      "{name: X-P, in: header, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}",
    ),
    operation: "GET /x",
    args: { header: { "X-P": { a: "é" } } },
    expect: { headers: { "x-p": '{"a":"\\u00e9"}' } },
  },
  {
    title: "a header that is not ASCII",
    spec: withParameters("{name: X-P, in: header, schema: {type: string}}"),
    operation: "GET /x",
    args: { header: { "X-P": "a" } },
    expect: { headers: { "x-p": "a" }, error_for: { "X-P": "é" } },
  },
  {
    title: "a header with a line break in a list",
    spec: withParameters(`{name: X-P, in: header, ${list}}`),
    operation: "GET /x",
    args: { header: { "X-P": ["a", "b"] } },
    expect: { headers: { "x-p": "a,b" }, error_for: { "X-P": ["a\nb"] } },
  },
  {
    title: "an integer and a boolean in headers",
    spec: withParameters(
      "{name: X-N, in: header, schema: {type: integer, format: int64}}, {name: X-B, in: header, schema: {type: boolean}}",
    ),
    operation: "GET /x",
    args: { header: { "X-N": "9007199254740993", "X-B": true } },
    expect: { headers: { "x-n": "9007199254740993", "x-b": "true" } },
  },
  {
    title: "a cookie with signs of its own",
    spec: withParameters(
      "{name: a, in: cookie, schema: {type: string}}, {name: 'b c', in: cookie, schema: {type: boolean}}",
    ),
    operation: "GET /x",
    args: { cookie: { a: "x=1;\r\ny", "b c": true } },
    expect: { headers: { cookie: "a=x%3D1%3B%0D%0Ay; b%20c=true" } },
  },
  {
    title: "a joined list in a cookie",
    spec: withParameters(`{name: a, in: cookie, explode: false, ${list}}`),
    operation: "GET /x",
    args: { cookie: { a: ["x", "y,z"] } },
    expect: { headers: { cookie: "a=x,y%2Cz" } },
  },
  {
    title: "a cookie beside a key in a cookie",
    spec: `security: [{k: []}]\ncomponents: {securitySchemes: {k: {type: apiKey, in: cookie, name: sid}}}\n${withParameters("{name: a, in: cookie, schema: {type: string}}, {name: sid, in: cookie, schema: {type: string}}")}`,
    operation: "GET /x",
    args: { cookie: { a: "1" } },
    credentials: { k: "K;1" },
    expect: { headers: { cookie: "a=1; sid=K%3B1" }, tool: { input_absent: ["sid"] } },
  },
  {
    title: "no cookie and no header for null",
    spec: withParameters(
      "{name: a, in: cookie, schema: {type: string}}, {name: X-A, in: header, schema: {type: string}}",
    ),
    operation: "GET /x",
    args: { cookie: { a: null }, header: { "X-A": null } },
    expect: { headers_absent: ["cookie", "x-a"] },
  },
]);
