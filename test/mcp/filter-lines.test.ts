import { describe, expect, test } from "vitest";
import { filterLines } from "../../src/mcp/filter-lines.ts";
import type { RefusedMessage } from "../../src/mcp/parse-message.ts";

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** What passes of these chunks, and the codes and ids of what is refused. */
async function filter(
  chunks: Iterable<string | Uint8Array>,
): Promise<{ passed: string[]; refused: [number, unknown][] }> {
  const refused: [number, unknown][] = [];
  const lines = filterLines(({ code, id }: RefusedMessage) => refused.push([code, id]));
  const passed: string[] = [];
  lines.on("data", (line) => passed.push(String(line)));
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  await new Promise((resolve) => lines.once("end", resolve));
  return { passed, refused };
}

describe("a line that is one JSON-RPC message passes whole", () => {
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
    expect(await filter(chunks)).toStrictEqual({ passed: want, refused: [] });
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
    ["an id that is none", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ["values far too deep", nested, -32600, 5],
    ["far too many values", many, -32600, "many"],
    ["a line of 5 MiB", "x".repeat(5 * 1024 * 1024), -32000, null],
  ];
  test.each(cases)("%s", async (_, line, code, id) => {
    expect(await filter([`${line}\n${PING}\n`])).toStrictEqual({ passed: [`${PING}\n`], refused: [[code, id]] });
  });

  test("bytes that are not UTF-8, which would become another text", async () => {
    const line = Buffer.from(`${PING.replace("ping", "p\u00ffng")}\n`, "latin1");
    expect(await filter([line, `${PING}\n`])).toStrictEqual({ passed: [`${PING}\n`], refused: [[-32700, null]] });
  });

  test("brackets and commas inside of texts count for nothing", async () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${JSON.stringify('["{,\\'.repeat(60_000))}}}\n`;
    expect(await filter([text])).toStrictEqual({ passed: [text], refused: [] });
  });
});
