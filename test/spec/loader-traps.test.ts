import { describe, expect, test } from "vitest";
import { isFault } from "../../src/model/api.ts";
import { checkSpec } from "../../src/spec/check-spec.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { fakeEgress, openapi, openSpec, openText, readOf, resolveOf, SOURCE, withBody } from "./open-spec.ts";

const HEAD = "openapi: 3.0.3\ninfo: {title: t, version: '1'}\n";

// What real specs do that breaks loaders, one test each.
describe("the ten traps of real specs", () => {
  test("1. Docker: a flow map may close at low indentation", async () => {
    const api = await openText(
      `${HEAD}paths:\n  /a:\n    get:\n      operationId: a\n      x-data: {\n        k: v\n}\n      responses: {}\n`,
    );
    expect(readOf(api, "a").key).toBe("GET /a");
  });

  test("2. OpenAI: a kept block scalar with an odd blank line is a text", async () => {
    const api = await openText(
      `${HEAD}paths: {}\ncomponents:\n  schemas:\n    A:\n      type: string\n      example: |+\n        one\n         \n\n      title: after\n`,
    );
    const schema = resolveOf(api, { $ref: "#/components/schemas/A" });
    expect(schema).toMatchObject({ title: "after", examples: [expect.stringMatching(/^one\n/)] });
  });

  test("3. PowerDNS: merge keys are merged and never left as `<<`", async () => {
    const api = await openText(
      `${HEAD}x-common: &common\n  '401': {description: who}\npaths:\n  /a:\n    get:\n      responses:\n        <<: *common\n        '200': {description: ok}\n`,
    );
    const statuses = readOf(api, "GET /a").responses.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(["200", "401"]));
  });

  test.each(["example", "default"])("4. Okta: a $ref inside of %s is data", async (name) => {
    const data = { $ref: "#/definitions/custom" };
    const api = await openSpec(withBody("3.1.0", { type: "object", [name]: data, enum: [data], examples: [data] }));
    const operation = readOf(api, "POST /x");
    expect(operation.body?.content[0]?.schema).toMatchObject({ enum: [data], examples: [data] });
    expect((await checkSpec(api)).filter(({ code }) => code === "spec_fault")).toEqual([]);
  });

  test("5. Kubernetes: a property named $ref is a property", async () => {
    const schema = { type: "object", properties: { $ref: { type: "string" }, name: { type: "string" } } };
    const api = await openSpec(withBody("3.0.3", schema));
    expect(Object.keys(readOf(api, "POST /x").body!.content[0]!.schema!.properties!)).toEqual(["$ref", "name"]);
  });

  test("6. Square: a $ref to a URL that nothing needs is never fetched, and a dangling one is the fault of its tool", async () => {
    const egress = fakeEgress(
      JSON.stringify(
        openapi("3.0.3", {
          paths: {
            "/good": { get: { responses: {} } },
            "/bad": { get: { parameters: [{ $ref: "#/components/parameters/None" }], responses: {} } },
          },
          components: { schemas: { Far: { $ref: "https://developer.example/common.json" } } },
        }),
      ),
    );
    const api = await loadApi(SOURCE, { egress });
    expect(readOf(api, "GET /good").key).toBe("GET /good");
    expect(isFault(api.read(api.find("GET /bad")!))).toBe(true);
    expect(await api.fetchPending()).toBe(false);
    expect(egress.asked).toEqual([SOURCE]);
  });

  const invalid: [what: string, paths: string, version?: string][] = [
    [
      "Svix: an undeclared path parameter",
      "  /a/{id}: {get: {operationId: a, responses: {'200': {description: ok}}}}\n",
    ],
    [
      "Lob: an array without items",
      "  /a: {get: {operationId: a, parameters: [{name: q, in: query, schema: {type: array}}], responses: {'200': {description: ok}}}}\n",
    ],
    ["DigitalOcean: no responses", "  /a: {get: {operationId: a}}\n"],
    [
      "Directus: a schema that is null",
      "  /a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {schema: null}}}}}}\n",
    ],
    ["3.2", "  /a: {get: {operationId: a, responses: {'200': {description: ok}}}}\n", "3.2.0"],
  ];
  test.each(invalid)("7. what a validator refuses is served (%s)", async (_what, paths, version = "3.0.3") => {
    const api = await openText(`${HEAD.replace("3.0.3", version)}paths:\n${paths}`);
    expect(readOf(api, "a").method).toBe("GET");
    for (const { severity } of await checkSpec(api)) expect(severity).not.toBe("error");
  });

  test("8. a date, `NO` and a version without quotes are texts", async () => {
    const api = await openText(
      "openapi: 3.0.3\ninfo: {title: t, version: 2024-01-01}\npaths:\n  /a: {get: {parameters: [{name: c, in: query, schema: {type: string, enum: [NO, on, 2023-05-01]}}], responses: {200: {description: ok}}}}\n",
    );
    expect(api.version).toBe("2024-01-01");
    expect(readOf(api, "GET /a")).toMatchObject({
      parameters: [{ schema: { enum: ["NO", "on", "2023-05-01"] } }],
      responses: [{ status: "200" }],
    });
  });

  test("9a. PagerDuty: a reference into a list", async () => {
    const api = await openSpec(
      openapi("3.0.3", { paths: {}, components: { schemas: { A: { allOf: [{ type: "integer" }, {}] } } } }),
    );
    expect(resolveOf(api, { $ref: "#/components/schemas/A/allOf/0" })).toEqual({ type: "integer" });
  });

  test("9b. DigitalOcean, Svix: operations without an operationId, and with one that stands twice, are found by method and path", async () => {
    const get = { responses: {} };
    const twice = { operationId: "twice", responses: {} };
    const api = await openSpec(openapi("3.0.3", { paths: { "/a": { get }, "/b": { get: twice, put: twice } } }));
    expect(readOf(api, "GET /a").id).toBeUndefined();
    expect(api.find("twice")).toBeUndefined();
    expect(readOf(api, "PUT /b").id).toBe("twice");
  });

  test("10. GitHub, Kubernetes: no security schemes and no servers", async () => {
    const api = await openSpec(openapi("3.0.3", { paths: { "/a": { get: { responses: {} } } } }));
    expect([...api.securitySchemes]).toEqual([]);
    expect(readOf(api, "GET /a")).toMatchObject({ servers: [], security: [] });
  });
});
