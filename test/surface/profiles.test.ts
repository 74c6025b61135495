import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PortableSchema } from "../../src/model/schema.ts";
import { applyProfile, PROFILE_NAMES } from "../../src/surface/apply-profile.ts";
import type { Conduct, Manifest, ManifestTool } from "../../src/surface/manifest-format.ts";
import { READS, SMALL } from "./diff/compare-builder.ts";

const text: PortableSchema = { type: "string" };
const inputs = (count: number): PortableSchema => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, text])),
});

const conduct = (budget: number): Conduct => ({
  operations: [],
  access: [],
  requests: {},
  replies: {},
  budget,
  deadlineMs: 45_000,
});

function tool(name: string, more: Partial<ManifestTool> = {}): ManifestTool {
  return {
    name,
    title: "T",
    description: "D.",
    inputSchema: inputs(1),
    annotations: { title: "T", ...READS },
    conduct: conduct(1_000),
    tags: [],
    tokens: 1,
    ...more,
  };
}

function manifest(tools: readonly ManifestTool[], instructions = ""): Manifest {
  return {
    manifest: 1,
    made: { vitrine: "0.0.0", from: [] },
    server: { ...SMALL.server, name: "server-of-15-ch", instructions },
    tokens: 1,
    pins: [],
    tools,
  };
}

const LONG = "t".repeat(44);

describe("what a client does not take", () => {
  const nest = (depth: number): PortableSchema =>
    depth === 0 ? text : { type: "object", properties: { x: nest(depth - 1) } };
  const cases: readonly [what: string, profile: string, list: Manifest, want: readonly string[]][] = [
    ["nothing", "claude-code", manifest([tool("a")]), []],
    ["a name with its prefix", "claude-code", manifest([tool(LONG)]), ["error name_too_long"]],
    ["no such name where there is no prefix", "openai", manifest([tool(LONG)]), []],
    ["a name beside the server's", "cursor", manifest([tool(`${LONG}tt`)]), ["error name_too_long"]],
    ["many tools", "openai", manifest(Array.from({ length: 21 }, (_, at) => tool(`t${at}`))), ["warning many_tools"]],
    [
      "more tools than it has room for",
      "windsurf",
      manifest(Array.from({ length: 101 }, (_, at) => tool(`t${at}`))),
      ["error too_many_tools"],
    ],
    [
      "as many inputs to be left out as it takes",
      "claude-strict",
      manifest([tool("a", { inputSchema: inputs(12) }), tool("b", { inputSchema: inputs(12) })]),
      [],
    ],
    [
      "more inputs to be left out than it takes",
      "claude-strict",
      manifest([tool("a", { inputSchema: inputs(12) }), tool("b", { inputSchema: inputs(13) })]),
      ["warning many_optional_inputs"],
    ],
    [
      "inputs to be left out, where the client does not count them",
      "claude",
      manifest([tool("a", { inputSchema: inputs(12) }), tool("b", { inputSchema: inputs(13) })]),
      [],
    ],
    [
      "a long description",
      "openai",
      manifest([tool("a", { description: "d".repeat(1_025) })]),
      ["error description_too_long"],
    ],
    ["long instructions", "claude-code", manifest([tool("a")], "i".repeat(2_049)), ["warning instructions_too_long"]],
    ["a long reply", "codex", manifest([tool("a", { conduct: conduct(25_000) })]), ["warning reply_cut"]],
    ["several inputs", "claude", manifest([tool("a", { inputSchema: inputs(16) })]), ["note many_inputs"]],
    ["many inputs", "claude", manifest([tool("a", { inputSchema: inputs(26) })]), ["warning many_inputs"]],
    ["a deep schema", "claude", manifest([tool("a", { inputSchema: nest(6) })]), ["warning deep_schema"]],
    [
      "a schema too deep for strict mode",
      "openai-strict",
      manifest([tool("a", { inputSchema: nest(11) })]),
      ["warning deep_schema", "error strict_limit"],
    ],
    [
      "many values",
      "claude",
      manifest([
        tool("a", {
          inputSchema: {
            type: "object",
            properties: { x: { type: "string", enum: Array.from({ length: 21 }, String) } },
          },
        }),
      ]),
      ["note many_values"],
    ],
  ];
  test.each(cases)("%s", (_, profile, list, want) => {
    const { findings } = applyProfile(list, profile)!;
    expect(findings.map(({ severity, code }) => `${severity} ${code}`)).toStrictEqual(want);
  });

  test("full names are those that count", () => {
    const names = (profile: string) => applyProfile(manifest([tool("a")]), profile)?.fullNames;
    expect(names("claude-code")).toStrictEqual(["mcp__server-of-15-ch__a"]);
    expect(names("gemini-cli")).toStrictEqual(["mcp_server-of-15-ch_a"]);
    expect(names("openai")).toStrictEqual(["a"]);
    expect(names("no-such-client")).toBeUndefined();
  });

  test("any name that the contract allows fits every client, whatever the server is called", () => {
    const longest = manifest([tool("t".repeat(40))]);
    const refused = PROFILE_NAMES.filter((name) => applyProfile(longest, name)!.findings.length > 0);
    expect(refused).toStrictEqual([]);
  });
});

const portable: fc.Arbitrary<PortableSchema> = fc.letrec<{ schema: PortableSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constantFrom("string", "integer", "boolean") }),
    fc.record({
      type: fc.constant("string"),
      enum: fc.uniqueArray(fc.string(), { minLength: 1 }),
      description: fc.string(),
    }),
    fc.record({ type: fc.constant("number"), minimum: fc.integer(), default: fc.integer() }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat() }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("schema"), { maxKeys: 4 }).chain((properties) =>
      fc.record({
        type: fc.constant("object"),
        properties: fc.constant(properties),
        required: fc.subarray(Object.keys(properties)),
      }),
    ),
  ) as fc.Arbitrary<PortableSchema>,
})).schema;

describe("OpenAI's strict dialect", () => {
  const strict = (schema: PortableSchema) =>
    applyProfile(manifest([tool("a", { inputSchema: schema })]), "openai-strict")!.manifest.tools[0]!.inputSchema;

  test("asks for every property, closes every object, and lets what is optional be null", () => {
    expect(
      strict({
        type: "object",
        properties: {
          a: text,
          b: { type: "string", enum: ["x"], description: "B.", default: "x" },
          c: { type: "array", items: { type: "object", properties: { d: { type: "integer", minimum: 1 } } } },
        },
        required: ["a"],
      }),
    ).toStrictEqual({
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: ["string", "null"], description: "B.", enum: ["x", null] },
        c: {
          type: ["array", "null"],
          items: {
            type: "object",
            properties: { d: { type: ["integer", "null"] } },
            required: ["d"],
            additionalProperties: false,
          },
        },
      },
      required: ["a", "b", "c"],
      additionalProperties: false,
    });
  });

  test("holds nothing that strict mode refuses, at any depth", () => {
    fc.assert(
      fc.property(portable, (schema) => {
        const walk = (node: unknown): void => {
          if (typeof node !== "object" || node === null || Array.isArray(node)) return;
          const { type, properties, required, additionalProperties, items, ...rest } = node as Record<string, unknown>;
          expect(Object.keys(rest).filter((key) => key !== "enum" && key !== "description")).toStrictEqual([]);
          if ([type].flat().includes("object")) {
            expect(required).toStrictEqual(Object.keys(properties as object));
            expect(additionalProperties).toBe(false);
          }
          for (const one of Object.values((properties ?? {}) as object)) walk(one);
          walk(items);
        };
        walk(strict({ type: "object", properties: { schema } }));
      }),
    );
  });
});
