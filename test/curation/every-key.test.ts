import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isMap, isPair, LineCounter, type Node, type Pair, parseDocument, type Scalar, visit } from "yaml";
import { loadCuration } from "../../src/curation/load-curation.ts";

const TEXT = readFileSync(new URL("../fixtures/curation/every-key.yaml", import.meta.url), "utf8");
/** Mappings whose names are the author's own. */
const OWN_NAMES =
  /^(tools|pins|entities|states)$|\.(input|args|claims|env|upstream|fields|value|rest|auth|headers|serverVariables|next|unpinned|lint|always|ops|body)$|\.value\.|\.templates\./;

interface Entry {
  readonly name: string;
  readonly owner: string;
  readonly pair: Pair<Scalar, Node | null>;
}

const lines = new LineCounter();
const entries: Entry[] = [];
visit(parseDocument(TEXT, { lineCounter: lines }), {
  Pair(_, pair, above) {
    const names = [...above.filter(isPair), pair].map(({ key }) => String((key as Scalar).value));
    if (names[0]?.startsWith("x-")) return;
    entries.push({ name: names.join("."), owner: names.slice(0, -1).join("."), pair: pair as Entry["pair"] });
  },
});

const at = (offset: number) => `${lines.linePos(offset).line}:${lines.linePos(offset).col}`;
const found = (text: string) => loadCuration("demo.yaml", text).problems;
const swap = (key: string) => {
  const middle = Math.floor(key.length / 2);
  return `${key.slice(0, middle - 1)}${key[middle]}${key[middle - 1]}${key.slice(middle + 1)}`;
};

const keys = entries.filter(({ owner, pair }) => {
  const key = String(pair.key.value);
  return key.length > 3 && swap(key) !== key && !OWN_NAMES.test(owner);
});
const mappings = entries.filter(
  ({ name, pair }) => isMap(pair.value) && pair.value.items.length > 0 && !OWN_NAMES.test(name),
);

test("there is something to misspell", () => {
  expect(keys.length).toBeGreaterThan(120);
  expect(mappings.length).toBeGreaterThan(40);
});

describe("a key with two letters swapped is one finding, at the key, that names what was meant", () => {
  test.each(keys.map((entry) => [`${entry.name} (${at(entry.pair.key.range![0])})`, entry] as const))(
    "%s",
    (_, { pair }) => {
      const [start, end] = pair.key.range!;
      const right = String(pair.key.value);
      const problems = found(TEXT.slice(0, start) + swap(right) + TEXT.slice(end));
      expect(problems.map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual([
        `${at(start)} unknown_key`,
      ]);
      expect(problems[0]?.hint).toContain(`\`${right}\``);
    },
  );
});

describe("a key too many is one finding, at the key", () => {
  test.each(mappings.map((entry) => [`${entry.name} (${at(entry.pair.key.range![0])})`, entry] as const))(
    "%s",
    (_, { pair }) => {
      if (!isMap(pair.value)) throw new Error("no mapping");
      const start = (pair.value.items[0]!.key as Node).range![0];
      const more = pair.value.flow === true ? "zzz: 1, " : `zzz: 1\n${" ".repeat(lines.linePos(start).col - 1)}`;
      const problems = found(TEXT.slice(0, start) + more + TEXT.slice(start));
      expect(problems.map(({ code, line, column }) => `${line}:${column} ${code}`)).toEqual([
        `${at(start)} unknown_key`,
      ]);
      expect(problems[0]?.hint).toMatch(/\w/);
    },
  );
});
