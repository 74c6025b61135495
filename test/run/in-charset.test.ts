import { expect, test } from "vitest";
import { inCharset } from "../../src/run/request/in-charset.ts";

type Given = Parameters<typeof inCharset>;

const cases: readonly [given: Given, contentType: string, hex: string][] = [
  [["text/plain", "é", "text"], "text/plain", "c3a9"],
  [["text/plain; charset=UTF-8", "é", "text"], "text/plain; charset=UTF-8", "c3a9"],
  [["text/plain; charset=iso-8859-1", "e", "text"], "text/plain; charset=iso-8859-1", "65"],
  [["text/plain; charset=iso-8859-1", "é", "text"], "text/plain; charset=iso-8859-1", "e9"],
  [['text/plain;charset="ISO-8859-1"', "é", "text"], 'text/plain;charset="ISO-8859-1"', "e9"],
  [["text/plain; charset=iso-8859-1", "€", "text"], "text/plain; charset=utf-8", "e282ac"],
  [["text/plain; charset=windows-1252", "é", "text"], "text/plain; charset=utf-8", "c3a9"],
  [["text/plain; charset=utf-16", "e", "text"], "text/plain; charset=utf-8", "65"],
  [["application/json; charset=iso-8859-1", '"é"', "json"], "application/json; charset=utf-8", "22c3a922"],
  [["application/x; charset=latin1", "a=%C3", "form"], "application/x; charset=utf-8", "613d254333"],
  [["application/x; charset=latin1", "a=%20", "form"], "application/x; charset=latin1", "613d253230"],
];

test.each(cases)("%j goes out as %s", (given, contentType, hex) => {
  const { body, ...rest } = inCharset(...given);
  expect({ ...rest, hex: Buffer.from(body).toString("hex") }).toStrictEqual({ contentType, hex });
});
