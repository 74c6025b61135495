import { expect, test } from "vitest";
import { endpointTools, measureEndpoints } from "../../src/surface/endpoint-tools.ts";
import { apiOfText } from "../compile/compile-text.ts";

const SPEC = `
paths:
  /things/{id}:
    parameters: [{name: id, in: path, required: true, description: Which one., schema: {type: string}}]
    get: {operationId: getThing, summary: Get, description: Gets one., responses: {}}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}
      responses: {}
    delete: {operationId: broken, parameters: [{$ref: '#/components/parameters/none'}], responses: {}}
components:
  schemas:
    Thing: {type: object, x-internal: 1, properties: {parent: {$ref: '#/components/schemas/Thing'}, size: {$ref: '#/components/schemas/Size'}}}
    Size: {type: integer, minimum: 1}
`;

test("each operation that can be read is a tool, its references resolved and recursion cut", async () => {
  const id = { description: "Which one.", type: "string" };
  const thing = (parent: object) => ({ type: "object", properties: { parent, size: { type: "integer", minimum: 1 } } });
  expect([...endpointTools(await apiOfText(SPEC))]).toStrictEqual([
    {
      name: "getThing",
      description: "Get\n\nGets one.",
      inputSchema: { type: "object", properties: { id }, required: ["id"] },
    },
    {
      name: "PUT /things/{id}",
      description: "",
      inputSchema: { type: "object", properties: { id, body: thing({}) }, required: ["id", "body"] },
    },
  ]);
});

test("their cost is counted in three encodings", async () => {
  const { operations, bytes, tokens, atLeast } = await measureEndpoints(await apiOfText(SPEC));
  expect([operations, atLeast]).toStrictEqual([2, false]);
  expect(Object.keys(tokens)).toStrictEqual(["o200k_base", "cl100k_base", "p50k_base"]);
  for (const count of Object.values(tokens)) expect(count).toBeGreaterThan(bytes / 10);
});
