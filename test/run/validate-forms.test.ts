import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/json.ts";
import type { Input } from "../../src/model/tool.ts";
import type { Form, Value } from "../../src/model/value.ts";
import { convertFromForm, convertToForm } from "../../src/run/arguments/convert-form.ts";
import { currencyExponent } from "../../src/run/arguments/currency-exponents.ts";
import { column, list, replyTo } from "./shape-fixture.ts";
import { input, send, toolOf, validate } from "./validate-fixture.ts";

const literal = (value: Json): Value => ({ kind: "literal", value });
const minor: Form = { as: "minor", unit: literal("USD") };

describe("to the upstream's form", () => {
  const cases: readonly [title: string, form: Form, given: Json, unit: string | undefined, want: Json | RegExp][] = [
    ["dollars to cents", minor, 12.34, "USD", 1234],
    ["a decimal as text", minor, "0.29", "USD", 29],
    ["binary arithmetic would give 110.00000000000001", minor, 1.1, "USD", 110],
    ["yen have no decimals", minor, 500, "JPY", 500],
    ["dinars have three", minor, 1.234, "KWD", 1234],
    ["letter case of the code does not count", minor, 1, "usd", 100],
    ["a fraction of a cent", minor, 1.005, "USD", /2 decimal digits/],
    ["a fraction of a yen", minor, 0.5, "JPY", /0 decimal digits/],
    ["an unknown currency", minor, 1, "ABC", /ABC/],
    ["gold has no minor unit", minor, 1, "XAU", /XAU/],
    ["no currency", minor, 1, undefined, /not known/],
    ["a list as comma-separated text", { as: "csv" }, ["a", "b"], undefined, "a,b"],
    ["numbers in it", { as: "csv" }, [1, 2], undefined, "1,2"],
    ["an empty list", { as: "csv" }, [], undefined, ""],
    ["an item with a comma", { as: "csv" }, ["a,b"], undefined, /comma/],
    ["null stays null", { as: "unix" }, null, undefined, null],
    ["several moments", { as: "unix" }, ["1970-01-02", "1970-01-01T00:00:01Z"], undefined, [86_400, 1]],
  ];
  test.each(cases)("%s", (_, form, given, unit, want) => {
    const sent = convertToForm(form, given, unit === undefined ? {} : { unit });
    if (want instanceof RegExp) expect(sent).toEqual({ fault: expect.stringMatching(want) });
    else expect(sent).toEqual({ value: want });
  });
});

describe("from the upstream's form", () => {
  const cases: readonly [title: string, form: Form, given: Json, unit: Json | undefined, want: Json | RegExp][] = [
    ["cents to dollars", minor, 1234, "USD", 12.34],
    ["cents as text", minor, "1234", "usd", 12.34],
    ["negative", minor, -5, "EUR", -0.05],
    ["yen", minor, 500, "JPY", 500],
    ["more digits than a number holds stay exact", minor, "12345678901234567890", "USD", "123456789012345678.9"],
    ["an unknown currency is not guessed", minor, 1234, "???", /\?\?\?/],
    ["no currency in the row", minor, 1234, null, /not known/],
    ["seconds", { as: "unix" }, 1_793_836_800, undefined, "2026-11-05T00:00:00Z"],
    ["seconds with a fraction", { as: "unix" }, 1_793_836_800.5, undefined, "2026-11-05T00:00:00.500Z"],
    ["seconds as text", { as: "unix" }, "1793836800", undefined, "2026-11-05T00:00:00Z"],
    ["milliseconds", { as: "unix-ms" }, 1_793_836_800_123, undefined, "2026-11-05T00:00:00.123Z"],
    ["RFC 3339 already", { as: "unix" }, "2026-11-05T00:00:00Z", undefined, "2026-11-05T00:00:00Z"],
    ["no time at all", { as: "unix" }, "soon", undefined, /no Unix time/],
    ["beyond the calendar", { as: "unix" }, 1e15, undefined, /no Unix time/],
    ["seconds finer than milliseconds", { as: "unix" }, "1503435956.000247", undefined, "2017-08-22T21:05:56.000247Z"],
    ["nanoseconds", { as: "unix" }, "1.000000001", undefined, "1970-01-01T00:00:01.000000001Z"],
    ["before 1970", { as: "unix" }, -0.25, undefined, "1969-12-31T23:59:59.750Z"],
    ["parts of a millisecond", { as: "unix-ms" }, 1500.25, undefined, "1970-01-01T00:00:01.50025Z"],
    ["a date", { as: "date" }, "2026-11-05", undefined, "2026-11-05"],
    ["a date with a time", { as: "date" }, "2026-11-05T10:00:00+02:00", undefined, "2026-11-05T10:00:00+02:00"],
    ["a date as midnight nowhere", { as: "date" }, "2026-11-05T00:00:00.000", undefined, "2026-11-05"],
    ["text to a list", { as: "csv" }, "a, b", undefined, ["a", "b"]],
    ["empty text", { as: "csv" }, "", undefined, []],
    ["a comma inside quotes", { as: "csv" }, '"a,b",c', undefined, ["a,b", "c"]],
    ["quotes inside quotes, and spaces", { as: "csv" }, 'x, "say ""hi""" , ""', undefined, ["x", 'say "hi"', ""]],
    ["nothing behind the last comma", { as: "csv" }, '"a",', undefined, ["a", ""]],
    ["a quote that is a character", { as: "csv" }, '5" disk, a "b"', undefined, ['5" disk', 'a "b"']],
    ["a quote that does not end", { as: "csv" }, '"a,b', undefined, ['"a', "b"]],
    ["text behind quotes", { as: "csv" }, '"a" b,c', undefined, ['"a" b', "c"]],
    ["null stays null", minor, null, "USD", null],
  ];
  test.each(cases)("%s", (_, form, given, unit, want) => {
    const seen = convertFromForm(form, given, unit);
    if (want instanceof RegExp) expect(seen).toEqual({ fault: expect.stringMatching(want) });
    else expect(seen).toEqual({ value: want });
  });

  test("what goes out in minor units comes back the same, in every currency", () => {
    const currencies = fc.constantFrom("USD", "JPY", "KWD", "CLF", "EUR");
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), currencies, (amount, unit) => {
        const seen = convertFromForm(minor, amount, unit);
        expect("value" in seen && convertToForm(minor, seen.value, { unit })).toEqual({ value: amount });
      }),
    );
  });
});

describe("what may be a date and cannot be read for certain stands as it came, and is told", () => {
  const NO_DATE = "it is no date of RFC 3339";
  const cases: readonly [given: Json, doubt: string][] = [
    ["10/03/2024", NO_DATE],
    ["2024-02-30", NO_DATE],
    ["2023-02-29T00:00:00", NO_DATE],
    ["0000-00-00", NO_DATE],
    ["20240310", NO_DATE],
    ["March 10", NO_DATE],
    ["", NO_DATE],
    [20_240_310, NO_DATE],
    [["2024-03-10", "10/03/2024"], NO_DATE],
    ["2024-03-10T12:30:00", "it is a time without a zone"],
  ];
  test.each(cases)("%j", (given, doubt) => {
    expect(convertFromForm({ as: "date" }, given)).toEqual({ value: given, doubt });
  });

  test("in a list once for its column", async () => {
    const shape = list({ fields: [column("day", { form: { as: "date" } })] });
    const rows = ["2024-03-10", "10/03/2024", null, "2024-02-30"].map((day) => ({ day }));
    const reply = replyTo(shape, { rows }).structured;
    expect(reply).toMatchObject({
      omitted: [{ what: "value", path: "day", kept: `as it stands: ${NO_DATE}` }],
      data: rows,
    });
  });
});

describe("ISO 4217", () => {
  test.each([
    ["USD", 2],
    ["JPY", 0],
    ["BHD", 3],
    ["CLF", 4],
    ["XXX", undefined],
    ["constructor", undefined],
  ])("%s", (code, want) => {
    expect(currencyExponent(code)).toBe(want);
  });
});

describe("an input with a form", () => {
  const amount = input(
    "amount",
    { kind: "number" },
    { form: { as: "minor", unit: { kind: "expression", expression: { jmespath: "input.currency" } } } },
  );
  const tool = toolOf([amount, input("currency", { kind: "string" })]);

  test("reads its unit from another input", async () => {
    await expect(validate(tool, { amount: "12.5", currency: "JPY" })).rejects.toThrow(/0 decimal digits/);
    const read = await validate(tool, { amount: "12.5", currency: "KWD" });
    expect([read.values.get("amount"), read.wire.get("amount")]).toEqual([12.5, 12_500]);
  });

  test("is refused with the reason where it cannot be sent", async () => {
    await expect(validate(tool, { amount: 1 })).rejects.toMatchObject({
      code: "invalid_arguments",
      detail: { path: "amount", message: expect.stringContaining("currency is not known") },
    });
  });

  test("a list in one text", async () => {
    expect(await send({ kind: "array", items: { kind: "string" } }, ["a", "b"], { form: { as: "csv" } })).toBe("a,b");
  });

  const csv = { form: { as: "csv" } } as const;
  const query = { in: "query", name: "ids", pointer: [] } as const;
  const body = { in: "body", pointer: ["ids"] } as const;
  test.each<[what: string, more: Partial<Input>, want: Json]>([
    ["is not sent in a query, as where lists are sent as lists", { ...csv, place: query }, null],
    ["is an empty text in a query that must be sent", { ...csv, place: query, required: true }, ""],
    ["is an empty text in a body, where it may take away what was there", { ...csv, place: body }, ""],
  ])("a list without items in one text %s", async (_, more, want) => {
    expect(await send({ kind: "array", items: { kind: "string" } }, [], more)).toBe(want);
  });

  test.each<[end: Input["end"], want: number]>([
    [undefined, 59],
    ["inclusive", 59],
    ["exclusive", 60],
  ])("between two seconds an end (%s) leaves nothing out that was asked for", async (end, want) => {
    const more = { form: { as: "unix" }, ...(end && { end }) } as const;
    expect(await send({ kind: "date-time" }, "1970-01-01T00:00:59.999Z", more)).toBe(want);
  });
});
