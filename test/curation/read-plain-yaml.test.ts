import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { readPlainYaml } from "../../src/curation/read-plain-yaml.ts";
import { readYaml } from "../../src/curation/read-yaml.ts";
import { UnreadableInput } from "../../src/model/errors.ts";

const ROOT = new URL("../../", import.meta.url);
const textsIn = (folder: string): [string, string][] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => [`${folder}${name}`, readFileSync(new URL(`${folder}${name}`, ROOT), "utf8")]);
const SHIPPED = [...textsIn("curation/"), ...textsIn("bench/")];
const FIXTURES = textsIn("test/fixtures/").filter(([, text]) => text.includes("vitrine: 1"));

/** What the full reading makes of the text, in the order of its keys, or what it says of it. */
function fully(text: string): string {
  try {
    const { value, findings } = readYaml("a.yaml", text);
    return findings.length === 0 ? JSON.stringify(value) : `findings: ${findings.map(({ code }) => code)}`;
  } catch (error) {
    if (error instanceof UnreadableInput) return error.message;
    throw error;
  }
}

function expectSame(plain: unknown, text: string): void {
  const full = fully(text);
  // The other parser asks for more indentation.
  if (!full.includes("not YAML:")) expect(JSON.stringify(plain)).toBe(full);
}

describe("a text that is written plainly", () => {
  test.each(SHIPPED)("%s is, so that it loads fast", (_, text) =>
    expect(JSON.stringify(readPlainYaml(text))).toBe(fully(text)),
  );

  test.each([
    ["scalars", "{a: 1, b: -2.5, c: true, d: null, e: text, f: 20s, g: 2022-11-28, h: NO}"],
    ["quoted scalars", `{a: "1", b: 'true', c: "~", d: "\\u00e9\\n"}`],
    ["numbers as keys", "{404: a, 2.5: b}"],
    ["empty values", "a:\nb: \n- 1\n"],
    ["folded and literal texts", "a: >\n  one\n  two\n\n  three\nb: |-\n  x\n   y\nc: one\n  two\n"],
    ["anchors", "x-a: &a {b: [1, 2]}\nc: *a\nd: [*a, *a]"],
    ["tags of JSON's own", "a: !!str 5"],
    ["comments and a start of document", "--- # x\na: 1 # y\n"],
  ])("%s mean the same as to the full reading", (_, text) => {
    expect(readPlainYaml(text)).not.toBe(undefined);
    expect(JSON.stringify(readPlainYaml(text))).toBe(fully(text));
  });

  test("any data that is written out in any style", () => {
    const style = fc.record({
      lineWidth: fc.constantFrom(0, 20, 40, 80),
      defaultStringType: fc.constantFrom("PLAIN" as const, "QUOTE_SINGLE" as const, "QUOTE_DOUBLE" as const),
      blockQuote: fc.constantFrom(true, false, "literal" as const, "folded" as const),
      collectionStyle: fc.constantFrom("any" as const, "block" as const, "flow" as const),
    });
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9 .:#{}$\n'"-]{0,60}$/));
    const data = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        text,
        fc.double(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie("list"),
        tie("map"),
      ),
      list: fc.array(tie("any")),
      map: fc.dictionary(text, tie("any")),
    })).any;
    let plain = 0;
    fc.assert(
      fc.property(data, style, (value, options) => {
        const written = stringify(value, options);
        const read = readPlainYaml(written);
        if (read === undefined) return;
        plain += 1;
        expectSame(read, written);
      }),
      { numRuns: 2_000 },
    );
    expect(plain).toBeGreaterThan(400);
  });

  test("stays what it is with a stray character in it, or is read in full", () => {
    const texts = [...SHIPPED, ...FIXTURES].map(([, text]) => text.slice(0, 3_000));
    const strays = fc.constantFrom(
      "\t",
      " ",
      "\n",
      ":",
      "- ",
      "? ",
      "*a",
      "&a ",
      "<<: ",
      "!x ",
      "'",
      '"',
      "{",
      "]",
      "%",
      "#",
      "|",
      ">",
      "1.0",
      "0x1",
      "~",
    );
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(3), strays, (text, place, cut, stray) => {
        const at = place % text.length;
        const changed = text.slice(0, at) + stray + text.slice(at + cut);
        const read = readPlainYaml(changed);
        if (read !== undefined) expectSame(read, changed);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("the full reading is left", () => {
  test.each([
    ["a number that JSON writes otherwise", "{a: 1.0}"],
    ["an integer that no double holds", "{a: 12345678901234567890}"],
    ["an integer beyond those that are exact", "{a: 9007199254740992}"],
    ["a hexadecimal number", "{a: 0x1F}"],
    ["a null in another spelling", "{a: ~}"],
    ["a truth in another spelling", "{a: True}"],
    ["a merge", "a: &a {b: 1}\nc: {<<: *a}"],
    ["a doubled key", "{a: 1, a: 2}"],
    ["an empty key", "{a: 1, : 2}"],
    ["a list as a key", "? [a]\n: 1"],
    ["an alias as a key", "a: &a b\n*a : 1"],
    ["a dangerous name", "{__proto__: 1}"],
    ["a tag of its own", "a: !x 1"],
    ["a text whose indentation is said", 'a: |1-\n\n "'],
    ["a directive", "%YAML 1.1\n---\na: 1"],
    ["two documents", "a: 1\n---\nb: 2"],
    ["no YAML", "a: [1"],
    ["aliases that multiply", `a: &a [${"x,".repeat(100)}]\nb: &b [${"*a,".repeat(100)}]\nc: [${"*b,".repeat(100)}]`],
    ["deep nesting", "[".repeat(60) + "]".repeat(60)],
  ])("%s", (_, text) => expect(readPlainYaml(text)).toBe(undefined));
});
