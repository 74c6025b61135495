import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PortableSchema } from "../../../src/model/schema.ts";
import { CHANGE_RULES, findChangeRule } from "../../../src/surface/diff/change-rules.ts";
import { compareInput } from "../../../src/surface/diff/compare/compare-input.ts";
import { compareOutput } from "../../../src/surface/diff/compare/compare-output.ts";
import { compareManifests } from "../../../src/surface/diff/compare-manifests.ts";
import type { Manifest } from "../../../src/surface/manifest-format.ts";
import { list, type Patch, SMALL, small, told } from "./compare-builder.ts";

// What holds of the comparison whatever is compared.

describe("rules", () => {
  test("each has an ID of its own in snake_case and sentences for people", () => {
    const ids = CHANGE_RULES.map(({ rule }) => rule);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { rule, title, why, remedy } of CHANGE_RULES) {
      expect(rule).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(title).not.toMatch(/[.]$/);
      expect([why, remedy].every((text) => text.endsWith("."))).toBe(true);
      expect(findChangeRule(rule)?.class).toBeDefined();
    }
    expect(findChangeRule("__proto__")).toBeUndefined();
  });
});

describe("laws", () => {
  test("a list does not differ from itself", () => {
    expect(told(small(), small())).toStrictEqual([]);
  });

  const leaves = leavesOf(small() as unknown as Patch).filter(
    ([, path]) => path[0] !== "made" && path.at(-1) !== "tokens" && !path.join("/").endsWith("annotations/title"),
  );

  test("nothing is changed, taken away or added that is not told", () => {
    fc.assert(
      fc.property(fc.constantFrom(...leaves), fc.constantFrom("change", "remove", "add"), ([value, path], how) => {
        const head = structuredClone(small()) as unknown as Record<string, unknown>;
        const parent = path
          .slice(0, -1)
          .reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, head);
        const key = path.at(-1)!;
        // Without the rest of these it is no manifest.
        if (how === "remove" && !path.some((one) => /^(input|output)Schema$|^conduct$/.test(one))) return;
        if (how === "add" && Array.isArray(parent)) parent.push("zz_new");
        else if (how === "add") parent["zz_new"] = 1;
        else if (how === "change") parent[key] = otherThan(value);
        else if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else delete parent[key];
        if (isInName(path)) return;
        expect(compareManifests(small(), head as unknown as Manifest)).not.toStrictEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  const holding = (it: PortableSchema): PortableSchema => ({ type: "object", properties: { it } });
  const spot = { tool: "a", path: "" };

  test("what is told of arguments is true: what only widens takes every value that was taken", () => {
    fc.assert(
      fc.property(schemas, schemas, fc.array(values, { minLength: 30, maxLength: 30 }), (before, after, all) => {
        const told = [...compareInput(holding(before), holding(after), spot)];
        if (told.some(({ class: is }) => is === "BREAKING" || is === "UNKNOWN")) return;
        const [was, is] = [takes(before, false), takes(after, false)];
        for (const value of all) if (was(value)) expect([value, is(value)]).toStrictEqual([value, true]);
      }),
      { numRuns: 400 },
    );
  });

  test("what is told of replies is true: what only narrows gives no value that was never given", () => {
    fc.assert(
      fc.property(schemas, schemas, fc.array(values, { minLength: 30, maxLength: 30 }), (before, after, all) => {
        const told = [...compareOutput(holding(before), holding(after), spot)];
        if (told.some(({ class: is }) => is !== "COMPATIBLE")) return;
        const [was, is] = [takes(before, true), takes(after, true)];
        for (const value of all) if (is(value)) expect([value, was(value)]).toStrictEqual([value, true]);
      }),
      { numRuns: 400 },
    );
  });

  test("what is removed one way is added the other, tool by tool and input by input", () => {
    const some = fc.subarray(["list_bugs", "get_bug", "close_bug"]);
    const inputs = fc.subarray(Object.keys(SMALL.tools["list_bugs"]!.inputSchema.properties!));
    const without = (tools: readonly string[], names: readonly string[]) =>
      small(
        list({ inputSchema: { properties: Object.fromEntries(names.map((name) => [name, undefined])), required: [] } }),
        { tools: Object.fromEntries(tools.map((name) => [name, undefined])) },
      );
    fc.assert(
      fc.property(some, some, inputs, inputs, (a, b, x, y) => {
        const [base, head] = [without(a, x), without(b, y)];
        const count = (from: Manifest, to: Manifest, ...rules: string[]) =>
          compareManifests(from, to)
            .filter(({ rule }) => rules.includes(rule))
            .map(({ tool, path }) => `${tool}${path}`);
        for (const [gone, come] of [
          ["tool_removed", "tool_added"],
          ["input_removed", "optional_input_added"],
          ["output_field_removed", "output_field_added"],
        ] as const)
          expect(count(base, head, gone)).toStrictEqual(count(head, base, come));
        expect(compareManifests(base, base)).toStrictEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

const few = <T>(...choices: readonly T[]) => fc.option(fc.constantFrom(...choices), { nil: undefined });

/** Schemas of the portable subset that are near enough to each other to be comparable. */
const { schema: schemas } = fc.letrec<{ schema: PortableSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant({}),
    bare({ type: fc.constantFrom("integer", "number"), minimum: few(0, 1), maximum: few(1, 2) }),
    bare({
      type: fc.constant("string"),
      minLength: few(0, 1),
      maxLength: few(1, 2),
      enum: few(["a"], ["a", "b"], ["b"]),
      pattern: few("^a", "b$"),
    }),
    bare({
      type: fc.constant("array"),
      items: fc.option(tie("schema"), { nil: undefined }),
      minItems: few(0, 1),
      maxItems: few(1, 2),
    }),
    bare({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
      required: few([], ["a"], ["a", "b"]),
    }),
  ),
}));

function bare(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<PortableSchema> {
  return fc
    .record(model)
    .map(
      (made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as PortableSchema,
    );
}

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>("", "a", "b", "ab", "bb", -1, 0, 1, 1.5, 2, 3, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
  ),
}));

/** Arguments may hold only what is named; a reply may hold more, and be null where it has no type. */
function takes(schema: PortableSchema, isOpen: boolean): (value: unknown) => boolean {
  return new Ajv({ strict: false }).compile(isOpen ? schema : closed(schema));
}

function closed(schema: PortableSchema): object {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(items !== undefined && { items: closed(items) }),
    ...(schema.type === "object" && { additionalProperties: false }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)])),
    }),
  };
}

/** Every value that holds no other, with the way to it. */
function leavesOf(
  value: unknown,
  path: readonly string[] = [],
): (readonly [value: unknown, path: readonly string[]])[] {
  if (typeof value !== "object" || value === null) return [[value, path]];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]));
}

function otherThan(value: unknown): unknown {
  return typeof value === "number" ? value * 2 + 7 : typeof value === "boolean" ? !value : `${String(value)}_other`;
}

/** A tool without a name is none that could be made. */
function isInName(path: readonly string[]): boolean {
  return path.at(-1) === "name";
}
