import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import { parseIfJson } from "../../src/run/exchange/parse-if-json.ts";
import { createSecretHider } from "../../src/run/hide-secrets.ts";

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
const units = (char: string) => [...Array(char.length).keys()].map((at) => char.charCodeAt(at));

/** How writers of URLs, JSON and HTML spell one character that is neither letter nor digit. */
const SPELLINGS: readonly ((char: string) => string)[] = [
  (char) => char,
  (char) => [...Buffer.from(char)].map((byte) => `%${hex(byte, 2)}`).join(""),
  (char) => [...Buffer.from(char)].map((byte) => `%${hex(byte, 2).toUpperCase()}`).join(""),
  (char) => [...Buffer.from(char)].map((byte) => `%25${hex(byte, 2)}`).join(""),
  (char) =>
    units(char)
      .map((unit) => `\\u${hex(unit, 4)}`)
      .join(""),
  (char) =>
    units(char)
      .map((unit) => `\\\\u${hex(unit, 4).toUpperCase()}`)
      .join(""),
  (char) => `&#${char.codePointAt(0)};`,
  (char) => `&#x${hex(char.codePointAt(0) ?? 0, 1)};`,
  (char) => JSON.stringify(char).slice(1, -1),
  (char) => JSON.stringify(JSON.stringify(char).slice(1, -1)).slice(1, -1),
  (char) => (char === " " ? "+" : char),
];
const secrets = fc
  .string({ unit: "binary", minLength: 6, maxLength: 20 })
  .filter((text) => !/[\u0000-\u001f]/.test(text));

test("a secret is hidden whichever way each of its characters is spelt", () => {
  fc.assert(
    fc.property(secrets, fc.array(fc.nat(SPELLINGS.length - 1), { minLength: 20, maxLength: 20 }), (secret, ways) => {
      const spelt = [...secret].map((char, at) => (/[A-Za-z0-9]/.test(char) ? char : SPELLINGS[ways[at]!]!(char)));
      expect(createSecretHider([secret]).text(`<${spelt.join("")}>`)).toBe("<***>");
    }),
    { numRuns: 300 },
  );
});

test("what holds no secret stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(!text.includes("canary"));
      expect(createSecretHider(["canary/+secret"]).text(text)).toBe(text);
    }),
  );
});

/** How a JSON text may write the same characters and numbers. */
const WRITERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(JSON.parse(text), null, 2),
  (text) => text.replace(/[a-z0-9](?=[^"]*"[,}\]:])/, (char) => `\\u00${char.charCodeAt(0).toString(16)}`),
  (text) =>
    text.replace(
      /(?<![\w.+-])[1-9]\d{5,}(?![\w.])/g,
      (digits) => `${digits[0]}.${digits.slice(1)}e${digits.length - 1}`,
    ),
  (text) => text.replaceAll("/", "\\/"),
];

test("a text that is told to be free of secrets is that of a value in which none is found", () => {
  const shown = fc.oneof(fc.constantFrom("canary/key=1", "123456", "two words"), secrets);
  const placed = fc.record({
    secret: shown,
    form: fc.constantFrom<(secret: string) => Json>(
      (secret) => secret,
      (secret) => [`Bearer ${secret}`],
      (secret) => ({ [secret]: 1 }),
      (secret) => ({ link: encodeURIComponent(secret) }),
      (secret) => Buffer.from(`user:${secret}`).toString("base64"),
      (secret) => (Number.isNaN(Number(secret)) ? 0 : Number(secret)),
      () => "nothing of it",
    ),
    other: fc.json({ maxDepth: 2 }),
    write: fc.constantFrom(...WRITERS),
  });
  let free = 0;
  fc.assert(
    fc.property(placed, ({ secret, form, other, write }) => {
      const written = write(`{"a":${JSON.stringify(form(secret))},"b":${other}}`);
      const value = parseIfJson(written, true);
      const hider = createSecretHider([secret]);
      if (value === undefined || !hider.isFree(written)) return;
      free += 1;
      expect(hider.json(value)).toStrictEqual(value);
    }),
    { numRuns: 1_000 },
  );
  expect(free).toBeGreaterThan(50);
});

const lookedThrough: [string, boolean][] = [
  ['{"a":"plain","b":[1,2.5]}', true],
  ['{"a":"the key is canary-1"}', false],
  ['{"a":"a \\"quoted\\" word"}', false],
];
test.each(lookedThrough)("whether %s is free of secrets is told at once where nothing is escaped: %s", (text, want) => {
  expect(createSecretHider(["canary-1"]).isFree(text)).toBe(want);
});

test("where a secret may be a number no text is told to be free of it", () => {
  expect(createSecretHider(["123456"]).isFree("[1.23456e5]")).toBe(false);
});
