import { describe, expect, test } from "vitest";
import { compileToolset } from "../../src/compile/compile-toolset.ts";
import { loadCuration } from "../../src/curation/load-curation.ts";
import type { Draft } from "../../src/draft/draft-curation.ts";
import type { Api } from "../../src/model/api.ts";
import { loadApi } from "../../src/spec/load-api.ts";
import { openSpec } from "../spec/open-spec.ts";
import { draftApi } from "./draft-api.ts";
import { answer, query, ROW, shop } from "./shop-document.ts";

function compiled({ text }: Draft, api: Api) {
  const { curation, problems } = loadCuration("draft.yaml", text);
  const { toolset, problems: more } = compileToolset(curation!, api);
  const errors = [...problems, ...more].filter(({ severity }) => severity === "error");
  return { content: curation!.content, toolset, errors: errors.map(({ line, message }) => `${line}: ${message}`) };
}

const key = { name: "order_id", in: "path", required: true, schema: { type: "integer" } };
const body = (properties: object, required: string[]) => ({
  requestBody: {
    required: true,
    content: { "application/json": { schema: { type: "object", properties, required } } },
  },
});
const paths = (create: object[] = []) => ({
  "/orders": {
    get: { operationId: "listOrders", responses: answer({ type: "array", items: ROW }) },
    post: {
      operationId: "createOrder",
      parameters: create,
      ...body({ name: { type: "string" }, status: { type: "string", enum: ["open", "paid"] } }, ["name"]),
      responses: answer(ROW),
    },
  },
  "/orders/{order_id}": {
    get: {
      operationId: "getOrder",
      parameters: [key],
      responses: answer({ ...ROW, properties: { ...ROW.properties, note: { type: "string" } } }),
    },
    patch: {
      operationId: "changeOrder",
      parameters: [key],
      ...body({ name: { type: "string" } }, []),
      responses: answer(ROW),
    },
    put: {
      operationId: "replaceOrder",
      parameters: [key],
      ...body({ name: { type: "string" } }, []),
      responses: answer(ROW),
    },
    delete: { operationId: "removeOrder", parameters: [key], responses: { 204: { description: "gone" } } },
  },
  "/orders/{order_id}/cancel": { post: { operationId: "cancelOrder", parameters: [key], responses: answer(ROW) } },
});

describe("a draft that also writes", () => {
  test("reads first, then makes, changes and takes away what it reads, each after asking", async () => {
    const api = await openSpec(shop({ paths: paths() }));
    const { content, errors } = compiled(await draftApi(api, { writes: true }), api);
    expect(errors).toStrictEqual([]);
    expect(content.server?.writes).toBe(true);
    expect(Object.keys(content.tools)).toStrictEqual([
      "list_orders",
      "get_order",
      "create_order",
      "update_order",
      "delete_order",
      "cancel_order",
    ]);
    expect(content.tools["create_order"]).toMatchObject({ effect: "write", confirm: "Create order?" });
    expect(content.tools["update_order"]).toMatchObject({
      operation: "changeOrder",
      confirm: "Update order ${input.order_id}?",
    });
    expect(content.tools["cancel_order"]).toMatchObject({ effect: "write", input: { order_id: { entity: "order" } } });
  });

  test("lets only a person agree to what is gone for good", async () => {
    const api = await openSpec(shop({ paths: paths() }));
    const named = await draftApi(api, { writes: true, keep: ({ path }) => path.startsWith("/orders") });
    const { content, toolset, errors } = compiled(named, api);
    expect(errors).toStrictEqual([]);
    expect(content.tools["delete_order"]).toMatchObject({
      effect: "destroy",
      confirm: { text: "Delete order ${input.order_id} for good?", human: true },
    });
    const hints = toolset?.tools.map(({ name, annotations }) => [name.replace(/^\w+?_/, ""), annotations.readOnlyHint]);
    expect(hints?.filter(([, reads]) => reads === false).length).toBeGreaterThan(3);
  });

  test("says the place of an idempotency key where the document has one", async () => {
    const header = { name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } };
    const api = await openSpec(shop({ paths: paths([header, query("dry", { type: "boolean" })]) }));
    const { content, errors } = compiled(await draftApi(api, { writes: true }), api);
    expect(errors).toStrictEqual([]);
    expect(content.api.idempotencyKey).toBe("header.Idempotency-Key");
    expect(content.tools["create_order"]?.input).not.toHaveProperty("Idempotency_Key");
  });

  test("is not made unless it is asked for", async () => {
    const api = await openSpec(shop({ paths: paths() }));
    const { content } = compiled(await draftApi(api), api);
    expect(content.server?.writes).toBeUndefined();
    expect(Object.keys(content.tools)).toStrictEqual(["list_orders", "get_order"]);
  });

  test.each(["specs/powerdns.yaml", "specs/unleash.json"])(
    "of %s has no error, at most 20 tools and 4,000 tokens",
    async (file) => {
      const api = await loadApi(file, {});
      const draft = await draftApi(api, { writes: true });
      const { content, errors } = compiled(draft, api);
      expect(errors).toStrictEqual([]);
      const effects = Object.values(content.tools).map(({ effect }) => effect !== undefined && effect !== "read");
      expect(effects.length).toBeLessThanOrEqual(20);
      expect(draft.tokens).toBeLessThanOrEqual(4_000);
      expect(effects.filter(Boolean).length).toBeGreaterThan(1);
      expect(effects).toStrictEqual(effects.toSorted((a, b) => Number(a) - Number(b)));
    },
  );
});
