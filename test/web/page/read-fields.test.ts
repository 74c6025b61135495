import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/model/json.ts";
import type { PortableSchema } from "../../../src/model/schema.ts";
import { drawSkeleton } from "../../../src/web/page/try/draw-skeleton.ts";
import { fillFields, kindOf, readFields } from "../../../src/web/page/try/read-fields.ts";

const strings = (words: readonly string[]) => ({ type: "array", items: { type: "string", enum: words } }) as const;

describe("the control of an input", () => {
  test.each<[schema: PortableSchema, kind: string]>([
    [{ type: "string", enum: ["a", "b"] }, "choice"],
    [{ type: "boolean" }, "switch"],
    [{ type: "integer" }, "number"],
    [{ type: "number" }, "number"],
    [{ type: "string", format: "date-time" }, "text"],
    [strings(["a", "b"]), "choices"],
    [strings(Array.from({ length: 13 }, (_, at) => `w${at}`)), "lines"],
    [{ type: "array", items: { type: "integer" } }, "lines"],
    [{ type: "array", items: { type: "object" } }, "json"],
    [{ type: "array" }, "json"],
    [{ type: "object" }, "json"],
    [{}, "json"],
  ])("%j is a %s", (schema, kind) => {
    expect(kindOf(schema)).toBe(kind);
  });
});

describe("what was typed", () => {
  const faults: [schema: PortableSchema, text: string, fault: string][] = [
    [{ type: "integer" }, "1.5", "A whole number is needed."],
    [{ type: "number" }, "many", "many is no number."],
    [{ type: "integer" }, "9007199254740993", "This page cannot send so large a number exactly."],
    [{ type: "array", items: { type: "integer" } }, "1\n\nx", "Line 2: x is no number."],
    [{ type: "object" }, '{"id": [9007199254740993]}', "This page cannot send so large a number exactly."],
    [{ type: "object" }, "[1]", "An object is needed: {…}."],
    [{ type: "array", items: { type: "object" } }, "{}", "A list is needed: […]."],
  ];
  test.each(faults)("%j is not %j", (schema, text, fault) => {
    const read = readFields({ properties: { it: schema } }, new Map([["it", text]]));
    expect([...read.faults]).toStrictEqual([["it", fault]]);
    expect(read.arguments).toStrictEqual({});
  });

  test("is not sent where it is empty, and missed where it is required", () => {
    const schema = { properties: { a: { type: "string" }, b: { type: "string" } }, required: ["b"] } as const;
    const read = readFields(schema, new Map([["a", ""]]));
    expect(read.arguments).toStrictEqual({});
    expect([...read.faults]).toStrictEqual([["b", "This is required."]]);
  });

  const text = fc.string({ minLength: 1 }).filter((one) => one.trim() !== "");
  const line = text.filter((one) => !one.includes("\n"));
  const kinds: readonly (readonly [PortableSchema, fc.Arbitrary<Json>])[] = [
    [{ type: "string" }, text],
    [{ type: "boolean" }, fc.boolean()],
    [{ type: "integer" }, fc.integer()],
    [{ type: "array", items: { type: "string" } }, fc.array(line, { minLength: 1 })],
    [{ type: "array", items: { type: "boolean" } }, fc.array(fc.boolean(), { minLength: 1 })],
    [{ type: "object" }, fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Json>],
  ];
  const case_ = fc.constantFrom(...kinds).chain(([schema, value]) => fc.tuple(fc.constant(schema), value));

  test("gives the arguments back with which the form was filled, whatever their names", () => {
    const names = fc.uniqueArray(fc.oneof(fc.string({ minLength: 1 }), fc.constant("__proto__")), { maxLength: 5 });
    fc.assert(
      fc.property(
        names.chain((all) => fc.tuple(...all.map((name) => fc.tuple(fc.constant(name), case_)))),
        (inputs) => {
          const schema = { properties: Object.fromEntries(inputs.map(([name, [inner]]) => [name, inner])) };
          const given = Object.fromEntries(inputs.map(([name, [, value]]) => [name, value]));
          const { arguments: read, faults } = readFields(schema, fillFields(schema, given));
          expect(faults.size).toBe(0);
          expect(JSON.parse(JSON.stringify(read))).toStrictEqual(JSON.parse(JSON.stringify(given)));
        },
      ),
    );
  });
});

test("a filter begins as one condition, anything else with what it requires", () => {
  const filter = {
    type: "object",
    properties: {
      kind: { type: "string", enum: ["single", "composite"] },
      field: { type: "string", enum: ["status"] },
      op: { type: "string", enum: ["eq"] },
      value: { type: "string" },
      conditions: { type: "array", items: { type: "object" } },
    },
    required: ["kind"],
  } as const;
  expect(drawSkeleton("filter", filter)).toStrictEqual({ kind: "single", field: "status", op: "eq", value: "" });
  expect(drawSkeleton("other", filter)).toStrictEqual({ kind: "single" });
  expect(drawSkeleton("list", { type: "array", items: { type: "integer", minimum: 2 } })).toStrictEqual([2]);
});
