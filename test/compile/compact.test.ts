import { expect, test } from "vitest";
import { compileTools, errorsOf, toolOf } from "./compile-text.ts";
import { portableFaults } from "./portable-faults.ts";

const SPEC = `
paths:
  /things:
    get:
      operationId: listThings
      parameters: [{name: n, in: query, schema: {type: integer, minimum: 1}}, {name: q, in: query, schema: {type: object, properties: {x: {type: string, description: The x. Of many.}}}}]
      responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {things: {type: array, items: {type: object, properties: {id: {type: string, description: Its ID.}}}}}}}}}}
`;
const TOOLS = `
things: {operation: listThings, use: Find things. By name or by size., notFor: One thing. Use \`more\`., returns: One row a thing., next: {more: see more}, input: {n: {describe: How many. At a time., default: 5}, q: {}}, result: {rows: things}}
more: {operation: listThings, use: More}
`;
const compile = (form: string) => compileTools(SPEC, TOOLS, { server: `descriptions: ${form}` });

test("compact says what a tool is for and not for, and each input in a sentence; limits and defaults stay", async () => {
  const result = await compile("compact");
  expect(errorsOf(result)).toStrictEqual([]);
  const { description, inputSchema, outputSchema } = toolOf(result, "things");
  expect(description).toBe("Find things. Not for: One thing. Use `more`.");
  expect(inputSchema.properties?.["n"]).toMatchObject({ description: "How many. At least 1. Default: 5.", default: 5 });
  expect(inputSchema.properties?.["q"]?.properties?.["x"]?.description).toBe("The x.");
  expect(JSON.stringify(outputSchema)).not.toContain("description");
  expect(toolOf(result, "more").description).toBe("More");
  expect(portableFaults(inputSchema)).toStrictEqual([]);
  expect(result.toolset?.server.instructions).toContain("Order of calls: `things`, then `more`.");
});

test("all but the words is the same in both forms", async () => {
  const withoutWords = (key: string, value: unknown) => (key === "description" ? undefined : value);
  const [full, compact] = [await compile("full"), await compile("compact")].map(({ toolset }) => toolset?.tools);
  expect(JSON.stringify(compact, withoutWords)).toBe(JSON.stringify(full, withoutWords));
  expect(JSON.stringify(compact).length).toBeLessThan(JSON.stringify(full).length);
});
