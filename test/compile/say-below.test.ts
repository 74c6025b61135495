import { describe, expect, test } from "vitest";
import { outlineReply } from "../../src/compile/reply/outline-schema.ts";
import { sayBelow } from "../../src/compile/reply/say-below.ts";
import type { Said } from "../../src/model/said.ts";
import type { Schema } from "../../src/model/schema.ts";
import { apiOfText, compileText, curationText } from "./compile-text.ts";
import { apiOf } from "./spec-stub.ts";

const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: "object",
  properties,
  ...more,
});
const deep = (inner: Schema, levels: number): Schema =>
  levels === 0 ? inner : object({ [`l${levels}`]: deep(inner, levels - 1) });
const text: Schema = { type: "string" };
const wide = (last: Schema): Schema =>
  object({ ...Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`f${at}`, text])), last });

function say(type: Schema, components: Record<string, Schema> = {}): Said {
  const api = apiOf(components);
  return sayBelow(type, outlineReply(type, api), api);
}

function belows({ below, properties = {}, items }: Said): string[] {
  const inside = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return [...(below === undefined ? [] : [below]), ...inside.flatMap(belows)];
}

test.each<readonly [string, Schema]>([
  ["an object of three levels", deep(text, 3)],
  ["a list of a list of texts", { type: "array", items: { type: "array", items: text } }],
  ["an object that is closed", object({ a: text }, { additionalProperties: { not: {} } })],
  ["an open schema", {}],
  ["what is only described", object({ a: object({ b: object({ c: { description: "Anything." } }) }) })],
])("nothing is left to say of %s", (_, type) => {
  expect(belows(say(type))).toStrictEqual([]);
});

type Given = readonly [string, (inner: Schema) => readonly [Schema, Record<string, Schema>?]];

describe("what the outline leaves out", () => {
  test.each<Given>([
    ["deeper than three levels", (inner) => [deep(inner, 4)]],
    ["much deeper", (inner) => [deep(inner, 9)]],
    ["beyond forty names", (inner) => [wide(inner)]],
    ["under any name", (inner) => [object({ a: text }, { additionalProperties: inner })]],
    ["under names of a pattern", (inner) => [object({}, { patternProperties: { "^x": inner } })]],
    ["under a name that no client takes", (inner) => [object({ "a b": inner })]],
    ["in a list below the last level", (inner) => [deep({ type: "array", items: object({ a: inner }) }, 3)]],
    ["in lists of lists", (inner) => [deep({ type: "array", items: { type: "array", items: inner } }, 3)]],
    [
      "behind a reference",
      (inner) => [deep({ $ref: "A" }, 3), { A: object({ a: { $ref: "B" } }), B: object({ b: inner }) }],
    ],
    [
      "behind a schema that holds itself",
      (inner) => [{ $ref: "A" }, { A: object({ a: { $ref: "A" }, b: deep(inner, 4) }) }],
    ],
    [
      "behind the subtypes of a discriminator",
      (inner) => [
        deep({ discriminator: { propertyName: "kind", mapping: { a: "A" } } }, 4),
        { A: object({ kind: text, a: inner }) },
      ],
    ],
  ])("is told to be another: %s", (_, given) => {
    const told = (inner: Schema) => belows(say(...given(inner)));
    const one = told(text);
    expect(one.length).toBeGreaterThan(0);
    expect(told(text)).toStrictEqual(one);
    expect(told({ type: "integer" })).not.toStrictEqual(one);
    expect(told({ type: "string", description: "In other words.", title: "T", examples: ["x"] })).toStrictEqual(one);
  });

  test("is the same in another order", () => {
    const said = (names: readonly string[], required: readonly string[]) =>
      belows(say(deep(object(Object.fromEntries(names.map((name) => [name, text])), { required }), 3)));
    expect(said(["b", "a"], ["b", "a"])).toStrictEqual(said(["a", "b"], ["a", "b"]));
  });

  test("is another by what it requires and lets through", () => {
    const said = (more: Schema) => belows(say(deep(object({ a: text }, more), 4)));
    const all = [{}, { required: ["a"] }, { minProperties: 1 }, { additionalProperties: text }].map((one) =>
      said(one).join(),
    );
    expect(new Set(all).size).toBe(all.length);
  });
});

test("a toolset that nobody compares is made without it, and is else the same", async () => {
  const levels = Array.from({ length: 5 }).reduce<string>((one) => `{type: object, properties: {a: ${one}}}`, "{}");
  const body = levels.replace("{}", "{type: string}");
  const api = await apiOfText(
    `paths: {/a: {get: {operationId: getA, responses: {'200': {description: Fine, content: {application/json: {schema: ${body}}}}}}}}\n`,
  );
  const text = curationText("get_a: {operation: getA, use: Get it.}");
  const [whole, served] = [compileText(api, text).toolset!, compileText(api, text, { servedOnly: true }).toolset!];
  const saidOf = ({ tools }: typeof whole) => tools.find(({ name }) => name === "get_a")?.said ?? {};
  expect([belows(saidOf(whole)).length, belows(saidOf(served)).length]).toStrictEqual([1, 0]);
  const bare = ({ tools, ...rest }: typeof whole) => ({ ...rest, tools: tools.map(({ said: _, ...tool }) => tool) });
  expect(bare(served)).toStrictEqual(bare(whole));
});
