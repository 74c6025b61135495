import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { curationJsonSchema } from "../../src/curation/print-schema.ts";

const read = (path: string) => load(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"));
const schema = curationJsonSchema();
const validate = new Ajv2020({ strict: false }).compile(schema);
const minimal = { vitrine: 1, api: { spec: "a.yaml" }, server: { name: "demo" }, tools: { a: { operation: "b" } } };

describe("the printed JSON Schema", () => {
  test.each([
    "fixtures/contract/ledger.yaml",
    "fixtures/contract/workflow.yaml",
    "fixtures/curation/every-key.yaml",
    "../curation/powerdns.yaml",
    "../curation/stripe.yaml",
  ])("takes %s", (path) => {
    validate(read(path));
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each([
    ["a minimal file", {}, true],
    ["anchors at the top", { "x-common": { any: ["thing"] } }, true],
    ["another version", { vitrine: 2 }, false],
    ["an unknown key at the top", { toolz: {} }, false],
    ["an unknown key of a tool", { tools: { a: { operation: "b", budgte: 1 } } }, false],
    ["a size that is none", { tools: { a: { operation: "b", result: { budget: "8kb" } } } }, false],
    ["an input without content", { tools: { a: { operation: "b", input: { x: null } } } }, true],
    ["an input's name with a dot", { tools: { a: { operation: "b", input: { "x.y": {} } } } }, false],
    ["two kinds of one credential", { api: { spec: "a", auth: { k: { bearer: "x", apiKey: "y" } } } }, false],
    ["a value of values", { tools: { a: { operation: "b", result: { value: { x: { y: "z" } } } } } }, true],
    ["a number in a value", { tools: { a: { operation: "b", result: { value: { x: 1 } } } } }, false],
  ])("%s", (_, part, want) => expect(validate({ ...minimal, ...part })).toBe(want));

  test("says what each key is for, and names its parts", () => {
    const { $defs, $schema } = schema as {
      $defs: Record<string, { properties?: Record<string, { description?: string }> }>;
      $schema: string;
    };
    expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(Object.keys($defs)).toEqual(
      expect.arrayContaining(["Tool", "Input", "Result", "Api", "Server", "Filter", "CallStep"]),
    );
    expect(Object.keys($defs).filter((name) => name.startsWith("__"))).toEqual([]);
    expect(silentKeys(schema)).toEqual([]);
  });
});

/** Every `properties` entry anywhere that has no description. */
function silentKeys(node: unknown, name = "file"): string[] {
  if (typeof node !== "object" || node === null) return [];
  const properties = "properties" in node && typeof node.properties === "object" ? (node.properties ?? {}) : {};
  const own = Object.entries(properties).flatMap(([key, entry]) =>
    entry && "description" in entry ? [] : [`${name}.${key}`],
  );
  return [...own, ...Object.entries(node).flatMap(([key, entry]) => silentKeys(entry, key))];
}
