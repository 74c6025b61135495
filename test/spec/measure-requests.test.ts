import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { measureRequests } from "../../src/spec/measure-requests.ts";
import { openSpec } from "./open-spec.ts";

/** The characters of the request of `POST /things` whose body has this schema. */
async function measure(schema: Json, schemas: JsonObject = {}, parameters: Json = []): Promise<number> {
  const content = { "application/json": { schema } };
  const post = { parameters, requestBody: { content }, responses: { "200": { description: "Done." } } };
  const api = await openSpec({
    openapi: "3.0.3",
    info: { title: "Things", version: "1" },
    paths: { "/things": { post } },
    components: { schemas },
  });
  return measureRequests(api, api.index);
}

describe("the size of a request", () => {
  const name = { type: "string", maxLength: 80 };

  test("is that of its schema", async () => {
    expect(await measure(name)).toBe(JSON.stringify(name).length);
  });

  test("is the same where the schema stands elsewhere, each time that it is referred to", async () => {
    const twice = (one: JsonObject): JsonObject => ({ type: "object", properties: { first: one, last: one } });
    const referred = await measure(twice({ $ref: "#/components/schemas/Name" }), { Name: name });
    expect(referred).toBeGreaterThanOrEqual(JSON.stringify(twice(name)).length - 4);
    expect(referred).toBeLessThanOrEqual(JSON.stringify(twice(name)).length + 4);
  });

  test("ends where a schema refers to itself or nowhere", async () => {
    const node = { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } };
    const cut = JSON.stringify({ type: "object", properties: { next: {} } }).length;
    expect(Math.abs((await measure({ $ref: "#/components/schemas/Node" }, { Node: node })) - cut)).toBeLessThan(6);
    expect(await measure({ $ref: "#/components/schemas/Nothing" })).toBeLessThan(6);
  });

  test("stays below a bound where references double at each step", async () => {
    const both = (next: string) => ({ allOf: [{ $ref: next }, { $ref: next }] });
    const steps = Array.from({ length: 30 }, (_, at) => [`S${at}`, both(`#/components/schemas/S${at + 1}`)] as const);
    const size = await measure(both("#/components/schemas/S0"), { ...Object.fromEntries(steps), S30: name });
    expect(size).toBeGreaterThan(1_000_000);
    expect(size).toBeLessThanOrEqual(1_500_000);
  });

  test("leaves extensions out and counts what parameters say", async () => {
    expect(await measure({ ...name, "x-order": [1, 2, 3] })).toBe(JSON.stringify(name).length);
    const description = "How many at most, between one and a hundred.";
    const limit = { name: "limit", in: "query", description, schema: { type: "integer" } };
    expect((await measure(name, {}, [limit])) - JSON.stringify(name).length).toBeGreaterThan(description.length);
  });

  test("is nothing where a parameter is broken", async () => {
    expect(await measure(name, {}, [{ $ref: "#/components/parameters/Nothing" }])).toBe(0);
  });
});
