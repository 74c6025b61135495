import { describe, expect, test } from "vitest";
import { type RefusedMessage, readJsonRpc } from "../../src/mcp/parse-message.ts";
import { readLines } from "../../src/mcp/read-lines.ts";

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** What is read of these chunks, and the codes and ids of what is refused. */
async function read(
  chunks: Iterable<string | Uint8Array>,
): Promise<{ accepted: object[]; refused: [number, unknown][] }> {
  const refused: [number, unknown][] = [];
  const accepted: object[] = [];
  const refuse = ({ code, id }: RefusedMessage): void => void refused.push([code, id]);
  const lines = readLines({
    accept(body) {
      const message = readJsonRpc(body);
      if (message.kind === "refused") refuse(message);
      else accepted.push(body);
    },
    refuse,
  });
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  await new Promise((resolve) => lines.once("finish", resolve));
  return { accepted, refused };
}

describe("a line that is one JSON-RPC message is read whole", () => {
  const whole = `${PING}\n`;
  const cases: [title: string, chunks: Iterable<string | Uint8Array>, want: string[]][] = [
    ["at once", [whole], [whole]],
    ["two in one chunk", [whole + whole], [whole, whole]],
    [
      "byte for byte",
      [...Buffer.from(whole.replace("ping", "pïng😀"))].map((byte) => Uint8Array.of(byte)),
      [whole.replace("ping", "pïng😀")],
    ],
    ["between empty lines", [`\n\r\n${whole}\n`], [whole]],
    ["but not what has no end", [whole, PING], [whole]],
  ];
  test.each(cases)("%s", async (_, chunks, want) => {
    expect(await read(chunks)).toStrictEqual({ accepted: want.map((line) => JSON.parse(line)), refused: [] });
  });
});

describe("any other line is refused, with its id where it has one, and the next one passes", () => {
  const nested = `{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":${"[".repeat(200)}${"]".repeat(200)}}}`;
  const many = `{"jsonrpc":"2.0","id":"many","method":"x","params":{"a":[${"1,".repeat(60_000)}1]}}`;
  const cases: [title: string, line: string, code: number, id: unknown][] = [
    ["no JSON", "hello", -32700, null],
    ["a number", "7", -32600, null],
    ["null", "null", -32600, null],
    ["a batch", `[${PING}]`, -32600, null],
    ["no version", '{"id":7,"method":"ping"}', -32600, 7],
    ["a method that is no text", '{"jsonrpc":"2.0","id":7,"method":7}', -32600, 7],
    ["a method in other letters", '{"jsonrpc":"2.0","id":"a","Method":"ping"}', -32600, "a"],
    ["parameters as a list", '{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', -32600, 7],
    ["an id that JSON cannot hold exactly", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, null],
    ["an id far beyond that", '{"jsonrpc":"2.0","id":-1e300,"method":"ping"}', -32600, null],
    [
      "an id of the last number that it can hold",
      '{"jsonrpc":"2.0","id":9007199254740991,"method":7}',
      -32600,
      2 ** 53 - 1,
    ],
    ["an id that is none", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ["values far too deep", nested, -32600, 5],
    ["far too many values", many, -32600, "many"],
    ["a line of 5 MiB", "x".repeat(5 * 1024 * 1024), -32000, null],
  ];
  test.each(cases)("%s", async (_, line, code, id) => {
    expect(await read([`${line}\n${PING}\n`])).toStrictEqual({ accepted: [JSON.parse(PING)], refused: [[code, id]] });
  });

  test("bytes that are not UTF-8, which would become another text", async () => {
    const line = Buffer.from(`${PING.replace("ping", "p\u00ffng")}\n`, "latin1");
    expect(await read([line, `${PING}\n`])).toStrictEqual({ accepted: [JSON.parse(PING)], refused: [[-32700, null]] });
  });

  test("brackets and commas inside of texts count for nothing", async () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${JSON.stringify('["{,\\'.repeat(60_000))}}}\n`;
    expect(await read([text])).toStrictEqual({ accepted: [JSON.parse(text)], refused: [] });
  });
});
