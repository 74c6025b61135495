import fc from "fast-check";
import { expect, test } from "vitest";
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
