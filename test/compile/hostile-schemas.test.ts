import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tool } from "../../src/model/tool.ts";
import { validateArguments } from "../../src/run/arguments/validate-arguments.ts";
import { openapi, openSpec } from "../spec/open-spec.ts";
import { compileText, curationText, errorsOf, shown, toolOf } from "./compile-text.ts";

// A spec's schemas are a stranger's: whatever they are, compiling ends, calls are checked quickly, and the list of tools stays bounded.

const MOST_MS = 3_000;
const BODY = `post_x: {operation: postX, effect: read, use: Does it., input: {body: {}}, args: {body: "\${input.body}"}}`;

async function compileBody(schema: object, schemas: Readonly<Record<string, object>> = {}) {
  const media = { "application/json": { schema } };
  const post = { operationId: "postX", requestBody: { required: true, content: media }, responses: { 200: {} } };
  const api = await openSpec(openapi("3.1.0", { paths: { "/x": { post } }, components: { schemas } }));
  return compileText(api, curationText(BODY, { api: 'baseUrl: "https://api.example.com"' }));
}

/** The processor's time of this process, as others may be at work on the machine. */
async function timed<T>(work: () => Promise<T>): Promise<T> {
  const started = process.cpuUsage();
  const done = await work();
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(MOST_MS);
  return done;
}

async function check(tool: Tool, body: unknown): Promise<string | undefined> {
  const pinned = { pins: new Set<string>(), places: new Set<string>(), inside: new Set<string>() };
  const told = validateArguments(tool, pinned, { body }, { now: new Date(0), pins: {} });
  return await told.then(
    () => undefined,
    (error: Error) => error.message,
  );
}

describe("thousands of parts", () => {
  const part = (at: number) => ({ type: "object", properties: { [`p${at}`]: { type: "string" } } });
  const parts = Array.from({ length: 3_000 }, (_, at) => part(at));

  test("that must all hold are one object, soon", async () => {
    const tool = toolOf(await timed(() => compileBody({ allOf: parts })));
    expect(await timed(() => check(tool, { p1: "a", p2999: "b" }))).toBeUndefined();
    expect(await timed(() => check(tool, { p2999: [] }))).toMatch(/p2999/);
  });

  test("that say one property again and again", async () => {
    const again = Array.from({ length: 5_000 }, (_, at) => ({
      properties: { a: { type: "string", maxLength: 9_000 - at } },
    }));
    const tool = toolOf(await timed(() => compileBody({ type: "object", allOf: again })));
    expect(await check(tool, { a: "x".repeat(4_000) })).toBeUndefined();
  });

  test("of which one must hold", async () => {
    const tool = toolOf(
      await timed(() => compileBody({ anyOf: parts.map((one, at) => ({ ...one, required: [`p${at}`] })) })),
    );
    expect(await timed(() => check(tool, { p1: "a" }))).toBeUndefined();
  });

  test("two lists of values", async () => {
    const values = Array.from({ length: 5_000 }, (_, at) => `v${at}`);
    const tool = toolOf(
      await timed(() =>
        compileBody({
          type: "object",
          properties: { a: { allOf: [{ enum: values }, { enum: values.toReversed() }] } },
        }),
      ),
    );
    expect(await check(tool, { a: "v4999" })).toBeUndefined();
    expect(await check(tool, { a: "v5000" })).toBeDefined();
  });
});

test("references in any circle compile to a schema of bounded size without references", async () => {
  const names = ["A", "B", "C", "D", "E"];
  const to = fc.constantFrom(...names).map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const { node } = fc.letrec<{ node: object }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      to,
      fc.constant({ type: "string" }),
      tie("node").map((items) => ({ type: "array", items })),
      fc
        .dictionary(fc.constantFrom("a", "b", "c"), tie("node"), { maxKeys: 3 })
        .map((properties) => ({ type: "object", properties })),
      fc.record({ type: fc.constant("object"), additionalProperties: tie("node") }),
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((allOf) => ({ allOf })),
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc.array(tie("node"), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
      tie("node").map((not) => ({ not, type: "object" })),
    ),
  }));
  let served = 0;
  await fc.assert(
    fc.asyncProperty(fc.record(Object.fromEntries(names.map((name) => [name, node]))), async (schemas) => {
      const compiled = await timed(() =>
        compileBody({ $ref: "#/components/schemas/A" }, schemas as Record<string, object>),
      );
      const [tool] = compiled.toolset?.tools ?? [];
      expect(tool !== undefined || compiled.problems.length > 0).toBe(true);
      if (tool === undefined) return;
      served += 1;
      const told = JSON.stringify([tool.inputSchema, tool.outputSchema]);
      expect(told).not.toContain("$ref");
      expect(told.length).toBeLessThan(100_000);
      await timed(() => check(tool, { a: { b: [{ c: {} }] } }));
    }),
    { numRuns: 60 },
  );
  expect(served).toBeGreaterThan(20);
}, 60_000);

describe("what would make a validator follow or compute more than it is given", () => {
  test.each([
    [
      "a dialect that nobody knows",
      {
        $schema: "https://elsewhere.example/dialect",
        type: "object",
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      { a: 1 },
    ],
    [
      "a schema elsewhere",
      { type: "object", properties: { a: { type: "integer" } }, if: { $ref: "https://elsewhere.example/s" } },
      { a: 1 },
    ],
    [
      "bounds out of the data ($data)",
      {
        type: "object",
        properties: { a: { type: "integer" }, b: { type: "integer", minimum: { $data: "1/a" } } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      { a: 5, b: 1 },
    ],
  ])("%s is not there for it", async (_, schema, body) => {
    const compiled = await timed(() => compileBody(schema));
    const [tool] = compiled.toolset?.tools ?? [];
    if (tool === undefined) return expect(errorsOf(compiled)).not.toEqual([]);
    expect(await timed(() => check(tool, body))).toBeUndefined();
  });

  test("a dynamic reference to itself is the fault of its tool", async () => {
    const compiled = await timed(() => compileBody({ $dynamicAnchor: "n", $dynamicRef: "#n" }));
    expect(shown(compiled.problems).join()).toMatch(/spec_fault|only leads back/);
  });

  test("choices in choices are not tried one with another: data as deep as arguments may be is checked soon", async () => {
    const name = (at: number) => ({ $ref: `#/components/schemas/S${at}` });
    const schemas = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [
        `S${at}`,
        {
          type: "object",
          anyOf: [{ properties: { a: name(at + 1) } }, { properties: { a: name(at + 1) }, required: ["z"] }],
        },
      ]),
    );
    const tool = toolOf(
      await timed(() => compileBody(name(0), { ...schemas, S25: { type: "object", required: ["nope"] } })),
    );
    const deep = Array.from({ length: 24 }).reduce<object>((inner) => ({ a: inner }), {});
    await timed(() => check(tool, deep));
  });
});

describe("patterns", () => {
  const bad = `${"a".repeat(20_000)}!`;
  test.each([
    ["a repetition in a repetition", "(a+)+$", "refused"],
    ["choices that overlap", "^(a|aa)+$", "refused"],
    ["nested classes", "^(([a-z])+.)+[A-Z]([a-z])+$", "refused"],
    ["one of many parts", `^${"[a-z]".repeat(500)}$`, "refused"],
    ["one of more steps than any text is worth", `^(${"a?".repeat(500)}){1,20}$`, "unenforced"],
    ["a repetition of a repetition", "(a{1000}){1000}", "unenforced"],
    ["a look ahead", "^(?=a)a+$", "unenforced"],
    ["a reference back", "^(a)\\1$", "unenforced"],
  ])("%s is tried in time that grows with the text, or not at all", async (_, pattern, want) => {
    const compiled = await timed(() => compileBody({ type: "object", properties: { a: { type: "string", pattern } } }));
    const said = await timed(() => check(toolOf(compiled), { a: bad }));
    expect(said === undefined ? "unenforced" : "refused").toBe(want);
  });

  test("of a list of texts all together take no longer than one may", async () => {
    const items = { type: "string", pattern: `^(${"a?".repeat(100)}){1,10}$` };
    const tool = toolOf(await compileBody({ type: "object", properties: { a: { type: "array", items } } }));
    await timed(() => check(tool, { a: Array(5_000).fill("a".repeat(800)) }));
    const inChoice = { anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: { not: { items } } } };
    const other = toolOf(await compileBody({ type: "object", ...inChoice }));
    await timed(() => check(other, { a: Array(5_000).fill("a".repeat(800)) }));
  });

  test("one that cannot be enforced is told to the author", async () => {
    const schema = { type: "object", properties: { a: { type: "string", pattern: "^(?=a)a+$" } } };
    expect(shown((await compileBody(schema)).problems).join()).toMatch(/pattern/);
  });
});
