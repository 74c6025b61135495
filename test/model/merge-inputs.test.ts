import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeGroup } from "../../src/model/group/describe-group.ts";
import { type Action, mergeInputs } from "../../src/model/group/merge-inputs.ts";
import { mergeSchemas, type SchemaClash } from "../../src/model/group/merge-schemas.ts";
import { mergeWords } from "../../src/model/group/merge-words.ts";
import type { PortableSchema } from "../../src/model/schema.ts";
import type { Annotations } from "../../src/model/tool.ts";
import { toolOf } from "../run/validate-fixture.ts";

const READS: Annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

function action(name: string, inputSchema: PortableSchema, more: Partial<Action> = {}): Action {
  const group = { tool: "billing", title: "Billing", action: name, discriminator: "action" };
  return { ...toolOf([]), name: `billing_${name}`, annotations: READS, inputSchema, group, ...more };
}

const taking = (properties: Record<string, PortableSchema>, ...required: string[]): PortableSchema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

describe("merged inputs", () => {
  const text: PortableSchema = { type: "string" };
  const actions = [
    action("get", taking({ id: text, common: text }, "id", "common")),
    action("refund", taking({ id: text, reason: text, common: text }, "id", "reason", "common")),
    action("void", taking({ reason: text, deep: text, common: text }, "reason", "common")),
    action("list", taking({ deep: text, limit: { type: "integer", default: 5 }, id: text, common: text }, "common")),
  ];

  test("every input has the note of who needs and who takes it, and a default only where all take it", () => {
    const { schema, clashes } = mergeInputs(actions);
    expect(clashes).toStrictEqual([]);
    expect(schema).toStrictEqual({
      type: "object",
      properties: {
        action: {
          type: "string",
          description: "What to do. (always required)",
          enum: ["get", "refund", "void", "list"],
        },
        id: { type: "string", description: "Required for: get, refund. For: list" },
        common: { type: "string", description: "(always required)" },
        reason: { type: "string", description: "Required for: refund, void" },
        deep: { type: "string", description: "For: void, list" },
        limit: { type: "integer", description: "For: list" },
      },
      required: ["action", "common"],
    });
  });

  test("a description keeps its note, however long its words are", () => {
    const long = { type: "string", description: "word ".repeat(300) } as const;
    const { description = "" } = mergeInputs([action("get", taking({ id: long }))]).schema.properties?.id ?? {};
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(description).toMatch(/word… For: get$/);
  });

  test("actions with values of their own say so, also of what stands inside", () => {
    const filter = (...fields: string[]): PortableSchema => {
      const field: PortableSchema = { type: "string", enum: fields };
      const kind: PortableSchema = { type: "string", enum: ["single", "composite"] };
      const conditions: PortableSchema = { type: "array", items: taking({ field }) };
      return { type: "object", description: "Which rows.", properties: { kind, field, conditions } };
    };
    const both = [
      action("get", taking({ filter: filter("a", "b") })),
      action("list", taking({ filter: filter("b", "c") })),
    ];
    const merged = mergeInputs(both).schema.properties?.filter;
    expect(merged?.description).toBe("Which rows. `get`: field: a, b. `list`: field: b, c. For: get, list");
    expect(merged?.properties?.field).toStrictEqual({ type: "string", enum: ["a", "b", "c"] });
  });

  test("inputs of two types clash, at any depth", () => {
    const nested = (type: "string" | "integer") =>
      taking({ filter: { type: "array", items: taking({ value: { type } }) } });
    expect(mergeInputs([action("get", nested("string")), action("list", nested("integer"))]).clashes).toStrictEqual([
      { input: "filter[].value", actions: ["get", "list"], types: ["string", "integer"] },
    ]);
  });
});

describe("merged words", () => {
  const cases: readonly (readonly [texts: readonly string[], want: string])[] = [
    [["One."], "One."],
    [["One.", "One."], "One."],
    [["One. Two.", "One. Three."], "One. `a`: Two. `b`: Three."],
    [["One.", "", "Two."], "`a`: One. `c`: Two."],
    [["One. Two.", "One.", "One. Two."], "One. `a`, `c`: Two."],
    [["", ""], ""],
  ];
  test.each(cases)("%j", (texts, want) => {
    expect(mergeWords(texts.map((text, at) => ({ action: "abc"[at]!, text })))).toBe(want);
  });
});

describe("the description of a group", () => {
  test("each action has its own annotations in it", () => {
    const hints = (more: Partial<Annotations>) => ({ annotations: { ...READS, readOnlyHint: false, ...more } });
    const { description } = describeGroup("Billing", [
      action("a", taking({}), { description: "A.", annotations: { ...READS, openWorldHint: false } }),
      action("b", taking({}), { description: "B.", ...hints({ idempotentHint: false }) }),
      action("c", taking({}), { description: "C.", ...hints({ destructiveHint: true }) }),
    ]);
    expect(description).toBe(
      "Billing: 3 actions, chosen by `action`.\n- a (reads, closed world): A.\n- b (writes): B.\n- c (destroys, repeatable): C.",
    );
  });
});

/** Schemas of one type, so that they can be merged, and values of that type. */
const bounds = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }));
const LEAVES = {
  integer: [
    fc.record({ range: fc.option(bounds) }).map(({ range }): PortableSchema => {
      const [a = 0, b = 0] = range ?? [];
      return { type: "integer", ...(range && { minimum: Math.min(a, b), maximum: Math.max(a, b) }) };
    }),
    fc.integer({ min: -6, max: 6 }),
  ],
  string: [
    fc.oneof(
      fc
        .uniqueArray(fc.constantFrom("a", "b", "ab", ""), { minLength: 1 })
        .map((values): PortableSchema => ({ type: "string", enum: values })),
      fc.nat(2).map((minLength): PortableSchema => ({ type: "string", minLength, pattern: "^a" })),
      fc.constant<PortableSchema>({ type: "string" }),
    ),
    fc.constantFrom("a", "b", "ab", "", "c"),
  ],
} as const;

const ofKind = (kind: keyof typeof LEAVES) => {
  const [schema, value] = LEAVES[kind];
  const object = fc
    .record({ x: schema, y: schema }, { requiredKeys: [] })
    .chain((properties) =>
      fc.subarray(Object.keys(properties)).map((required): PortableSchema => taking(properties, ...required)),
    );
  const list = fc
    .tuple(object, fc.option(fc.nat(2)))
    .map(([items, least]): PortableSchema => ({ type: "array", items, ...(least !== null && { minItems: least }) }));
  return fc.record({
    one: list,
    other: list,
    value: fc.array(fc.record({ x: value, y: value }, { requiredKeys: [] }), { maxLength: 3 }),
  });
};

/** The server refuses names that a schema does not have, which the portable subset has no word for. */
function closed({ items, ...schema }: PortableSchema): object {
  if (schema.type === "object") return { ...schema, additionalProperties: false };
  return { ...schema, ...(items !== undefined && { items: closed(items) }) };
}

test("what one of two schemas takes, both together take; what they share, they keep", () => {
  const ajv = new Ajv2020({ strict: false });
  let taken = 0;
  fc.assert(
    fc.property(
      fc.constantFrom("integer", "string").chain((kind) => ofKind(kind as keyof typeof LEAVES)),
      ({ one, other, value }) => {
        const clashes: SchemaClash[] = [];
        const merged = mergeSchemas(one, other, (clash) => clashes.push(clash));
        expect(clashes).toStrictEqual([]);
        const fits = ajv.validate(closed(one), value) || ajv.validate(closed(other), value);
        if (fits) taken += 1;
        if (fits) expect(ajv.validate(closed(merged), value)).toBe(true);
        expect(mergeSchemas(one, one)).toStrictEqual(one);
      },
    ),
    { numRuns: 300 },
  );
  expect(taken).toBeGreaterThan(30);
});
