/** A small shop whose document can be changed part by part. */
export interface ShopParts {
  readonly listParameters?: readonly object[];
  readonly listBody?: object;
  readonly row?: object;
  readonly paths?: object;
  readonly more?: object;
  readonly summary?: string;
}

const text = { type: "string" };
export const ROW = {
  type: "object",
  properties: { id: { type: "integer" }, name: text, status: { type: "string", enum: ["open", "paid"] } },
};

export function answer(schema: object): object {
  return { 200: { description: "ok", content: { "application/json": { schema } } } };
}

/** Orders: a list and one of them. */
export function shop({
  listParameters = [],
  listBody,
  row = ROW,
  paths = {},
  more = {},
  summary = "List the orders of the shop by their state.",
}: ShopParts = {}): object {
  return {
    openapi: "3.1.0",
    info: { title: "Corner Shop API", version: "1" },
    servers: [{ url: "https://shop.corner.io/v1" }],
    paths: {
      "/orders": {
        get: {
          operationId: "listOrders",
          summary,
          parameters: listParameters,
          responses: answer(listBody ?? { type: "array", items: row }),
        },
      },
      "/orders/{order_id}": {
        get: {
          operationId: "getOrder",
          parameters: [{ name: "order_id", in: "path", required: true, schema: { type: "integer" } }],
          responses: answer({
            ...row,
            properties: { ...(row as typeof ROW).properties, note: text, weight: { type: "number" } },
          }),
        },
      },
      ...paths,
    },
    ...more,
  };
}

/** A query parameter. */
export function query(name: string, schema: object = text, more: object = {}): object {
  return { name, in: "query", schema, ...more };
}
