import { expect, test } from "vitest";
import { draftText } from "./draft-api.ts";

const ANSWER = { type: "object", properties: { a: { type: "string" } } };
const responses = { 200: { description: "ok", content: { "application/json": { schema: ANSWER } } } };

function documentOf(paths: Readonly<Record<string, object>>) {
  return { openapi: "3.0.0", info: { title: "t", version: "1" }, servers: [{ url: "https://x.example" }], paths };
}

test.each<[what: string, path: string, operation?: object]>([
  [
    "with what its key must match",
    "/a/{id:.*}",
    { parameters: [{ name: "id:.*", in: "path", required: true, schema: { type: "string" } }] },
  ],
  ["of 300 characters", `/${"p".repeat(300)}`],
  ["with a query", "/a?b=c"],
  ["that ends in a slash", "/a/"],
  ["that is deprecated", "/a", { deprecated: true }],
  ["without a word", "/"],
])("the only operation that reads becomes a tool: a path %s", async (_, path, operation = {}) => {
  const { tools } = await draftText(documentOf({ [path]: { get: { operationId: "getA", responses, ...operation } } }));
  expect(tools).toMatchObject([{ operation: `GET ${path}` }]);
});

test("beside others what its key must match takes nothing from an operation", async () => {
  const parameters = [{ name: "id:[0-9]*", in: "path", required: true, schema: { type: "string" } }];
  const { tools } = await draftText(
    documentOf({
      "/orders": { get: { operationId: "listOrders", responses } },
      "/orders/{id:[0-9]*}": { get: { operationId: "getOrder", parameters, responses } },
    }),
  );
  expect(tools.map(({ operation }) => operation)).toContain("GET /orders/{id:[0-9]*}");
});

test("what changes something by its name is no tool, though nothing else is there", async () => {
  const { tools } = await draftText(documentOf({ "/a": { get: { operationId: "deleteA", responses } } }));
  expect(tools).toStrictEqual([]);
});
