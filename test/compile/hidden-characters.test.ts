import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PortableSchema } from "../../src/model/schema.ts";
import { validateArguments } from "../../src/run/arguments/validate-arguments.ts";
import { compileTools, toolOf } from "./compile-text.ts";

// Agents read the list of tools as text: what a person does not see in it would speak to the model alone.

const TOOLS = `find_things:
  operation: findThings
  input: {kind: {}, must: {}, code: {}, box: {}, other: {}}
  args: {OTHER: "\${input.other}"}
  result: {rows: "@"}`;

/** Compiles one list whose spec says `word` wherever a spec may say something. */
async function compileWith(word: string) {
  const said = `A ${word} b`;
  const get = {
    operationId: "findThings",
    summary: said,
    description: said,
    tags: [word],
    parameters: [
      { name: "kind", in: "query", description: said, schema: { enum: [`v${word}`, "w"], default: `v${word}` } },
      { name: "must", in: "query", required: true, schema: { type: "string", default: `d${word}`, example: word } },
      {
        name: "code",
        in: "query",
        schema: { type: "string", pattern: `^x${word}?$`, format: `f${word}`, default: word },
      },
      {
        name: "box",
        in: "query",
        style: "deepObject",
        schema: { type: "object", title: said, properties: { [`p${word}`]: { type: "string", description: said } } },
      },
      { name: `n${word}`, in: "query", schema: { type: "string" } },
    ],
    responses: { 200: { description: said, content: { "application/json": { schema: rowsOf(word, said) } } } },
  };
  const place = JSON.stringify(`query.n${word.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  const paths = asciiJson({ "/things": { get } });
  return await compileTools(
    `paths: ${paths}`,
    TOOLS.replace("OTHER", () => asciiJson(JSON.parse(place))),
  );
}

function rowsOf(word: string, description: string) {
  return {
    type: "array",
    items: { type: "object", properties: { [`c${word}`]: { type: "string", description, enum: [word] } } },
  };
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** By the code points that Unicode gives to what is not seen; each class is met by many values. */
const hidden = fc.oneof(
  fc.integer({ min: 0xe0000, max: 0xe007f }),
  fc.integer({ min: 0x202a, max: 0x202e }),
  fc.integer({ min: 0x2060, max: 0x2069 }),
  fc.constantFrom(0x200b, 0x200e, 0x200f, 0xfeff, 0xad, 0x61c, 0x1b, 0x7f, 0x9b, 0xe000, 0xffff, 0xe01ef, 0xfe01),
);

describe("what a person does not see reaches no list of tools", () => {
  test("wherever the spec says it", async () => {
    let served = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(hidden, { minLength: 1, maxLength: 6 }), async (points) => {
        const compiled = await compileWith(`a${String.fromCodePoint(...points)}z`);
        const tool = toolOf(compiled);
        served += 1;
        const { name, title, description, inputSchema, outputSchema } = tool;
        const read = JSON.stringify({
          name,
          title,
          description,
          inputSchema,
          outputSchema,
          server: compiled.toolset?.server,
        });
        for (const point of points)
          expect(read).not.toContain(JSON.stringify(String.fromCodePoint(point)).slice(1, -1));
      }),
      { numRuns: 40 },
    );
    expect(served).toBe(40);
  }, 30_000);

  test("a control alone, which JSON writes as an escape", async () => {
    const { inputSchema } = toolOf(await compileWith("a\u001bz"));
    expect(schemaAt(inputSchema, "must").default).toBeUndefined();
    expect(schemaAt(inputSchema, "kind").default).toBe("vaz");
  });

  test("and what is seen stays: an emoji of several parts, other alphabets", async () => {
    const word = "👩‍🚀 é Ω";
    const { inputSchema } = toolOf(await compileWith(word));
    expect(schemaAt(inputSchema, "kind").enum).toEqual([`v${word}`, "w"]);
    expect(schemaAt(inputSchema, "must").default).toBe(`d${word}`);
  });
});

describe("a value that hides something is written without it and sent with it", () => {
  const sent = async (values: readonly unknown[], given: string) => {
    const schema = asciiJson({ type: "string", enum: values });
    const spec = `paths: {/x: {get: {operationId: getX, parameters: [{name: kind, in: query, schema: ${schema}}], responses: {200: {description: ok}}}}}`;
    const tool = toolOf(await compileTools(spec, "get_x: {operation: getX, use: Reads., input: {kind: {}}}"));
    const pinned = { pins: new Set<string>(), places: new Set<string>(), inside: new Set<string>() };
    const { wire } = await validateArguments(tool, pinned, { kind: given }, { now: new Date(0), pins: {} });
    return [schemaAt(tool.inputSchema, "kind").enum, wire.get("kind")];
  };

  test.each([
    ["one", ["a\u200Bb", "c"], "ab", [["ab", "c"], "a\u200Bb"]],
    ["one beside another that looks the same, which is meant", ["a\u200B", "a"], "a", [["a"], "a"]],
    ["two that look the same: the first", ["\u2060a", "a\u2060"], "a", [["a"], "\u2060a"]],
  ])("%s", async (_, values, given, want) => {
    expect(await sent(values, given)).toEqual(want);
  });
});

function schemaAt(schema: PortableSchema, name: string): PortableSchema {
  return schema.properties?.[name] ?? {};
}
