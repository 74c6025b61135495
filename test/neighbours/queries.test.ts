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

await describeRows("queries", [
  get(
    "form, joined, an object",
    `{name: p, in: query, explode: false, ${object}}`,
    { query: { p: km } },
    "/x?p=k,a%2Cb,m,c%20d",
  ),
  get("form, exploded, an object", `{name: p, in: query, ${object}}`, { query: { p: km } }, "/x?k=a%2Cb&m=c%20d"),
  get(
    "space delimited, exploded",
    `{name: p, in: query, style: spaceDelimited, explode: true, ${list}}`,
    { query: { p: ["a", "b"] } },
    "/x?p=a&p=b",
  ),
  get(
    "pipe delimited, exploded",
    `{name: p, in: query, style: pipeDelimited, explode: true, ${list}}`,
    { query: { p: ["a", "b"] } },
    "/x?p=a&p=b",
  ),
  get(
    "pipe delimited, an object",
    `{name: p, in: query, style: pipeDelimited, ${object}}`,
    { query: { p: { k: "a", m: "b" } } },
    "/x?p=k%7Ca%7Cm%7Cb",
  ),
  get(
    "space delimited, joined",
    `{name: p, in: query, style: spaceDelimited, ${list}}`,
    { query: { p: ["a", "b"] } },
    "/x?p=a%20b",
  ),
  get(
    "a deep object with booleans and numbers",
    `{name: p, in: query, style: deepObject, schema: {type: object, properties: {a: {type: boolean}, b: {type: number}}}}`,
    { query: { p: { a: false, b: 1e21 } } },
    "/x?p%5Ba%5D=false&p%5Bb%5D=1000000000000000000000",
  ),
  get(
    "a deep object that is a map",
    `{name: p, in: query, style: deepObject, schema: {type: object, additionalProperties: {type: string}}}`,
    { query: { p: { "a b": "c&d" } } },
    "/x?p%5Ba%20b%5D=c%26d",
  ),
  get(
    "a deep object with further names",
    `{name: p, in: query, style: deepObject, schema: {type: object, properties: {a: {type: string}}, additionalProperties: {type: integer}}}`,
    { query: { p: { a: "1", z: 2 } } },
    "/x?p%5Bz%5D=2&p%5Ba%5D=1",
  ),
  get(
    "content-typed JSON",
    `{name: p, in: query, content: {application/json: {schema: {type: object, properties: {a: {type: integer}}}}}}`,
    { query: { p: { a: 1 } } },
    "/x?p=%7B%22a%22%3A1%7D",
  ),
  get(
    "content-typed text",
    `{name: p, in: query, content: {text/plain: {schema: {type: string}}}}`,
    { query: { p: "a b" } },
    "/x?p=a%20b",
  ),
  get(
    "reserved characters that are allowed",
    `{name: p, in: query, allowReserved: true, schema: {type: string}}`,
    { query: { p: "/a:b@c?d&e=f#g" } },
    "/x?p=/a:b@c?d%26e%3Df%23g",
  ),
  get(
    "a list of integers beyond 2^53",
    `{name: p, in: query, schema: {type: array, items: {type: integer, format: int64}}}`,
    { query: { p: ["9007199254740993", 7] } },
    "/x?p=9007199254740993&p=7",
  ),
  get(
    "a list of integers beyond 2^53, joined",
    `{name: p, in: query, explode: false, schema: {type: array, items: {type: integer, format: int64}}}`,
    { query: { p: ["9007199254740993", "-9007199254740995"] } },
    "/x?p=9007199254740993,-9007199254740995",
  ),
  get(
    "an integer beyond 2^53 that may be null",
    `{name: p, in: query, schema: {type: [integer, 'null'], format: int64}}`,
    { query: { p: "9007199254740993" } },
    "/x?p=9007199254740993",
  ),
  get(
    "an unsigned integer of 64 bits",
    `{name: p, in: query, schema: {type: integer, format: uint64}}`,
    { query: { p: "18446744073709551615" } },
    "/x?p=18446744073709551615",
  ),
  get(
    "an enum of numbers",
    `{name: p, in: query, schema: {type: integer, enum: [1, 2]}}`,
    { query: { p: 2 } },
    "/x?p=2",
  ),
  get(
    "an enum of booleans and null",
    `{name: p, in: query, schema: {type: [boolean, 'null'], enum: [true, null]}}`,
    { query: { p: true } },
    "/x?p=true",
  ),
  get(
    "a list of enums",
    `{name: p, in: query, explode: false, schema: {type: array, items: {enum: [a, b]}}}`,
    { query: { p: ["a", "b"] } },
    "/x?p=a,b",
  ),
  get("a list given as JSON text", `{name: p, in: query, ${list}}`, { query: { p: '["a","b"]' } }, "/x?p=a&p=b"),
  get(
    "numbers, booleans and lists given as text",
    `{name: n, in: query, schema: {type: number}}, {name: b, in: query, schema: {type: boolean}}, {name: l, in: query, schema: {type: array, items: {type: integer}}}`,
    { query: { n: "1.5", b: "true", l: "[1,2]" } },
    "/x?n=1.5&b=true&l=1&l=2",
  ),
  get(
    "a text that looks like JSON",
    `{name: p, in: query, schema: {type: string}}`,
    { query: { p: '["a"]' } },
    "/x?p=%5B%22a%22%5D",
  ),
  get(
    "names that must be encoded",
    `{name: 'a b', in: query, schema: {type: string}}, {name: 'c&d', in: query, schema: {type: string}}, {name: '@e', in: query, schema: {type: string}}`,
    { query: { "a b": "1", "c&d": "2", "@e": "3" } },
    "/x?a%20b=1&c%26d=2&%40e=3",
  ),
  get(
    "required with one value",
    `{name: p, in: query, required: true, schema: {const: 'on'}}, {name: q, in: query, required: true, schema: {type: integer, enum: [3]}}`,
    {},
    "/x?p=on&q=3",
  ),
  get(
    "a required list with a default",
    `{name: p, in: query, required: true, schema: {type: array, items: {type: string}, default: [a, b]}}`,
    {},
    "/x?p=a&p=b",
  ),
  get(
    "an emptied text and a null",
    `{name: a, in: query, schema: {type: string}}, {name: b, in: query, schema: {type: [string, 'null']}}`,
    { query: { a: "", b: null } },
    "/x?a=",
  ),
  get(
    "a list with a null in it",
    `{name: p, in: query, schema: {type: array, items: {type: [string, 'null']}}}`,
    { query: { p: ["a", null, "b"] } },
    "/x?p=a&p=b",
  ),
  get(
    "a date and a time as they are",
    `{name: d, in: query, schema: {type: string, format: date}}, {name: t, in: query, schema: {type: string, format: date-time}}`,
    { query: { d: "2024-02-29", t: "2024-01-02T03:04:05.678Z" } },
    "/x?d=2024-02-29&t=2024-01-02T03%3A04%3A05.678Z",
  ),
  get(
    "one of several types",
    `{name: p, in: query, schema: {type: [string, integer]}}`,
    { query: { p: "a" } },
    "/x?p=a",
  ),
  get(
    "a choice of a text and a list",
    `{name: p, in: query, schema: {oneOf: [{type: string}, {type: array, items: {type: string}}]}}`,
    { query: { p: ["a", "b"] } },
    "/x?p=a&p=b",
  ),
  get(
    "signs that a query keeps apart",
    `{name: p, in: query, schema: {type: string}}`,
    { query: { p: "a+b%20c'd\"e|f~g" } },
    "/x?p=a%2Bb%2520c%27d%22e%7Cf~g",
  ),
]);
