import type { ReplyBody } from "../../model/exchange.ts";
import type { Tool } from "../../model/tool.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { Column } from "./list-columns.ts";
import { refuseBody } from "./refuse-body.ts";
import { shapeList } from "./shape-list.ts";
import { shapeObject, shapeValue } from "./shape-object.ts";
import { DONE, shapeBinary, shapeText } from "./shape-other.ts";
import type { Shaped } from "./shaped.ts";

/**
 * The reply that a tool's shape makes of a body. `columns` are those of `listColumns`, `limit` the caller's. Throws ToolError
 * `upstream_bad_response` where the body is not what rows, fields or a value need.
 */
export function shapeReply(
  tool: Pick<Tool, "name" | "shape">,
  columns: readonly Column[] | undefined,
  body: ReplyBody,
  roots: Roots,
  limit?: number,
): Shaped {
  const { shape } = tool;
  if (body.kind === "empty") return DONE;
  if (body.kind !== "json") {
    const isPromised = shape.kind !== "object" || shape.fields !== undefined;
    if (isPromised) throw refuseBody(body);
    return body.kind === "text" ? shapeText(body, shape) : shapeBinary(body, tool.name, shape);
  }
  switch (shape.kind) {
    case "list":
      return shapeList(shape, columns, body.value, roots, limit);
    case "value":
      return shapeValue(shape.value, body.value, roots, shape.budget);
    case "object":
      return shapeObject(columns, body.value, roots, shape.budget);
    default:
      return shape satisfies never;
  }
}
