import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnreadableInput } from "../../src/model/errors.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { compareManifests } from "../../src/surface/diff/compare-manifests.ts";
import { makeManifest, manifestText } from "../../src/surface/manifest.ts";
import { readManifest } from "../../src/surface/read-manifest.ts";
import { compileDesk } from "../run/group/desk.ts";

const MADE = { vitrine: "1.0.0", from: [{ path: "../spec.yaml", sha256: "0".repeat(64) }] };
const manifests = await Promise.all(
  (["flat", "grouped"] as const).map(async (expose) => makeManifest(await compileDesk({ expose }), MADE)),
);
const [flat] = manifests;

test("what was written is read back", () => {
  for (const manifest of manifests) expect(readManifest(manifestText(manifest))).toStrictEqual(manifest);
  expect(readManifest(`\uFEFF${manifestText(flat!).replaceAll("\n", "\r\n")}`)).toStrictEqual(flat);
});

test("keys of a later version are no fault", () => {
  expect(readManifest(JSON.stringify({ ...flat, later: { a: 1 } }))).toMatchObject({ later: { a: 1 } });
});

const first = flat!.tools[0]!;
const withTool = (more: object) => JSON.stringify({ ...flat, tools: [{ ...first, ...more }] });
const deep = (depth: number): string => `${'{"items":'.repeat(depth)}{}${"}".repeat(depth)}`;

describe("any other text is refused, with what is wrong and where", () => {
  const cases: readonly (readonly [title: string, text: string, want: RegExp])[] = [
    ["nothing", "", /^it is not JSON\.$/],
    ["another language", "<html>", /^it is not JSON\.$/],
    ["a list", "[]", /^it is not a manifest\.$/],
    ["another object", '{"tools":[]}', /^it is not a manifest\.$/],
    ["a number of the prototype's", '{"__proto__":{"manifest":1}}', /^it is not a manifest\.$/],
    ["another version", '{"manifest":2}', /another version of vitrine/],
    ["half of one", '{"manifest":1}', /`made` is missing/],
    ["a tool that is none", JSON.stringify({ ...flat, tools: [null] }), /`tools\[0\]` is not an object/],
    ["a tool without anything that it does", withTool({ conduct: undefined }), /`tools\[0\]\.conduct` is missing/],
    ["a title that is none", withTool({ title: 1 }), /`tools\[0\]\.title` is not a text/],
    [
      "a schema that is none",
      withTool({ inputSchema: { properties: { a: [] } } }),
      /`tools\[0\]\.inputSchema\.properties\.a` is not an object/,
    ],
    ["a type that there is not", withTool({ inputSchema: { type: "null" } }), /type` is not "string" or/],
    [
      "a limit that is none",
      withTool({ conduct: { ...first.conduct, limit: { default: "1", max: 2 } } }),
      /limit\.default` is not a number/,
    ],
    [
      "two tools of one name",
      JSON.stringify({ ...flat, tools: [first, first] }),
      /`tools\[1\]\.name` is that of another tool/,
    ],
    ["a schema without end", withTool({ inputSchema: JSON.parse(deep(2_000)) }), /nested at most 64 deep/],
    [
      "a name that acts on a terminal",
      withTool({ inputSchema: { properties: { "a\u001B[31m\u202E": 1 } } }),
      /properties\."a\\u001b\[31m\\u\{202E\}"` is not an object/,
    ],
    ["a very long name", withTool({ inputSchema: { properties: { [" ".repeat(10_000)]: 1 } } }), /^.{1,200}$/],
  ];
  test.each(cases)("%s", (_, text, want) => {
    const read = () => readManifest(text);
    expect(read).toThrow(UnreadableInput);
    expect(read).toThrow(want);
  });
});

/** Every place in a value, the way to it. */
function placesOf(value: Json): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...entries.flatMap(([key, one]) => placesOf(one as Json).map((way) => [key, ...way]))];
}

function replaceAt(value: Json, [key, ...way]: readonly (string | number)[], by: Json): Json {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((one: Json, at) => (at === key ? replaceAt(one, way, by) : one));
  return { ...(value as JsonObject), [key]: replaceAt((value as JsonObject)[key]!, way, by) };
}

test("whatever is changed in one, it is read, and then can be compared, or it is refused", () => {
  const whole = JSON.parse(manifestText(manifests[1]!)) as Json;
  const places = placesOf(whole);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: places.length - 1 }), fc.jsonValue() as fc.Arbitrary<Json>, (at, by) => {
      try {
        const read = readManifest(JSON.stringify(replaceAt(whole, places[at]!, by)));
        for (const [one, other] of [
          [manifests[1]!, read],
          [read, manifests[1]!],
        ] as const)
          expect(Array.isArray(compareManifests(one, other))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableInput);
      }
    }),
    { numRuns: 300 },
  );
});
