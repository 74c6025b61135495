import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { parseLossless } from "../../src/run/exchange/parse-lossless.ts";
import { readReply } from "../../src/run/exchange/read-reply.ts";

async function* chunked(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const read = async (body: string | Uint8Array, contentType?: string, status = 200) => {
  const headers = new Map(contentType === undefined ? [] : [["content-type", contentType]]);
  return readReply({ status, headers, url: "https://h/", body: chunked(Buffer.from(body as string)) });
};

describe("the kind of a body is what its bytes are, its type a hint", () => {
  const html = "<!doctype html><title>Sign in</title>";
  const png = Buffer.from("iVBORw0KGgo=", "base64");
  const cases: [string, string | Uint8Array, string | undefined, object][] = [
    ["JSON", '{"a":1}', "application/json", { kind: "json", value: { a: 1 } }],
    [
      "JSON of a dialect with a charset",
      '{"a":1}',
      "application/problem+json; charset=utf-8",
      { kind: "json", value: { a: 1 } },
    ],
    ["a JSON scalar", '"x"', "application/json", { kind: "json", value: "x" }],
    ["JSON null", "null", "application/json", { kind: "json", value: null }],
    ["JSON without a type", ' {"a":1}', undefined, { kind: "json", value: { a: 1 } }],
    ["JSON called text", "[1]", "text/plain", { kind: "json", value: [1] }],
    ["JSON called HTML", '{"a":1}', "text/html", { kind: "json", value: { a: 1 } }],
    ["JSON called bytes", '{"a":1}', "application/octet-stream", { kind: "json", value: { a: 1 } }],
    ["JSON with a byte order mark", '\ufeff{"a":1}', "application/json", { kind: "json", value: { a: 1 } }],
    [
      "JSON in UTF-16",
      Buffer.from('\ufeff{"a":"é"}', "utf16le"),
      "application/json",
      { kind: "json", value: { a: "é" } },
    ],
    [
      "JSON in Latin-1",
      Buffer.from('{"a":"é"}', "latin1"),
      "application/json; charset=ISO-8859-1",
      { kind: "json", value: { a: "é" } },
    ],
    [
      "JSON in a charset that nobody knows",
      '{"a":"é"}',
      "application/json; charset=x-none",
      { kind: "json", value: { a: "é" } },
    ],
    [
      "JSON that is none",
      "not json",
      "application/json",
      { kind: "text", text: "not json", mediaType: "application/json" },
    ],
    [
      "JSON that is cut",
      '{"a":[1,',
      "application/json",
      { kind: "text", text: '{"a":[1,', mediaType: "application/json" },
    ],
    [
      "JSON with NaN",
      '{"a":NaN}',
      "application/json",
      { kind: "text", text: '{"a":NaN}', mediaType: "application/json" },
    ],
    ["HTML called JSON", html, "application/json", { kind: "text", text: html, mediaType: "application/json" }],
    ["HTML", html, "text/html; charset=utf-8", { kind: "text", text: html, mediaType: "text/html" }],
    ["text", "203.0.113.7", "text/plain", { kind: "text", text: "203.0.113.7", mediaType: "text/plain" }],
    ["a scalar called text", "12", "text/plain", { kind: "text", text: "12", mediaType: "text/plain" }],
    ["text without a type", "hello", undefined, { kind: "text", text: "hello", mediaType: "text/plain" }],
    ["CSV", "a,b\n1,2", "text/csv", { kind: "text", text: "a,b\n1,2", mediaType: "text/csv" }],
    ["XML", "<a/>", "application/xml", { kind: "text", text: "<a/>", mediaType: "application/xml" }],
    [
      "lines of JSON",
      '{"a":1}\n{"a":2}',
      "application/x-ndjson",
      { kind: "text", text: '{"a":1}\n{"a":2}', mediaType: "application/x-ndjson" },
    ],
    ["an image", png, "image/png", { kind: "binary", data: png, mediaType: "image/png" }],
    [
      "bytes without a type",
      Buffer.from([0, 1, 2, 255]),
      undefined,
      { kind: "binary", mediaType: "application/octet-stream" },
    ],
    [
      "bytes that are no UTF-8",
      Buffer.from([0xe9, 0x20, 0xe9]),
      "application/x-thing",
      { kind: "binary", mediaType: "application/x-thing" },
    ],
    ["nothing", "", "application/json", { kind: "empty" }],
    ["spaces", "  \n", "application/json", { kind: "empty" }],
  ];
  test.each(cases)("%s", async (_title, body, contentType, want) => {
    expect((await read(body, contentType)).body).toMatchObject(want);
  });

  test("status, headers and bytes are told", async () => {
    expect(await read("é", "text/plain", 500)).toMatchObject({
      status: 500,
      bytes: 2,
      headers: new Map([["content-type", "text/plain"]]),
    });
  });

  test.each(["[".repeat(300), `{"a":`.repeat(300), `[1,"]",${"[".repeat(300)}`, "[".repeat(5_000_000)])(
    "JSON too deep is refused quickly (%#)",
    async (text) => {
      await expect(read(text, "application/json")).rejects.toMatchObject({ code: "upstream_bad_response" });
    },
  );
  test("brackets inside texts are not depth", async () => {
    expect((await read(JSON.stringify(["[".repeat(1000), '\\"[[['.repeat(500)]), "application/json")).body.kind).toBe(
      "json",
    );
  });
});

describe("integers beyond 2^53 keep their digits as text", () => {
  const cases: [string, Json][] = [
    ["9007199254740993", "9007199254740993"],
    ["9007199254740991", 9007199254740991],
    ["[-9223372036854775808, 1]", ["-9223372036854775808", 1]],
    [
      '{"id":12345678901234567890,"text":"12345678901234567890"}',
      { id: "12345678901234567890", text: "12345678901234567890" },
    ],
    ['{"a\\"":12345678901234567890}', { 'a"': "12345678901234567890" }],
    ['["\\\\",12345678901234567890]', ["\\", "12345678901234567890"]],
    ['["\\\\\\"12345678901234567890", 12345678901234567890]', ['\\"12345678901234567890', "12345678901234567890"]],
    [
      "[1234567890123456.5, 12345678901234567e3, 0.1234567890123456]",
      [1234567890123456.5, 12345678901234567e3, 0.1234567890123456],
    ],
  ];
  test.each(cases)("%s", (text, want) => {
    expect(parseLossless(text)).toEqual(want);
  });
  test.each(["{12345678901234567890:1}", "[012345678901234567890]", "[1 12345678901234567890]"])(
    "%s stays invalid",
    (text) => {
      expect(() => parseLossless(text)).toThrow(SyntaxError);
    },
  );
  test("any JSON without such an integer is as JSON.parse has it, whatever its texts hold", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const json = JSON.stringify([text, "1234567890123456789", `\\"${text}-1234567890123456789,`, { [text]: 1 }]);
        expect(parseLossless(json)).toEqual(JSON.parse(json));
        const plain = JSON.stringify(value);
        if (!/\d{16}/.test(plain)) expect(parseLossless(plain)).toEqual(JSON.parse(plain));
      }),
    );
  });
});
