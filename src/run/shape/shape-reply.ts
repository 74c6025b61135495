import type { ReplyBody } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import type { Shape } from "../../model/shape.ts";
import type { Tool } from "../../model/tool.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { Column } from "./list-columns.ts";
import { refuseBody } from "./refuse-body.ts";
import { shapeObject, shapeValue } from "./shape-object.ts";
import { shapeBinary, shapeEmpty, shapeText, tellAccepted } from "./shape-other.ts";
import type { Shaped } from "./shaped.ts";
import type { WhyPartial } from "./withhold-sums.ts";

/**
 * The reply that the shape of a tool makes of a body, where that is no list. `columns` are those of `listColumns`; `partial` says of lists that they are
 * not whole, so that sums over them are withheld. Throws ToolError
 * `upstream_bad_response` where the body is not what fields or a value need.
 */
export function shapeReply(
  tool: Pick<Tool, "name">,
  shape: OtherShape,
  columns: readonly Column[] | undefined,
  body: ReplyBody,
  roots: Roots,
  partial?: WhyPartial,
): Shaped {
  if (body.kind === "empty") return shapeEmpty(body, shape);
  const told = "told" in body && shape.kind === "object" ? body.told : undefined;
  const shapeWith = (fitted: OtherShape) => shapeBody(tool, fitted, columns, body, roots, partial);
  return told === undefined ? shapeWith(shape) : tellAccepted(told, shape, shapeWith);
}

function shapeBody(
  tool: Pick<Tool, "name">,
  shape: OtherShape,
  columns: readonly Column[] | undefined,
  body: Exclude<ReplyBody, { kind: "empty" }>,
  roots: Roots,
  partial?: WhyPartial,
): Shaped {
  if (body.kind !== "json") {
    const isPromised = shape.kind !== "object" || shape.fields !== undefined;
    if (isPromised) throw refuseBody(body);
    return body.kind === "text" ? shapeText(body, shape) : shapeBinary(body, tool.name, shape);
  }
  if (body.cut === undefined) return shapeJson(shape, columns, body.value, roots, partial);
  const budget = Math.max(shape.budget - CUT_BYTES, 0);
  return tellCut(shapeJson({ ...shape, budget }, columns, body.value, roots, partial), body.cut, body.value);
}

/** Lists have a way of their own: `shapeList`. */
export type OtherShape = Exclude<Shape, { kind: "list" }>;

function shapeJson(
  shape: OtherShape,
  columns: readonly Column[] | undefined,
  value: Json,
  roots: Roots,
  partial?: WhyPartial,
): Shaped {
  switch (shape.kind) {
    case "value":
      return shapeValue(shape.value, value, roots, shape, partial);
    case "object":
      return shapeObject(columns, value, roots, shape);
    default:
      return shape satisfies never;
  }
}

/** What telling of a cut takes, at most. */
const CUT_BYTES = 200;

/** Says first in `omitted` that the upstream's sequence was not read to its end. */
function tellCut({ structured, ...further }: Shaped, cut: string, value: Json): Shaped {
  const count = Array.isArray(value) ? value.length : 0;
  const { omitted, ...rest } = structured;
  const told = {
    omitted: [
      { what: "items", kept: `the first ${count} of the upstream's: ${cut}` },
      ...(Array.isArray(omitted) ? (omitted as readonly Json[]) : []),
    ],
    ...rest,
  };
  return { ...further, structured: told };
}
