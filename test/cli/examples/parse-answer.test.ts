import { describe, expect, test } from "vitest";
import { parseAnswer } from "../../../src/cli/examples/parse-answer.ts";

const parse = (text: string, name = "answer.http") => {
  const { status, headers, body } = parseAnswer(Buffer.from(text), name);
  return [status, Object.fromEntries(headers), Buffer.from(body).toString()];
};

describe("a file is", () => {
  test.each<readonly [string, string, string, ReturnType<typeof parse>]>([
    [
      "a body of its extension's type",
      '{"status":404,"body":{}}',
      "a.json",
      [200, { "content-type": "application/json" }, '{"status":404,"body":{}}'],
    ],
    ["a body of no known type", "abc", "a.bin", [200, {}, "abc"]],
    ["an empty body", "", "a.http", [200, {}, ""]],
    [
      "a whole answer as curl prints it",
      'HTTP/2 404 \r\ncontent-type: application/json\r\nX-Y:  z \r\n\r\n{"a":1}\r\n',
      "a.http",
      [404, { "content-type": "application/json", "x-y": "z" }, '{"a":1}\r\n'],
    ],
    [
      "a whole answer with plain line ends",
      "HTTP/1.1 429 Too Many\nRetry-After: 3\n\n",
      "a.json",
      [429, { "retry-after": "3" }, ""],
    ],
    ["a head alone", "HTTP/1.1 204 No Content", "a.http", [204, {}, ""]],
    [
      "the last of several answers",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nlocation: /x\r\n\r\nHTTP/1.1 200 OK\r\na: b\r\n\r\nend",
      "a.http",
      [200, { a: "b" }, "end"],
    ],
    [
      "an answer whose repeated headers are joined",
      "HTTP/1.1 200 OK\nlink: a\nLink: b\n\n",
      "a.http",
      [200, { link: "a, b" }, ""],
    ],
    [
      "an answer whose bytes are already decoded",
      "HTTP/1.1 200 OK\ncontent-encoding: gzip\ntransfer-encoding: chunked\ncontent-length: 99\n\nx",
      "a.http",
      [200, {}, "x"],
    ],
    [
      "a body that only speaks of HTTP",
      "HTTP/1.1 is a protocol",
      "a.txt",
      [200, { "content-type": "text/plain" }, "HTTP/1.1 is a protocol"],
    ],
  ])("%s", (_, text, name, want) => {
    expect(parse(text, name)).toStrictEqual(want);
  });

  test("bytes, which stay as they are", () => {
    const bytes = Uint8Array.from([0xff, 0x00, 0x0a, 0x0d, 0x0a, 0x80]);
    const whole = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\nx: ü\r\n\r\n"), bytes]);
    expect([...parseAnswer(whole, "a.png").body]).toStrictEqual([...bytes]);
    expect([...parseAnswer(bytes, "a.png").body]).toStrictEqual([...bytes]);
  });
});
