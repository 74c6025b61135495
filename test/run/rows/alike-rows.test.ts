import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReplyBody } from "../../../src/model/exchange.ts";
import { isJsonObject, type Json, ownValue } from "../../../src/model/json.ts";
import { readBody } from "../../../src/run/exchange/read-body.ts";
import { readRows } from "../../../src/run/rows/read-rows.ts";
import type { RowSizes, RowsWanted, RowWindow } from "../../../src/run/rows/rows-wanted.ts";

const TYPE = "application/json";
const HELD: RowSizes = { least: 0, whole: 10_000_000, block: 4_096 };
const LARGE: RowSizes = { least: 0, whole: 0, block: 4_096 };

async function* cut(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(bytes: Uint8Array, wanted: RowsWanted, sizes: RowSizes, length: number, isFree = true) {
  const answer = { headers: new Map([["content-type", TYPE]]), body: cut(bytes, length) };
  const { body } = await readRows(
    answer,
    () => wanted,
    () => {},
    () => isFree,
    sizes,
  );
  return body;
}

function pick(rows: readonly Json[], { reads, window }: Pick<RowsWanted, "reads" | "window">): Json[] {
  return rows
    .slice(window?.from, window?.to)
    .map((row) =>
      reads !== undefined && isJsonObject(row)
        ? Object.fromEntries(Object.entries(row).filter(([name]) => reads(name)))
        : row,
    );
}

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("é", "日本", '"', "\\u0041", ""));
/** As most upstreams write their rows; now and then one is written otherwise. */
const row = fc.record({
  id: fc.oneof(text, fc.nat()),
  name: text,
  on: fc.boolean(),
  tags: fc.array(fc.nat(), { maxLength: 2 }),
});
const odd = fc.oneof(
  row.map(({ id, ...rest }): Json => ({ ...rest, id })),
  row.map((one): Json => ({ ...one, more: 1 })),
  fc.constantFrom<Json>(null, 1, "row", [], {}, [{ id: 1 }]),
);
const rows = fc.array(fc.oneof({ weight: 30, arbitrary: row as fc.Arbitrary<Json> }, { weight: 1, arbitrary: odd }), {
  minLength: 1,
  maxLength: 200,
});
const reads = fc.constantFrom(
  undefined,
  (name: string) => name !== "more",
  (name: string) => name !== "tags",
);
const window = fc
  .tuple(fc.nat(40), fc.nat(200))
  .map(([from, length]): RowWindow => ({ from, to: from + length, onlyOfLarge: false, mayStop: false }));
const length = fc.constantFrom(100, 5_000, 1_000_000);

const wantedOf = (within: RowWindow, kept?: (name: string) => boolean): RowsWanted => ({
  path: ["items"],
  window: within,
  ...(kept && { reads: kept }),
});
const itemsOf = (body: ReplyBody) =>
  body.kind === "json" && isJsonObject(body.value) ? ownValue(body.value, "items") : undefined;

describe("rows that are kept as they are", () => {
  test("are those of the whole body, however like each other they are written", async () => {
    await fc.assert(
      fc.asyncProperty(rows, window, reads, length, async (made, within, kept, cuts) => {
        const wanted = wantedOf(within, kept);
        const bytes = Buffer.from(JSON.stringify({ items: made, total: 9 }));
        for (const sizes of [HELD, LARGE]) {
          expect(await read(bytes, wanted, sizes, cuts)).toEqual({
            kind: "json",
            value: { items: pick(made, wanted), total: 9 },
            part: { from: within.from, count: made.length, stopped: false },
            free: true,
          });
        }
      }),
    );
  });

  test("are no JSON where what is read whole is none, wherever the body is changed", async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        window,
        reads,
        fc.nat(),
        fc.string({ maxLength: 2, unit: fc.constantFrom(...'"\\,:[]{}01-.eEtu \u0001é') }),
        fc.nat(3),
        async (made, within, kept, place, put, gone) => {
          const whole = JSON.stringify({ items: made });
          const at = 10 + (place % (whole.length - 10));
          const bytes = Buffer.from(whole.slice(0, at) + put + whole.slice(at + gone));
          const expected = readBody(bytes, TYPE);
          const found = await read(bytes, wantedOf(within, kept), HELD, 5_000);
          const items = itemsOf(expected);
          if (expected.kind !== "json" || !Array.isArray(items)) expect(found).toMatchObject(expected);
          else expect(itemsOf(found)).toEqual(pick(items, wantedOf(within, kept)));
        },
      ),
    );
  });
});

describe("where no more rows can be shown than have room", () => {
  const sizeOf = (one: Json) => JSON.stringify(one).length;
  const withRoom = (within: RowWindow, bytes: number): RowWindow => ({
    ...within,
    room: { bytes, leastOf: sizeOf },
  });
  const sum = (list: readonly Json[]) => list.reduce<number>((all, one) => all + sizeOf(one), 0);

  test("rows are made until they fill it with one behind, and all of them are counted", async () => {
    await fc.assert(
      fc.asyncProperty(rows, window, reads, length, fc.nat(8_000), async (made, within, kept, cuts, bytes) => {
        const wanted = wantedOf(withRoom(within, bytes), kept);
        const all = pick(made, wanted);
        const body = await read(Buffer.from(JSON.stringify({ items: made })), wanted, HELD, cuts);
        const items = itemsOf(body) as readonly Json[];
        expect(items).toEqual(all.slice(0, items.length));
        if (items.length < all.length) expect(sum(items.slice(0, -1))).toBeGreaterThan(bytes);
        expect(body).toMatchObject({ part: { from: within.from, count: made.length, stopped: false } });
      }),
    );
  });

  const many = Array.from({ length: 400 }, (_, at) => ({ id: at, name: "a row like all the others" }));
  const bytes = Buffer.from(JSON.stringify({ items: many }));
  const within: RowWindow = { from: 0, to: 300, onlyOfLarge: false, mayStop: true };
  const countMade = async (wanted: RowsWanted, sizes: RowSizes, isFree = true) => {
    const items = itemsOf(await read(bytes, wanted, sizes, 5_000, isFree)) as readonly Json[];
    return items.length;
  };

  test("few are made that have none", async () => {
    const made = await countMade(wantedOf(withRoom(within, 1_000)), HELD);
    expect(made).toBeGreaterThan(1_000 / sizeOf(many.at(-1)!));
    expect(made).toBeLessThan(100);
  });

  test("all are made of a body that may hold a secret, as a hidden one takes fewer bytes", async () => {
    expect(await countMade(wantedOf(withRoom(within, 1_000)), HELD, false)).toBe(300);
  });

  test("all are made of a body that is broken off, as they are told of", async () => {
    expect(await countMade(wantedOf(withRoom(within, 1_000)), LARGE)).toBe(300);
  });

  test("the row that was shown before takes none of it", async () => {
    const room = { bytes: 1_000, leastOf: (one: Json) => (sizeOf(one) === sizeOf(many[0]!) ? 2_000 : sizeOf(one)) };
    const from = (expected: Partial<RowWindow>) =>
      countMade({ path: ["items"], window: { ...within, ...expected, room } }, HELD);
    expect(await from({ to: 2 })).toBe(2);
    const few = many.slice(0, 1).concat(many.slice(100));
    const body = Buffer.from(JSON.stringify({ items: few }));
    const expected = { ...within, isExpected: () => true, room };
    const items = itemsOf(await read(body, { path: ["items"], window: expected }, HELD, 5_000)) as readonly Json[];
    expect(sum(items.slice(1, -1))).toBeGreaterThan(1_000);
  });
});
