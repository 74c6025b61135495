import { beforeAll, describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { expandArazzo } from "../../src/curation/expand-arazzo.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Api } from "../../src/model/api.ts";
import type { Problem } from "../../src/model/problem.ts";
import { apiOfText, curationText } from "../compile/compile-text.ts";

const json = (schema: string) => `{"200": {description: ok, content: {application/json: {schema: ${schema}}}}}`;
const PET =
  "{type: object, properties: {id: {type: integer}, name: {type: string}, tags: {type: array, items: {type: object, properties: {name: {type: string}}}}}}";
const SPEC = `
paths:
  /pet/findByStatus:
    get: {operationId: findPets, parameters: [{name: status, in: query, schema: {type: string, enum: [available, sold]}}, {name: limit, in: query, schema: {type: integer}}], responses: ${json(`{type: array, items: ${PET}}`)}}
  /pet/{petId}:
    get: {operationId: getPet, parameters: [{name: petId, in: path, required: true, schema: {type: integer}}, {name: x-trace, in: header, schema: {type: string}}], responses: ${json(PET)}}
  /order:
    post: {operationId: placeOrder, requestBody: {required: true, content: {application/json: {schema: {type: object, required: [petId], properties: {petId: {type: integer}, quantity: {type: integer}, note: {type: string}, ship: {type: object, properties: {to: {type: string}}}}}}}}, responses: ${json("{type: object, properties: {orderId: {type: integer}}}")}}
`;
let api: Api;
beforeAll(async () => {
  api = await apiOfText(SPEC);
});

const HEAD = `arazzo: 1.0.1
info: { title: Buying a pet, version: "1" }
sourceDescriptions: [{ name: pets, url: ./pets.yaml, type: openapi }]
`;
const BUY = `${HEAD}workflows:
  - workflowId: buy-a-pet
    summary: Buys the first pet that is for sale.
    inputs:
      type: object
      required: [to-address]
      properties:
        status: { type: string, description: What pets to look for. }
        to-address: { type: string }
        limit: { type: integer, default: 5 }
    steps:
      - stepId: find-pets
        operationId: $sourceDescriptions.pets.findPets
        parameters:
          - { name: status, in: query, value: $inputs.status }
          - { name: limit, in: query, value: $inputs.limit }
        successCriteria: [{ condition: $statusCode == 200 }]
        outputs: { first: $response.body#/0, expires: $response.header.X-Expires }
      - stepId: get
        operationPath: '{$sourceDescriptions.pets.url}#/paths/~1pet~1{petId}/get'
        parameters:
          - { name: petId, in: path, value: $steps.find-pets.outputs.first.id }
          - { reference: $components.parameters.trace }
        outputs: { tag: $response.body#/tags/0/name, whole: $response.body }
      - stepId: order
        operationId: placeOrder
        requestBody:
          contentType: application/json
          payload:
            petId: $steps.get.outputs.whole#/id
            quantity: 1
            note: "Costs \${1}"
            ship: { to: $inputs.to-address }
          replacements: [{ target: /quantity, value: 2 }]
        onFailure: [{ name: stop, type: end }]
        onSuccess: [{ name: done, type: end }]
        outputs: { id: $response.body#/orderId }
    outputs: { order: $steps.order.outputs.id, tag: $steps.get.outputs.tag }
components:
  parameters: { trace: { name: x-trace, in: header, value: abc } }
`;

function expand(document: string, id: string, more = "") {
  const text = curationText(`buy: {steps: {arazzo: "flow.yaml#${id}"}${more}}`, { server: "writes: true" });
  const { curation } = loadCuration("test.yaml", text);
  return expandArazzo(curation!, () => ({ path: "flow.yaml", text: document }));
}

function check(document: string, id = "buy-a-pet", more = "") {
  const { curation, problems } = expand(document, id, more);
  const result = compileToolset(curation, api);
  return { curation, tool: result.toolset?.tools[0], problems: [...problems, ...result.problems] };
}

const errors = (problems: readonly Problem[]) =>
  problems.filter(({ severity }) => severity === "error").map(({ file, line, code }) => `${file}:${line} ${code}`);

test("a workflow becomes the steps, the inputs and the reply of a tool", () => {
  const { curation, tool, problems } = check(BUY);
  expect(errors(problems)).toEqual([]);
  expect(curation.content.tools["buy"]).toEqual({
    use: "Buys the first pet that is for sale.",
    input: {
      status: { type: "string", describe: "What pets to look for." },
      to_address: { type: "string", required: true },
      input_limit: { type: "integer", default: 5 },
    },
    steps: [
      {
        id: "find_pets",
        operation: "findPets",
        args: { "query.status": "${input.status}", "query.limit": "${input.input_limit}" },
      },
      {
        id: "get",
        operation: "GET /pet/{petId}",
        args: { "path.petId": "${steps.find_pets[0].id}", "header.x-trace": "abc" },
      },
      {
        id: "order",
        operation: "placeOrder",
        contentType: "application/json",
        args: {
          "body/petId": "${steps.get.id}",
          "body/note": "Costs $${1}",
          "body/ship/to": "${input.to_address}",
          "body/quantity": 2,
        },
      },
    ],
    result: { value: { order: "steps.order.orderId", tag: "steps.get.tags[0].name" } },
  });
  expect(tool?.inputSchema.properties).toMatchObject({
    status: { enum: ["available", "sold"] },
    to_address: { type: "string" },
  });
  expect(tool?.plan.kind === "steps" && tool.plan.steps.map(({ needs }) => needs)).toEqual([[], [0], [0, 1]]);
});

test("what the curation says itself counts", () => {
  const own = ", use: Mine., input: {status: {default: sold}}, result: {value: {x: steps.get.name}}";
  const { curation, tool, problems } = check(BUY, "buy-a-pet", own);
  expect(errors(problems)).toEqual([]);
  expect(tool?.description).toBe("Mine.");
  expect(curation.content.tools["buy"]?.input?.["status"]).toMatchObject({
    default: "sold",
    describe: "What pets to look for.",
  });
  expect(curation.content.tools["buy"]?.result).toEqual({ value: { x: "steps.get.name" } });
});

describe("JSON that is written as a text", () => {
  const flow = (payload: string) =>
    `${HEAD}workflows:
  - workflowId: f
    inputs: { type: object, properties: { pet: { type: integer }, to: { type: string } } }
    steps:
      - stepId: order
        operationId: placeOrder
        requestBody: { payload: ${JSON.stringify(payload)} }
    outputs: { whole: $steps.order.outputs.x }
`.replace("    outputs: { whole: $steps.order.outputs.x }\n", "");
  const cases: readonly [what: string, payload: string, args: object][] = [
    [
      "with quoted expressions",
      '{"petId": "{$inputs.pet}", "note": "to {$inputs.to}"}',
      { "body/petId": "${input.pet}", "body/note": "to ${input.to}" },
    ],
    ["with bare ones", '{"petId": {$inputs.pet}, "quantity": 3}', { "body/petId": "${input.pet}", "body/quantity": 3 }],
    ["that is one expression", "$inputs.pet", { body: "${input.pet}" }],
    ["that is none", "a { b", { body: "a { b" }],
  ];
  test.each(cases)("%s", (_, payload, args) => {
    const { curation } = expand(flow(payload), "f");
    expect(curation.content.tools["buy"]?.steps).toMatchObject([{ args }]);
  });
});

describe("what cannot be taken over is found at its line of the workflow's file", () => {
  const cases: readonly [what: string, right: string, wrong: string, want: readonly string[]][] = [
    ["another version", "arazzo: 1.0.1", "arazzo: 2.0.0", ["flow.yaml:1 arazzo_invalid"]],
    ["no such workflow", "workflowId: buy-a-pet", "workflowId: sell-a-pet", ["flow.yaml:4 arazzo_invalid"]],
    [
      "a criterion over the body",
      "$statusCode == 200 }",
      "$response.body#/0 != null }",
      ["flow.yaml:20 arazzo_unsupported"],
    ],
    [
      "a criterion of another kind",
      "{ condition: $statusCode == 200 }",
      "{ condition: '$[?@.a]', type: jsonpath, context: $response.body }",
      ["flow.yaml:20 arazzo_unsupported"],
    ],
    ["another status", "$statusCode == 200 }", "$statusCode == 404 }", ["flow.yaml:20 arazzo_unsupported"]],
    [
      "a status by pattern is no mistake",
      "{ condition: $statusCode == 200 }",
      "{ condition: '^200$', type: regex, context: $statusCode }",
      [],
    ],
    [
      "an operation behind its source's name alone is none",
      "operationId: placeOrder",
      "operationId: pets.placeOrder",
      [],
    ],
    ["a dot into the body is none", "$response.body#/orderId", "$response.body.orderId", []],
    [
      "a dot to what the body lacks is",
      "$response.body#/orderId",
      "$response.body.order",
      ["flow.yaml:41 path_not_in_spec"],
    ],
    ["a retry", "{ name: stop, type: end }", "{ name: stop, type: retry }", ["flow.yaml:38 arazzo_unsupported"]],
    [
      "a jump",
      "{ name: done, type: end }",
      "{ name: done, type: goto, stepId: get }",
      ["flow.yaml:39 arazzo_unsupported"],
    ],
    [
      "an output of a header, where it is read",
      "order: $steps.order.outputs.id",
      "order: $steps.find-pets.outputs.expires",
      ["flow.yaml:41 arazzo_unsupported"],
    ],
    [
      "an output that there is not",
      "$steps.order.outputs.id",
      "$steps.order.outputs.key",
      ["flow.yaml:41 arazzo_invalid"],
    ],
    ["a step that there is not", "$steps.order.outputs.id", "$steps.ordr.outputs.id", ["flow.yaml:41 arazzo_invalid"]],
    ["an input that there is not", "value: $inputs.status", "value: $inputs.state", ["flow.yaml:18 arazzo_invalid"]],
    ["the request itself", "value: $inputs.status", "value: $url", ["flow.yaml:18 arazzo_unsupported"]],
    ["another workflow as a step", "operationId: placeOrder", "workflowId: other", ["flow.yaml:29 arazzo_unsupported"]],
    [
      "another API",
      "operationId: placeOrder",
      "operationId: $sourceDescriptions.shop.placeOrder",
      ["flow.yaml:28 arazzo_unsupported"],
    ],
    [
      "a workflow before it",
      "    summary: Buys",
      "    dependsOn: [login]\n    summary: Buys",
      ["flow.yaml:6 arazzo_unsupported"],
    ],
    [
      "a parameter without a place",
      "{ name: petId, in: path, value",
      "{ name: petId, value",
      ["flow.yaml:25 arazzo_invalid"],
    ],
    [
      "a reference to nothing",
      "$components.parameters.trace",
      "$components.parameters.trail",
      ["flow.yaml:26 arazzo_invalid"],
    ],
    ["a target that is no pointer", "target: /quantity", "target: $.quantity", ["flow.yaml:37 arazzo_unsupported"]],
    [
      "an operation that the spec lacks",
      "operationId: placeOrder",
      "operationId: placeOrders",
      ["flow.yaml:29 unknown_operation"],
    ],
    [
      "a place that the operation lacks",
      "name: status, in: query",
      "name: state, in: query",
      ["flow.yaml:18 unknown_place"],
    ],
    [
      "a body that lacks what is read",
      "$response.body#/orderId",
      "$response.body#/order",
      ["flow.yaml:41 path_not_in_spec"],
    ],
    ["a default that does not fit", "default: 5", "default: five", ["flow.yaml:13 bad_default"]],
    [
      "a step that depends on one below",
      "      - stepId: get\n",
      "      - stepId: get\n        dependsOn: [find-pets, order]\n",
      ["flow.yaml:23 arazzo_unsupported"],
    ],
    ["doubled keys", "    summary: Buys", "    summary: Sells\n    summary: Buys", ["flow.yaml:7 duplicate_key"]],
  ];
  test.each(cases)("%s", (_, right, wrong, want) => {
    expect(BUY.split(right).length).toBeGreaterThan(1);
    const { problems } = check(BUY.replace(right, () => wrong));
    expect(errors(problems)).toEqual(want);
    for (const { hint } of problems.filter(({ severity }) => severity === "error")) expect(hint).toMatch(/\w/);
  });

  test("a credential of the workflow's is left out with a warning", () => {
    const { problems, curation } = check(BUY.replace("name: x-trace", "name: Authorization"));
    const warned = problems
      .filter(({ code }) => code === "arazzo_ignored")
      .map(({ line, severity }) => [line, severity]);
    expect(warned).toEqual([[26, "warning"]]);
    expect(JSON.stringify(curation.content.tools)).not.toContain("abc");
  });

  test("what the curation says is found in the curation", () => {
    const { problems } = check(BUY, "buy-a-pet", ", result: {value: {x: steps.get.nam}}");
    expect(errors(problems)).toEqual(["test.yaml:5 path_not_in_spec"]);
  });

  test.each([
    ["no ID", "flow.yaml", "bad_value"],
    ["no file", "#buy-a-pet", "bad_value"],
  ])("a name with %s", (_, arazzo, code) => {
    const { curation } = loadCuration("test.yaml", curationText(`buy: {steps: {arazzo: "${arazzo}"}}`));
    const { problems, curation: expanded } = expandArazzo(curation!, () => undefined);
    expect([...problems, ...compileToolset(expanded, api).problems].map((one) => `${one.line} ${one.code}`)).toEqual([
      `5 ${code}`,
    ]);
  });

  test("a file that is no YAML", () => {
    const { problems } = expand("a: [", "x");
    expect(errors(problems)).toEqual(["test.yaml:5 unreadable_arazzo"]);
  });

  test("a workflow that nobody read is an error, never a tool without steps", () => {
    const { curation } = loadCuration("test.yaml", curationText('buy: {steps: {arazzo: "a#b"}}'));
    expect(compileToolset(curation!, api).problems.map(({ code }) => code)).toEqual(["arazzo_unread"]);
  });
});
