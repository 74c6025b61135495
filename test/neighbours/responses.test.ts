import type { CaseAnswer } from "../cases-runner/read-case.ts";
import { describeRows, type Row } from "./run-rows.ts";

// The neighbours of the public cases 044 and 100 to 130: other types, charsets, sizes and failures.

const spec = (content: string) =>
  `paths: {/x: {get: {operationId: x, responses: {'200': {description: ok, content: ${content}}}}}}`;
const get = (title: string, content: string, upstream: CaseAnswer, expect: Row["expect"]): Row => ({
  title,
  spec: spec(content),
  operation: "GET /x",
  kind: "response",
  upstream,
  expect,
});
const JSON_TYPE = { "content-type": "application/json" };
const ANY = "{application/json: {}}";
const latin = Buffer.from('{"a":"é"}', "latin1").toString("base64");
const wide = Buffer.from('\ufeff{"a":"é"}', "utf16le").toString("base64");

await describeRows("answers", [
  get("a scalar", ANY, { headers: JSON_TYPE, body: "12" }, { is_error: false, structured: { value: 12 } }),
  get("null", ANY, { headers: JSON_TYPE, body: "null" }, { is_error: false, structured: { value: null } }),
  get(
    "integers beyond 2^53, deep",
    ANY,
    { headers: JSON_TYPE, body: '{"a":[{"id":9007199254740993}],"n":-9007199254740995,"f":1.5}' },
    { structured: { a: [{ id: "9007199254740993" }], n: "-9007199254740995", f: 1.5 } },
  ),
  get(
    "a vendor's JSON",
    "{application/vnd.x+json: {schema: {type: object}}}",
    { headers: { "content-type": "application/vnd.x+json;v=1" }, body: '{"a":1}' },
    { structured: { a: 1 } },
  ),
  get(
    "JSON in Latin 1",
    ANY,
    { headers: { "content-type": "application/json; charset=iso-8859-1" }, body_base64: latin },
    { structured: { a: "é" } },
  ),
  get("JSON in UTF-16", ANY, { headers: JSON_TYPE, body_base64: wide }, { structured: { a: "é" } }),
  get("JSON with a byte order mark", ANY, { headers: JSON_TYPE, body: '\ufeff{"a":1}' }, { structured: { a: 1 } }),
  get(
    "lines of JSON",
    "{application/x-ndjson: {schema: {type: object}}}",
    { headers: { "content-type": "application/x-ndjson" }, stream: ['{"a":1}\n{"a', '":2}\n'] },
    { structured: { value: [{ a: 1 }, { a: 2 }] }, output_schema_root: "object or absent" },
  ),
  get(
    "events",
    "{text/event-stream: {schema: {type: string}}}",
    { headers: { "content-type": "text/event-stream" }, stream: ['event: a\ndata: {"n":1}\n', "\ndata: done\n\n"] },
    { structured: { value: [{ event: "a", data: { n: 1 } }, { data: "done" }] } },
  ),
  get(
    "a PDF",
    "{application/pdf: {schema: {type: string, format: binary}}}",
    { headers: { "content-type": "application/pdf" }, body_base64: "AAH/" },
    {
      is_error: false,
      structured: { mediaType: "application/pdf", bytes: 3 },
      content: [
        { type: "resource", resource: { uri: "reply://the_tool/body", mimeType: "application/pdf", blob: "AAH/" } },
      ],
    },
  ),
  get(
    "a page where JSON was promised, and nothing of it was asked for",
    ANY,
    { headers: { "content-type": "text/html" }, body: "<html>Sign in</html>" },
    { is_error: false, text_contains: ["HTML", "Sign in"] },
  ),
  get(
    "201 with a body",
    ANY,
    { status: 201, headers: JSON_TYPE, body: '{"a":1}' },
    { is_error: false, structured: { a: 1 } },
  ),
  get("205 without one", ANY, { status: 205 }, { is_error: false, text_nonempty: true }),
  get(
    "a list of long texts",
    ANY,
    {
      headers: JSON_TYPE,
      body: JSON.stringify({ items: Array.from({ length: 900 }, (_, id) => ({ id, t: "y".repeat(500) })) }),
    },
    { is_error: false, text_max_chars: 25_000, text_is_valid_json_or_marked: true, mentions_total: 900 },
  ),
  get(
    "problem+json with a charset",
    ANY,
    {
      status: 403,
      headers: { "content-type": "application/problem+json; charset=utf-8" },
      body: '{"title":"Not yours","detail":"Ask the owner of 7"}',
    },
    { is_error: true, text_contains: ["403", "Ask the owner of 7"], jsonrpc_error: false },
  ),
  get(
    "an error that is a page",
    ANY,
    {
      status: 502,
      headers: { "content-type": "text/html", "retry-after": "9999" },
      body: "<html><title>Bad gateway</title></html>",
    },
    { is_error: true, text_contains: ["502", "Bad gateway"], upstream_requests: 1 },
  ),
  get("an error without a body", ANY, { status: 404 }, { is_error: true, text_contains: ["404"] }),
  get(
    "a status that nobody wrote down",
    ANY,
    { status: 418, headers: JSON_TYPE, body: '{"message":"teapot"}' },
    { is_error: true, text_contains: ["418", "teapot"] },
  ),
]);
