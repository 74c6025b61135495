import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkResidual } from "../../src/run/arguments/check-residual.ts";
import { repository } from "../setup/program.ts";
import { openTools } from "./open-tools.ts";

const sources = readdirSync(join(repository, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(join(repository, "src", file), "utf8")] as const);

/** It runs the program's own scripts, as they lie beside it; what it is given of V8's compiled form V8 holds against them. */
const STARTS = new Set(["cli/start.ts"]);

describe("no text becomes code", () => {
  test.each([
    ["eval", /(?<![.\w])eval\s*\(/],
    ["the Function constructor", /\bnew\s+Function\b|(?<![.\w])Function\s*\(/],
    ["node:vm", /["'](?:node:)?vm["']/],
    ["a timer over a text", /\bset(?:Timeout|Interval)\s*\(\s*["'`]/],
    ["a shell", /\bshell:\s*true|(?<![.\w])exec(?:Sync)?\s*\(/],
  ])("our own source has no %s", (_, code) => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter(([file, text]) => !STARTS.has(file) && code.test(text)).map(([file]) => file)).toEqual([]);
  });

  const PIECES = [
    "`",
    "${globalThis.pwned=1}",
    "'",
    '"',
    "\\",
    "*/",
    "//",
    "\n",
    "\u2028",
    ");globalThis.pwned=1;(",
    "]",
    "${",
    "a",
  ];
  const name = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));

  test("neither by the validator, which makes functions of a spec's schemas", async () => {
    await fc.assert(
      fc.asyncProperty(name, name, name, async (one, two, three) => {
        const schema = {
          type: "object",
          title: one,
          description: two,
          $comment: three,
          properties: { [one]: { const: two }, [two]: { enum: [three, one] } },
          patternProperties: { [three]: { type: "string" } },
          dependentRequired: { [one]: [two] },
          anyOf: [{ required: [one] }, { required: [two] }],
        } as const;
        for (const value of [{ [one]: two }, { [two]: three }, { [one]: 1, [three]: [] }])
          await checkResidual(schema, value);
        // It was compiled, and holds.
        expect(await checkResidual(schema, {})).toBeDefined();
        expect((globalThis as { pwned?: unknown }).pwned).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test("nor on the way of a call", async () => {
    const text = "`${globalThis.pwned=1}`*/);globalThis.pwned=1;//";
    const get = {
      operationId: "getA",
      summary: text,
      parameters: [{ name: text, in: "query", description: text, schema: { type: "string", default: text } }],
      responses: { 200: { description: text } },
    };
    const place = `query.${text.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const tools = `get_a: {operation: getA, use: Gets., input: {a: {}}, args: {${JSON.stringify(place)}: "\${input.a}"}}`;
    const { call, sent } = await openTools(`paths: ${JSON.stringify({ "/a": { get } })}`, tools, () => ({
      body: { [text]: text },
    }));
    expect(await call("get_a", { a: text })).toEqual({ [text]: text });
    expect(new URL(sent[0]!.url).searchParams.get(text)).toBe(text);
    expect((globalThis as { pwned?: unknown }).pwned).toBeUndefined();
  });
});
