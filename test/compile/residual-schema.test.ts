import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { residualSchema } from "../../src/compile/types/residual-schema.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import type { Schema } from "../../src/model/schema.ts";
import { checkResidual } from "../../src/run/arguments/check-residual.ts";
import { apiOf } from "./spec-stub.ts";

const residualOf = (schema: object, pinned: readonly string[] = []): Schema | undefined =>
  residualSchema(
    { schema: schema as Schema, trail: [] },
    { api: apiOf({}), faults: [], pinned: new Set(pinned), unenforced: new Set() },
  );

/** What a value is refused with under the residual of a schema: undefined where it is not. */
async function refusal(schema: object, value: Json, pinned: readonly string[] = []): Promise<string | undefined> {
  const residual = residualOf(schema, pinned);
  return residual && (await checkResidual(residual, value))?.mustBe;
}

// Objects that Biome takes for promises where they are written out.
const when = (given: object, asks?: object, otherwise?: object): object =>
  Object.fromEntries([["if", given], ...(asks ? [["then", asks]] : []), ...(otherwise ? [["else", otherwise]] : [])]);

const PHONE = { type: "object", properties: { by: { const: "phone" } }, required: ["by"] };
const REACHED = { type: "object", ...when(PHONE, { required: ["phone"] }, { required: ["email"] }) };

describe("what a schema asks for under a condition is enforced", () => {
  const cases: readonly [title: string, schema: object, value: Json, want: string | undefined][] = [
    ["then", REACHED, { by: "phone", email: "e" }, "given with `phone`"],
    ["then, given", REACHED, { by: "phone", phone: "1" }, undefined],
    ["else", REACHED, { by: "post" }, "given with `email`"],
    ["else, given", REACHED, { email: "e" }, undefined],
    [
      "each of several",
      { allOf: [when(PHONE, { required: ["phone"] }), when({ required: ["a"] }, undefined, { required: ["b"] })] },
      { by: "phone", phone: "1" },
      "given with `b`",
    ],
    ["a property that needs another", { dependentRequired: { a: ["b"] } }, { a: 1 }, "given with `b`"],
    ["a property that is not there needs none", { dependentRequired: { a: ["b"] } }, {}, undefined],
    ["a property with a schema", { dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, "given with `b`"],
    ["deep inside", { properties: { to: REACHED } }, { to: { by: "phone" } }, "given with `phone`"],
  ];
  test.each(cases)("%s", async (_, schema, value, want) => {
    expect(await refusal({ type: "object", ...schema }, value)).toBe(want);
  });
});

describe("what cannot be written as it is, is left to the upstream", () => {
  const closed = { properties: { a: {} }, additionalProperties: { not: {} } };
  const cases: readonly [title: string, schema: object][] = [
    ["a condition on what no caller sets", when({ properties: { pin: { const: 1 } } }, { required: ["z"] })],
    ["a condition on a pin's being there", when({ required: ["pin"] }, { required: ["z"] }, { required: ["z"] })],
    ["a condition on there being nothing else", when(closed, { required: ["z"] })],
    ["the exclusion of one choice alone", { not: { oneOf: [{ required: ["a"] }, { required: ["b"] }] } }],
    [
      "the exclusion of a pattern of names",
      { not: { required: ["a"], patternProperties: { "^b": { type: "null" } } } },
    ],
  ];
  test.each(cases)("%s", async (_, schema) => {
    expect(await refusal({ type: "object", ...schema }, { a: 1, b: 2 }, ["pin"])).toBeUndefined();
  });
});

const NAMES = ["a", "b", "c"] as const;
const name = fc.constantFrom(...NAMES);
const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ const: fc.nat(2) }),
  fc.record({ minimum: fc.nat(2) }),
  fc.constant({}),
);
const names = fc.uniqueArray(name, { maxLength: 2 });
const bottom: Parts = { properties: fc.dictionary(name, leaf, { maxKeys: 2 }), required: names };
const schemas = fc.letrec<{ inner: JsonObject }>((tie) => ({
  inner: fc.oneof({ maxDepth: 2 }, someOf(bottom), someOf(partsOf(tie("inner")))),
})).inner;

type Parts = Readonly<Record<string, fc.Arbitrary<unknown>>>;

function partsOf(inner: fc.Arbitrary<JsonObject>): Parts {
  const some = fc.array(inner, { minLength: 1, maxLength: 2 });
  const needs = fc.dictionary(name, names, { maxKeys: 2 });
  return { ...bottom, ...when(inner, inner, inner), dependentRequired: needs, not: inner, oneOf: some, anyOf: some };
}

/** An object's schema of at most four keywords. */
function someOf(parts: Parts): fc.Arbitrary<JsonObject> {
  const all = Object.keys(parts);
  return fc
    .subarray(all, { maxLength: Math.min(4, all.length) })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, parts[key]!]))))
    .map((schema) => ({ type: "object", ...schema }) as JsonObject);
}

test("nothing that a schema allows is refused", () => {
  const value = fc.dictionary(name, fc.nat(3)).map((one) => ({ ...one }));
  let [allowed, enforced] = [0, 0];
  fc.assert(
    fc.property(
      someOf({ ...partsOf(schemas), allOf: fc.array(schemas, { minLength: 1, maxLength: 2 }) }),
      fc.array(value, { minLength: 4, maxLength: 8 }),
      (schema, values) => {
        const residual = residualOf(schema);
        if (residual === undefined) return;
        const ajv = new Ajv2020.default({ strict: false });
        const [allows, takes] = [ajv.compile(schema), ajv.compile(residual)];
        for (const one of values) {
          if (allows(one)) {
            allowed += 1;
            expect(takes(one), JSON.stringify({ schema, residual, one })).toBe(true);
          } else if (!takes(one)) enforced += 1;
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(Math.min(allowed, enforced)).toBeGreaterThan(50);
});
