import fc from "fast-check";
import { expect, test } from "vitest";
import { type ExactJson, ExactNumber, parseAsWritten } from "../../../src/web/page/try/parse-as-written.ts";

const writtenOf = (value: ExactJson): unknown => (value instanceof ExactNumber ? value.written : value);

test.each<[text: string, written: unknown]>([
  ["9007199254740993", "9007199254740993"],
  ["-9007199254740993", "-9007199254740993"],
  ["12345678901234567890", "12345678901234567890"],
  ["0.12345678901234567890", "0.12345678901234567890"],
  ["1.50", "1.50"],
  ["1e400", "1e400"],
  ["-0", "-0"],
  ["9007199254740991", 9007199254740991],
  ["1.5", 1.5],
  ['"9007199254740993"', "9007199254740993"],
  ['"a \\" 9007199254740993"', 'a " 9007199254740993'],
])("%s is shown as it was written", (text, written) => {
  expect(writtenOf(parseAsWritten(text))).toBe(written);
});

test("a number is exact wherever it stands, and no text is taken for one", () => {
  const parsed = parseAsWritten('{"id": [9007199254740993, {"9007199254740993": "0.5:9007199254740993"}]}');
  const exact = new ExactNumber("9007199254740993");
  expect(parsed).toStrictEqual({ id: [exact, { "9007199254740993": "0.5:9007199254740993" }] });
});

test("what JavaScript writes is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const written = JSON.stringify(JSON.parse(text));
      expect(parseAsWritten(written)).toStrictEqual(JSON.parse(written));
    }),
  );
});
