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

await describeRows("JSON bodies", [
  post(
    "integers beyond 2^53 in objects, lists and maps",
    json(
      "{type: object, properties: {a: {type: object, properties: {id: {type: integer, format: int64}}}, l: {type: array, items: {type: integer, format: int64}}, m: {type: object, additionalProperties: {type: integer, format: int64}}}}",
    ),
    { a: { id: "9007199254740993" }, l: ["9007199254740995", 1], m: { k: "9007199254740997" } },
    { body_text: '{"a":{"id":9007199254740993},"l":[9007199254740995,1],"m":{"k":9007199254740997}}' },
  ),
  post(
    "an integer beyond 2^53 in a choice",
    json(
      "{type: object, properties: {a: {oneOf: [{type: object, required: [id], properties: {id: {type: integer, format: int64, minimum: 1}}}, {type: object, required: [name], properties: {name: {type: string}}}]}}}",
    ),
    { a: { id: "9007199254740993" } },
    { body_text: '{"a":{"id":9007199254740993}}' },
  ),
  post(
    "a list of integers beyond 2^53",
    json("{type: array, items: {type: integer, format: int64}}"),
    ["9007199254740993"],
    { body_text: "[9007199254740993]" },
  ),
  post("an integer beyond 2^53", json("{type: integer, format: int64}"), "9007199254740993", {
    body_text: "9007199254740993",
    headers: { "content-type": "application/json" },
  }),
  post("a boolean", json("{type: boolean}"), false, { body_text: "false" }),
  post("a number", json("{type: number}"), 0.1, { body_text: "0.1" }),
  post("a text", json("{type: string}"), 'a"b', { body_text: '"a\\"b"' }),
  post(
    "a map",
    json("{type: object, additionalProperties: {type: integer}}"),
    { a: 1, "b c": 2 },
    { body_json: { a: 1, "b c": 2 } },
  ),
  post(
    "a list of objects",
    json("{type: array, items: {type: object, properties: {'@type': {type: string}, v: {type: [number, 'null']}}}}"),
    [{ "@type": "t", v: null }],
    { body_json: [{ "@type": "t", v: null }] },
  ),
  post("a list of lists", json("{type: array, items: {type: array, items: {type: integer}}}"), [[1], []], {
    body_json: [[1], []],
  }),
  post(
    "an enum of numbers",
    json("{type: object, properties: {a: {enum: [1, 2.5, 'x', true]}}}"),
    { a: 2.5 },
    { body_json: { a: 2.5 } },
  ),
  post(
    "names that no client takes",
    json(
      "{type: object, properties: {'a.b': {type: string}, 'a b': {type: string}, 'a[b]': {type: object, properties: {$c: {type: integer}}}, constructor: {type: string}}}",
    ),
    { "a.b": "1", "a b": "2", "a[b]": { $c: 3 }, constructor: "4" },
    {
      body_json: { "a.b": "1", "a b": "2", "a[b]": { $c: 3 }, constructor: "4" },
      tool: { property_key_pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$" },
    },
  ),
  post(
    "further names of a type",
    json(
      "{type: object, properties: {a: {type: string}, o: {type: object, properties: {b: {type: string}}, additionalProperties: true}}}",
    ),
    { a: "1", o: { b: "2", z: [1] } },
    { body_json: { a: "1", o: { z: [1], b: "2" } } },
  ),
  post(
    "lists and objects as text",
    json(
      "{type: object, properties: {o: {type: object, properties: {l: {type: array, items: {type: integer}}}}, n: {type: integer}}}",
    ),
    { o: '{"l":"[1,2]"}', n: "7" },
    { body_json: { o: { l: [1, 2] }, n: 7 } },
  ),
  post(
    "an optional body without anything",
    json("{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}", ""),
    {},
    { no_body: true, headers_absent: ["content-type"] },
    { only: "apart" },
  ),
  post(
    "an optional body with a part of what it needs",
    json("{type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}", ""),
    { b: "x" },
    { error: true, no_request: true },
  ),
  post(
    "an object inside with a part of what it needs",
    json(
      "{type: object, properties: {o: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}}}",
    ),
    { o: { b: "x" } },
    { error: true, no_request: true },
  ),
  post(
    "a required body of which nothing is given",
    json("{type: object, properties: {a: {type: string}}}"),
    {},
    { body_text: "{}" },
  ),
  post(
    "null for a required property that may be null",
    json("{type: object, required: [a], properties: {a: {type: [string, 'null']}}}"),
    { a: null },
    { body_json: { a: null } },
  ),
  post(
    "null for a property that may not",
    json("{type: object, properties: {a: {type: string}, b: {type: string}}}"),
    { a: null, b: "x" },
    { body_json: { b: "x" } },
  ),
  post(
    "null for a required property that may not",
    json("{type: object, required: [a], properties: {a: {type: string}}}"),
    { a: null },
    { error: true, no_request: true },
  ),
  post(
    "a choice with properties of its own",
    json(
      "{oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: object, required: [b], properties: {b: {type: integer}}}]}",
    ),
    { b: 2 },
    { body_json: { b: 2 } },
  ),
  post(
    "no choice",
    json(
      "{anyOf: [{type: object, required: [a], properties: {a: {type: string}, c: {type: string}}}, {type: object, required: [b], properties: {b: {type: integer}, c: {type: string}}}]}",
    ),
    { c: "x" },
    { error: true, no_request: true },
  ),
  post(
    "a JSON dialect with a parameter",
    withBody(
      "{'application/vnd.x.v2+json; charset=utf-8': {schema: {type: object, properties: {a: {type: integer}}}}}",
    ),
    { a: 1 },
    { headers: { "content-type": "application/vnd.x.v2+json; charset=utf-8" }, body_json: { a: 1 } },
  ),
  post(
    "an odd spelling of JSON",
    withBody("{Application/JSON: {schema: {type: object, properties: {a: {type: integer}}}}}"),
    { a: 1 },
    { headers_match: { "content-type": "^application/json$|^Application/JSON$" }, body_json: { a: 1 } },
  ),
  post(
    "merge patch",
    withBody("{application/merge-patch+json: {schema: {type: object, properties: {a: {type: [string, 'null']}}}}}"),
    { a: null },
    { headers: { "content-type": "application/merge-patch+json" }, body_json: { a: null } },
    { only: "whole" },
  ),
  post(
    "JSON before all others",
    withBody(
      "{application/xml: {schema: {type: object}}, multipart/form-data: {schema: {type: object, properties: {a: {type: integer}}}}, application/json: {schema: {type: object, properties: {a: {type: integer}}}}}",
    ),
    { a: 1 },
    { headers: { "content-type": "application/json" } },
  ),
  post("any type at all, a text", withBody("{'*/*': {schema: {type: string}}}"), "true", {
    headers: { "content-type": "text/plain" },
    body_text: "true",
  }),
  post("any type at all, a list", withBody("{'*/*': {schema: {type: array, items: {type: integer}}}}"), [1], {
    headers: { "content-type": "application/json" },
    body_text: "[1]",
  }),
  post(
    "any application type",
    withBody("{'application/*': {schema: {type: object, properties: {a: {type: integer}}}}}"),
    { a: 1 },
    { headers: { "content-type": "application/json" }, body_text: '{"a":1}' },
  ),
  post("any type at all, bytes", withBody("{'*/*': {schema: {type: string, format: binary}}}"), "data:;base64,AAH/", {
    headers: { "content-type": "application/octet-stream" },
    body_base64: "AAH/",
  }),
  {
    title: "GET with a body",
    spec: "paths: {/x: {get: {operationId: x, requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}}, responses: {'200': {description: ok}}}}}",
    operation: "GET /x",
    args: { body: { a: 1 } },
    expect: { method: "GET", body_json: { a: 1 }, headers: { "content-type": "application/json" } },
  },
  {
    title: "DELETE with a body",
    spec: "paths: {/x: {delete: {operationId: x, requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}}, responses: {'200': {description: ok}}}}}",
    operation: "DELETE /x",
    args: { body: { a: 1 } },
    expect: { method: "DELETE", body_json: { a: 1 } },
  },
  {
    title: "DELETE without one",
    spec: "paths: {/x: {delete: {operationId: x, responses: {'204': {description: ok}}}}}",
    operation: "DELETE /x",
    args: {},
    expect: { method: "DELETE", no_body: true, headers_absent: ["content-type", "transfer-encoding"] },
  },
  {
    title: "OPTIONS, and HEAD",
    spec: "paths: {/x: {options: {operationId: x, responses: {'200': {description: ok}}}, head: {operationId: h, responses: {'200': {description: ok}}}}}",
    operation: "OPTIONS /x",
    args: {},
    expect: { method: "OPTIONS", second: { operation: "HEAD /x", args: {}, method: "HEAD" } },
  },
]);
