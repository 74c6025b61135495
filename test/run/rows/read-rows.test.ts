import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ToolError } from "../../../src/model/errors.ts";
import type { ReplyBody } from "../../../src/model/exchange.ts";
import { isJsonObject, type Json, ownValue } from "../../../src/model/json.ts";
import { parseLossless } from "../../../src/run/exchange/parse-lossless.ts";
import { readBody } from "../../../src/run/exchange/read-body.ts";
import { readRows } from "../../../src/run/rows/read-rows.ts";
import type { RowSizes, RowsWanted } from "../../../src/run/rows/rows-wanted.ts";

const TYPE = "application/json";
/** As a body that is held, and as one that is not. */
const HELD: RowSizes = { least: 0, whole: 10_000_000, block: 64 };
const LARGE: RowSizes = { least: 0, whole: 0, block: 64 };

const RUNS = Number(process.env["RUNS"] ?? 500);

async function* cut(bytes: Uint8Array, lengths: readonly number[], hears: (length: number) => void = () => {}) {
  for (let [at, step] = [0, 0]; at < bytes.length; step += 1) {
    const length = lengths[step % lengths.length]!;
    hears(Math.min(length, bytes.length - at));
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function stream(
  text: string | Uint8Array,
  wanted: RowsWanted,
  sizes: RowSizes,
  lengths = [7],
): Promise<ReplyBody> {
  const body = cut(Buffer.from(text as string), lengths);
  return (
    await readRows(
      { headers: new Map([["content-type", TYPE]]), body },
      () => wanted,
      () => {},
      () => false,
      sizes,
    )
  ).body;
}

/** What reading gives or throws, to be compared. */
async function outcome(read: () => ReplyBody | Promise<ReplyBody>): Promise<ReplyBody | string> {
  try {
    return await read();
  } catch (error) {
    return error instanceof ToolError ? `${error.code}: ${error.message}` : `${error}`;
  }
}

const textOf = (read: ReplyBody | string) => (typeof read !== "string" && read.kind === "text" ? read.text : "");

/** What is wanted of a body, made of the whole of it. */
function pick(value: Json, { path, reads, window }: RowsWanted): Json {
  const [name, ...below] = path;
  if (name !== undefined) {
    const inner = isJsonObject(value) ? ownValue(value, name) : undefined;
    if (inner === undefined) return value;
    return Object.fromEntries(
      Object.entries(value!).map(([key, one]) => [
        key,
        key === name ? pick(one, { path: below, ...opt({ reads, window }) }) : one,
      ]),
    );
  }
  if (!Array.isArray(value)) return value;
  const rows = (value as Json[]).slice(window?.from, window?.to);
  if (reads === undefined) return rows;
  return rows.map((row) =>
    isJsonObject(row) ? Object.fromEntries(Object.entries(row).filter(([key]) => reads(key))) : row,
  );
}

function opt<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

const listAt = (value: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inside, name) => (isJsonObject(inside) ? ownValue(inside, name) : undefined), value);

/** Whether these are the members of that, or the first of them, each with its value or the beginning of it. */
function isBeginningOf(part: Json, whole: Json): boolean {
  if (!isJsonObject(part) || !isJsonObject(whole)) return isDeepStrictEqual(part, whole);
  return Object.entries(part).every(([name, one], at) => {
    const [sameName, other] = Object.entries(whole)[at] ?? [];
    return name === sameName && other !== undefined && isBeginningOf(one, other);
  });
}

const names = fc.constantFrom("items", "data", "id", "a", "é", "__proto__", 'q"\\', "total", "");
const scalar = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("\u2028", "[{]}", "\\", '"', "日本"),
);
const { value: anyJson } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar as fc.Arbitrary<Json>,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as Json),
  ),
}));
const rowList = fc.array(anyJson, { maxLength: 12 });
const path = fc.array(fc.constantFrom("items", "data", "__proto__", "é"), { maxLength: 3 });
/** A list where the path leads, other members around it; or anything else. */
const document = path.chain((steps) =>
  fc
    .tuple(fc.oneof({ weight: 5, arbitrary: rowList as fc.Arbitrary<Json> }, anyJson), anyJson, fc.boolean())
    .map(([inner, other, isFirst]) => ({
      steps,
      value: steps.reduceRight<Json>(
        (inside, name) =>
          Object.fromEntries(
            isFirst
              ? [
                  [name, inside],
                  ["other", other],
                ]
              : [
                  ["other", other],
                  [name, inside],
                ],
          ) as Json,
        inner,
      ),
    })),
);
const window = fc.option(
  fc
    .tuple(fc.nat(8), fc.nat(8))
    .map(([from, length]) => ({ from, to: from + length, onlyOfLarge: false, mayStop: false })),
  { nil: undefined },
);
const reads = fc.option(
  fc
    .subarray(["items", "data", "id", "a", "é", "__proto__", 'q"\\'])
    .map((kept) => (name: string) => kept.includes(name)),
  { nil: undefined },
);
const space = fc.constantFrom<string | number>("", " ", 2, "\t");
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
/** The same JSON in other escapes. */
const escaped = (text: string) =>
  text.replace(/[a-z](?=[^"]*":)/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

describe("what is wanted of a body is the same as of the whole body", () => {
  for (const [called, sizes] of [
    ["held", HELD],
    ["too large to be held", LARGE],
  ] as const) {
    test(`of one that is ${called}, whatever it holds and however it is cut`, async () => {
      await fc.assert(
        fc.asyncProperty(
          document,
          window,
          reads,
          space,
          lengths,
          fc.boolean(),
          async (made, within, kept, gap, cuts, isEscaped) => {
            const text = JSON.stringify(made.value, null, gap);
            const wanted: RowsWanted = { path: made.steps, ...opt({ reads: kept, window: within }) };
            const whole = readBody(Buffer.from(text), TYPE);
            const read = await stream(isEscaped ? escaped(text) : text, wanted, sizes, cuts);
            if (whole.kind !== "json" || typeof whole.value !== "object" || whole.value === null) {
              expect(read).toEqual(whole);
              return;
            }
            expect(read).toMatchObject({ kind: "json", value: pick(whole.value, wanted) });
            const list = listAt(whole.value, made.steps);
            if (within && Array.isArray(list) && read.kind === "json")
              expect(read.part).toEqual({ from: within.from, count: list.length, stopped: false });
          },
        ),
        { numRuns: RUNS },
      );
    });
  }

  test("where the window is enough its rows are given, whatever stands behind them and wherever the body is left", async () => {
    const members = fc.array(fc.tuple(fc.constantFrom("b", "c", "é", ""), anyJson), { maxLength: 4 });
    /** Objects in each other, with members before and behind the one that leads to the list. */
    const around = fc.array(fc.tuple(fc.constantFrom("items", "data"), members, members), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        rowList,
        around,
        fc.nat(4),
        fc.integer({ min: 1, max: 5 }),
        reads,
        space,
        lengths,
        fc.integer({ min: 1, max: 64 }),
        async (rows, layers, from, length, kept, gap, cuts, block) => {
          const made = layers.reduceRight<Json>(
            (inside, [name, before, behind]) => Object.fromEntries([...before, [name, inside], ...behind]),
            rows,
          );
          const value = parseLossless(JSON.stringify(made));
          const of = { path: layers.map(([name]) => name), ...opt({ reads: kept }) };
          const within = { from, to: from + length, onlyOfLarge: false, mayStop: true };
          const wanted: RowsWanted = { ...of, window: within };
          const read = await stream(JSON.stringify(value, null, gap), wanted, { ...LARGE, block }, cuts);
          if (read.kind !== "json" || read.part === undefined) throw new Error(JSON.stringify(read));
          const whole = pick(value, wanted);
          expect(listAt(read.value, of.path)).toEqual(listAt(whole, of.path));
          if (!read.part.stopped)
            expect(read).toEqual({ kind: "json", value: whole, part: { from, count: rows.length, stopped: false } });
          else {
            expect(rows.length).toBeGreaterThanOrEqual(within.to);
            expect(read.part.count).toBeGreaterThanOrEqual(within.to);
          }
          expect(isBeginningOf(read.value, whole)).toBe(true);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("also of one that is broken anywhere: no JSON is what JSON.parse takes for none", async () => {
    await fc.assert(
      fc.asyncProperty(
        document,
        window,
        fc.nat(),
        fc.nat(255),
        fc.constantFrom("set", "drop", "end"),
        lengths,
        async (made, within, where, byte, how, cuts) => {
          const bytes = Buffer.from(JSON.stringify(made.value));
          const at = where % bytes.length;
          if (how === "set") bytes[at] = byte;
          const broken =
            how === "drop"
              ? Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
              : how === "end"
                ? bytes.subarray(0, at)
                : bytes;
          const wanted: RowsWanted = { path: made.steps, ...opt({ window: within }) };
          const whole = await outcome(() => readBody(broken, TYPE));
          const held = await outcome(() => stream(broken, wanted, HELD, cuts));
          const large = await outcome(() => stream(broken, wanted, LARGE, cuts));
          if (typeof whole === "string") throw new Error(whole);
          if (whole.kind !== "json") {
            expect(held).toEqual(whole);
            // Of one that is not held there is only the beginning to show.
            if (whole.kind !== "text") expect(large).toEqual(whole);
            else {
              // A character that is cut at its end is not replaced in it.
              const { replaced: _, ...beginning } = { ...whole, text: whole.text.slice(0, textOf(large).length) };
              expect(large).toMatchObject(beginning);
            }
          } else if (typeof whole.value === "object" && whole.value !== null) {
            expect(held).toMatchObject({ value: pick(whole.value, wanted) });
            expect(large).toMatchObject({ value: pick(whole.value, wanted) });
          }
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("a stop that only the end of the body brings spares nothing: what breaks behind it is told", async () => {
    async function* reset() {
      yield Buffer.from(`{"items":[${"1,".repeat(200)}1]}`);
      throw new Error("reset");
    }
    const window = { from: 0, to: 3, onlyOfLarge: false, mayStop: true };
    const headers = new Map([["content-type", TYPE]]);
    const read = readRows(
      { headers, body: reset() },
      () => ({ path: ["items"], window }),
      () => {},
      () => false,
      LARGE,
    );
    await expect(read).rejects.toThrow("reset");
  });

  const beginnings: [string, string][] = [
    ["whitespace", " \n".repeat(300)],
    ["a mark", "\ufeff"],
    ["a mark and whitespace", "\ufeff\r\n"],
    ["more whitespace than is held", "\t".repeat(20_000)],
  ];
  test.each(beginnings)("%s in chunks of their own changes nothing of what is held", async (_, before) => {
    const body = Buffer.from(`${before}{"items":[${"1,".repeat(30_000)}1]}`);
    const window = { from: 0, to: 3, onlyOfLarge: false, mayStop: true };
    for (const length of [1, 2, 64]) {
      let bytes = 0;
      const { body: read } = await readRows(
        { headers: new Map([["content-type", TYPE]]), body: cut(body, [length]) },
        () => ({ path: ["items"], window }),
        (more) => (bytes += more),
        () => false,
        LARGE,
      );
      expect(read).toMatchObject({ value: { items: [1, 1, 1] }, part: { stopped: true } });
      expect(bytes).toBeLessThan(before.length + 1_000);
    }
  });

  const deep = (levels: number) => `{"items":[1,${"[".repeat(levels)}${"]".repeat(levels)}]}`;
  const cases: [string, string][] = [
    ["a name that comes twice", '{"items":[1,2,3],"items":[4]}'],
    ["a name that comes twice, then without a list", '{"items":[1,2,3],"items":null}'],
    ["a name that comes twice in a row", '{"items":[{"id":1,"id":2,"x":[]}]}'],
    ["an escaped name", '{"it\\u0065ms":[1,2,{"\\u0069d":7}]}'],
    ["a byte order mark", '\ufeff{"items":[{"id":1}]}'],
    [
      "integers beyond 2^53",
      '{"n":12345678901234567890,"items":[{"id":12345678901234567890,"x":1},{"id":"12345678901234567890"}]}',
    ],
    ["no list", '{"items":{"0":1}}'],
    ["null", '{"items":null}'],
    ["an empty list", '{"items":[ ]}'],
    ["an empty body", ""],
    ["blanks", "  \n"],
    ["a scalar", "12"],
    ["a comma too many", '{"items":[1,]}'],
    ["a comma too many in a row", '{"items":[{"id":1,}]}'],
    ["text behind the end", '{"items":[1]} x'],
    ["two bodies", '{"items":[1]}{"items":[2]}'],
    ["a body that is cut off", '{"items":[{"id":1},{"id"'],
    ["a leading zero", '{"items":[01]}'],
    ["a bare minus", '{"items":[-]}'],
    ["a word cut short", '{"items":[nul]}'],
    ["a control character in a text", '{"items":["a\u0001"]}'],
    ["an unknown escape", '{"items":["\\x"]}'],
    ["a surrogate alone", '{"items":["\\ud800",{"id":"\\udc00"}]}'],
    ["another charset", Buffer.from('\ufeff{"items":[1]}', "utf16le") as unknown as string],
    ["another charset without a mark", Buffer.from('{"items":[1]}', "utf16le") as unknown as string],
    ["the deepest that is read", deep(254)],
    ["what is nested too deep", deep(255)],
  ];
  test.each(cases)("%s", async (_, text) => {
    const wanted: RowsWanted = { path: ["items"], reads: (name) => name === "id" };
    const whole = await outcome(() => readBody(Buffer.from(text), TYPE));
    const want =
      typeof whole !== "string" && whole.kind === "json" ? { ...whole, value: pick(whole.value, wanted) } : whole;
    expect(await outcome(() => stream(text, wanted, HELD))).toEqual(want);
    expect(await outcome(() => stream(text, wanted, LARGE))).toEqual(want);
  });
});
