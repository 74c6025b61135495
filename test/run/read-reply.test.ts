import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BodyTooLarge, UpstreamUnreachable } from "../../src/model/errors.ts";
import type { Json } from "../../src/model/json.ts";
import { parseLossless } from "../../src/run/exchange/parse-lossless.ts";
import { readReply } from "../../src/run/exchange/read-reply.ts";
import { TimeIsUp } from "../../src/run/exchange/start-clock.ts";

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
      "bytes that are no UTF-8 in JSON",
      Buffer.from('{"a":"caf\xe9"}', "latin1"),
      "application/json",
      { kind: "json", value: { a: "caf\ufffd" }, replaced: true },
    ],
    [
      "bytes that are no UTF-8 in text",
      Buffer.from("caf\xe9", "latin1"),
      "text/plain; charset=UTF-8",
      { kind: "text", text: "caf\ufffd", mediaType: "text/plain", replaced: true },
    ],
    [
      "text in the charset that it names",
      Buffer.from([0x83, 0x65, 0x83, 0x58]),
      "text/csv; charset=Shift_JIS",
      { kind: "text", text: "テス", mediaType: "text/csv" },
    ],
    [
      "JSON in a charset between the wrong quotes",
      Buffer.from('{"a":"é"}', "latin1"),
      "application/json; charset='iso-8859-1'",
      { kind: "json", value: { a: "é" } },
    ],
    [
      "XML that names its charset itself",
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', "latin1"),
      "application/xml",
      { kind: "text", text: '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', mediaType: "application/xml" },
    ],
    [
      "HTML that names its charset itself",
      Buffer.from("<meta charset=windows-1252><p>é</p>", "latin1"),
      "text/html",
      { kind: "text", text: "<meta charset=windows-1252><p>é</p>", mediaType: "text/html" },
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

  test("a U+FFFD that the upstream sent was not put there", async () => {
    expect((await read('{"a":"\ufffd"}', "application/json")).body).toEqual({ kind: "json", value: { a: "\ufffd" } });
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

describe("a sequence is a list of its items", () => {
  const events = ': hello\n\nevent: add\nid: 7\ndata: {"a":\ndata: 1}\n\ndata: text\r\n\r\nretry: 5\n\ndata:[DONE]\n';
  const cases: [string, string, string, Json][] = [
    [
      "lines of JSON",
      '{"a":1}\n\n{"a":9007199254740993}',
      "application/x-ndjson",
      [{ a: 1 }, { a: "9007199254740993" }],
    ],
    [
      "lines with carriage returns and a byte order mark",
      "\ufeff1\r\nnull\r\n",
      "application/jsonl; charset=utf-8",
      [1, null],
    ],
    ["a line that is no JSON", '{"a":1}\noops é\n', "application/ndjson", [{ a: 1 }, "oops é"]],
    ["texts behind record separators", '\u001e{"a":1}\n\u001e2\n', "application/json-seq", [{ a: 1 }, 2]],
    [
      "events",
      events,
      "text/event-stream",
      [{ event: "add", id: "7", data: { a: 1 } }, { data: "text" }, { data: "[DONE]" }],
    ],
  ];
  test.each(cases)("%s", async (_title, body, contentType, value) => {
    expect((await read(body, contentType)).body).toEqual({ kind: "json", value });
  });

  test("in its charset, with what was replaced told", async () => {
    const latin = Buffer.from('{"a":"\xe9"}\n', "latin1");
    const value = [{ a: "é" }];
    expect((await read(latin, "application/x-ndjson; charset=iso-8859-1")).body).toEqual({ kind: "json", value });
    const replaced = [{ a: "\ufffd" }];
    expect((await read(latin, "application/x-ndjson")).body).toEqual({ kind: "json", value: replaced, replaced: true });
    expect((await read('"\ufffd"\n', "application/x-ndjson")).body).toEqual({ kind: "json", value: ["\ufffd"] });
  });

  test("an empty one is empty, and that of an error is read as it is", async () => {
    expect((await read("", "application/x-ndjson")).body).toEqual({ kind: "empty" });
    expect((await read('{"title":"Bad"}', "application/x-ndjson", 422)).body).toEqual({
      kind: "json",
      value: { title: "Bad" },
    });
  });

  async function* ending(texts: readonly string[], error: unknown) {
    for (const text of texts) yield Buffer.from(text);
    throw error;
  }
  const stream = (contentType: string, body: AsyncIterable<Uint8Array>, limit?: (ms: number) => void) =>
    readReply(
      { status: 200, headers: new Map([["content-type", contentType]]), url: "https://h/", body },
      { ...(limit && { limit }) },
    );

  const ends: [string, string, unknown, string | undefined][] = [
    ["the time", "text/event-stream", new TimeIsUp("up"), "the time was up while more came"],
    ["the bytes", "application/x-ndjson", new BodyTooLarge(9), "no more than 9 bytes are read"],
    ["a reset of a stream", "text/event-stream", new UpstreamUnreachable("reset", "gone"), "the upstream broke off"],
    ["a reset of lines", "application/x-ndjson", new UpstreamUnreachable("reset", "gone"), undefined],
  ];
  test.each(ends)("what came before %s ended it is kept, and the cut is said", async (_title, type, error, cut) => {
    const reading = stream(type, ending(["data: 1\n\n", "da"], error));
    if (cut === undefined) return expect(reading).rejects.toBe(error);
    const { body } = await reading;
    expect(body).toEqual({ kind: "json", value: [type === "text/event-stream" ? { data: "1" } : "data: 1"], cut });
  });

  test("nothing before the end is the end's own error", async () => {
    const error = new TimeIsUp("up");
    await expect(stream("text/event-stream", ending([": hello\n\n"], error))).rejects.toBe(error);
  });

  test("events that need not end are given a time and a number", async () => {
    const limits: number[] = [];
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield Buffer.from(`data: ${given}\n\n`);
      }
    }
    const { body } = await stream("text/event-stream", endless(), (ms) => limits.push(ms));
    expect(body).toMatchObject({ kind: "json", cut: "no more than 1000 are read" });
    expect(body.kind === "json" && body.value).toHaveLength(1000);
    expect([limits, given]).toEqual([[10_000], 1001]);
  });
});

describe("numbers that JavaScript has no number for keep their digits as text", () => {
  const cases: [string, Json][] = [
    ["9007199254740993", "9007199254740993"],
    ["1e400", "1e400"],
    ["[-1.5E+999,2]", ["-1.5E+999", 2]],
    ['{"sha":"5e123","n":1e300}', { sha: "5e123", n: 1e300 }],
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
