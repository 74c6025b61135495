import type { Json } from "../../src/model/json.ts";
import { describeRows, type Row, withBody } from "./run-rows.ts";

// The neighbours of the public cases 010, 023, 030 to 053 and 078 to 084: other media types, nesting and versions.

const post = (title: string, spec: string, body: Json, expect: Row["expect"], more: Partial<Row> = {}): Row => ({
  title,
  spec,
  operation: "POST /x",
  args: { body },
  expect,
  ...more,
});
const json = (schema: string, more?: string, head?: string) =>
  withBody(`{application/json: {schema: ${schema}}}`, more, head);
const FORM = "application/x-www-form-urlencoded";

await describeRows("forms", [
  post(
    "nested objects in brackets",
    withBody(
      `{${FORM}: {schema: {type: object, properties: {m: {type: object, properties: {a: {type: object, properties: {b: {type: integer}}}, l: {type: array, items: {type: string}}}}}}, encoding: {m: {style: deepObject, explode: true}}}}`,
    ),
    { m: { a: { b: 1 }, l: ["x", "y"] } },
    {
      body_form: [
        ["m[a][b]", "1"],
        ["m[l][0]", "x"],
        ["m[l][1]", "y"],
      ],
      headers: { "content-type": FORM },
    },
  ),
  post(
    "nested objects as JSON where nothing is said",
    withBody(`{${FORM}: {schema: {type: object, properties: {m: {type: object, properties: {a: {type: integer}}}}}}}`),
    { m: { a: 1 } },
    { body_form: [["m", '{"a":1}']] },
  ),
  post(
    "a joined list",
    withBody(
      `{${FORM}: {schema: {type: object, properties: {l: {type: array, items: {type: integer}}}}, encoding: {l: {style: form, explode: false}}}}`,
    ),
    { l: [1, 2] },
    { body_text: "l=1,2" },
  ),
  post(
    "a list as JSON",
    withBody(
      `{${FORM}: {schema: {type: object, properties: {l: {type: array, items: {type: integer}}}}, encoding: {l: {contentType: application/json}}}}`,
    ),
    { l: [1, 2] },
    { body_form: [["l", "[1,2]"]] },
  ),
  post(
    "an integer beyond 2^53, a null, an empty text",
    withBody(
      `{${FORM}: {schema: {type: object, properties: {i: {type: integer, format: int64}, n: {type: [string, 'null']}, e: {type: string}}}}}`,
    ),
    { i: "9007199254740993", n: null, e: "" },
    { body_text: "i=9007199254740993&e=" },
  ),
  post(
    "signs that separate",
    withBody(`{${FORM}: {schema: {type: object, properties: {'a[b]': {type: string}}}}}`),
    { "a[b]": "x=1&y+z é%" },
    { body_form: [["a[b]", "x=1&y+z é%"]] },
  ),
  post(
    "of Swagger 2.0",
    `swagger: '2.0'\ninfo: {title: t, version: '1'}\nhost: api.example.com\nschemes: [https]\npaths: {/x: {post: {operationId: x, consumes: [${FORM}], parameters: [{name: a, in: formData, type: string}, {name: l, in: formData, type: array, items: {type: integer}, collectionFormat: multi}, {name: c, in: formData, type: array, items: {type: integer}}], responses: {'200': {description: ok}}}}}`,
    { a: "b c", l: [1, 2], c: [3, 4] },
    {
      body_form: [
        ["a", "b c"],
        ["l", "1"],
        ["l", "2"],
        ["c", "3,4"],
      ],
      url: "https://api.example.com/x",
    },
  ),
]);

const multipart = (properties: string, encoding = "", head = "") =>
  withBody(
    `{multipart/form-data: {schema: {type: object, properties: {${properties}}}${encoding && `, encoding: {${encoding}}`}}}`,
    "required: true",
    head,
  );
const png = "data:image/png;name=a.png;base64,iVBORw==";

await describeRows("multipart", [
  post(
    "a data URI",
    multipart("file: {type: string, format: binary}"),
    { file: png },
    { parts: [{ name: "file", filename: "a.png", type: "image/png", base64: "iVBORw==" }] },
  ),
  post(
    "a text as a file",
    multipart("file: {type: string, format: binary}", "file: {contentType: text/csv}"),
    { file: "a,b\n" },
    { parts: [{ name: "file", filename: "file", type: "text/csv", text: "a,b\n" }] },
  ),
  post(
    "several files",
    multipart("files: {type: array, items: {type: string, format: binary}}"),
    { files: [png, "x"] },
    {
      parts: [
        { name: "files", filename: "a.png", type: "image/png", base64: "iVBORw==" },
        { name: "files", filename: "files", type: "application/octet-stream", text: "x" },
      ],
    },
  ),
  post(
    "a file of 3.1",
    multipart("file: {type: string, contentMediaType: image/png}"),
    { file: png },
    { parts: [{ name: "file", filename: "a.png", type: "image/png", base64: "iVBORw==" }] },
  ),
  post(
    "a file that only its encoding tells",
    multipart("file: {type: string}", "file: {contentType: 'image/png, image/jpeg'}"),
    { file: png },
    { parts: [{ name: "file", filename: "a.png", type: "image/png", base64: "iVBORw==" }] },
  ),
  post(
    "a file without a type",
    multipart("file: {}"),
    { file: png },
    { parts: [{ name: "file", filename: "a.png", type: "image/png", base64: "iVBORw==" }] },
  ),
  post(
    "a text that looks like a file",
    multipart("note: {type: string}"),
    { note: png },
    { parts: [{ name: "note", text: png }] },
  ),
  post(
    "JSON, booleans, lists of objects, nulls",
    multipart(
      "o: {type: object, properties: {a: {type: integer, format: int64}}}, b: {type: boolean}, l: {type: array, items: {type: object, properties: {a: {type: integer}}}}, n: {type: [string, 'null']}",
    ),
    { o: { a: "9007199254740993" }, b: true, l: [{ a: 1 }, { a: 2 }], n: null },
    {
      parts: [
        { name: "o", type: "application/json", text: '{"a":9007199254740993}' },
        { name: "b", text: "true" },
        { name: "l", type: "application/json", text: '{"a":1}' },
        { name: "l", type: "application/json", text: '{"a":2}' },
      ],
    },
  ),
  post(
    "a JSON part of a dialect",
    multipart("o: {type: object, properties: {a: {type: integer}}}", "o: {contentType: application/vnd.o+json}"),
    { o: { a: 1 } },
    { parts: [{ name: "o", type: "application/vnd.o+json", text: '{"a":1}' }] },
  ),
  post(
    "a file of Swagger 2.0",
    `swagger: '2.0'\ninfo: {title: t, version: '1'}\nhost: api.example.com\nschemes: [https]\npaths: {/x: {post: {operationId: x, consumes: [multipart/form-data], parameters: [{name: file, in: formData, type: file, required: true}, {name: n, in: formData, type: integer}, {name: c, in: formData, type: array, items: {type: string}}], responses: {'200': {description: ok}}}}}`,
    { file: png, n: 1, c: ["a", "b"] },
    {
      parts: [
        { name: "file", filename: "a.png", type: "image/png", base64: "iVBORw==" },
        { name: "n", text: "1" },
        { name: "c", text: "a,b" },
      ],
      headers_match: { "content-type": "^multipart/form-data; boundary=" },
    },
  ),
  post(
    "an object that is no file in JSON",
    json("{type: object, properties: {file: {type: string, format: binary}}}"),
    { file: "x" },
    { body_json: { file: "x" } },
  ),
  post(
    "base64 that is none",
    multipart("file: {type: string, format: binary}"),
    { file: "data:;base64,***" },
    { error: true, no_request: true },
  ),
]);

await describeRows("other bodies", [
  post("bytes without a schema", withBody("{application/octet-stream: {}}"), "data:;base64,AAH/", {
    body_base64: "AAH/",
    headers: { "content-type": "application/octet-stream" },
  }),
  post("a PDF", withBody("{application/pdf: {schema: {type: string}}}"), "data:application/pdf;base64,AAH/", {
    body_base64: "AAH/",
    headers: { "content-type": "application/pdf" },
  }),
  post("any image", withBody("{'image/*': {schema: {type: string, format: binary}}}"), "data:image/png;base64,AAH/", {
    body_base64: "AAH/",
    headers: { "content-type": "image/png" },
  }),
  post(
    "XML that the spec describes as an object",
    withBody("{application/xml: {schema: {type: object, properties: {a: {type: string}}}}}"),
    "<a/>",
    { body_text: "<a/>", headers: { "content-type": "application/xml" } },
    { only: "whole" },
  ),
  post("a text that is JSON", withBody("{text/plain: {schema: {type: string}}}"), '{"a":1}', {
    body_text: '{"a":1}',
    headers: { "content-type": "text/plain" },
  }),
  post("a text without a schema", withBody("{text/plain: {}}"), "12", { body_text: "12" }),
  post("a text in its charset", withBody("{'text/plain; charset=utf-8': {schema: {type: string}}}"), "é", {
    body_text: "é",
    headers: { "content-type": "text/plain; charset=utf-8" },
  }),
  post(
    "lines of JSON",
    withBody("{application/x-ndjson: {schema: {type: object, properties: {a: {type: integer}}}}}"),
    [{ a: 1 }, { a: 2 }],
    { body_text: '{"a":1}\n{"a":2}\n', headers: { "content-type": "application/x-ndjson" } },
    { only: "whole" },
  ),
]);
