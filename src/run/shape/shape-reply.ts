import type { ReplyBody } from "../../model/exchange.ts";
import type { Json } from "../../model/json.ts";
import type { Tool } from "../../model/tool.ts";
import type { Roots } from "../expressions/evaluate.ts";
import type { Column } from "./list-columns.ts";
import { refuseBody } from "./refuse-body.ts";
import { shapeList } from "./shape-list.ts";
import { shapeObject, shapeValue } from "./shape-object.ts";
import { DONE, shapeBinary, shapeText } from "./shape-other.ts";
import type { Shaped } from "./shaped.ts";

/**
 * The reply that a tool's shape makes of a body. `columns` are those of `listColumns`, `limit` the caller's, `link` the answer's Link header. Throws ToolError
 * `upstream_bad_response` where the body is not what rows, fields or a value need.
 */
export function shapeReply(
  tool: Pick<Tool, "name" | "shape">,
  columns: readonly Column[] | undefined,
  body: ReplyBody,
  roots: Roots,
  limit?: number,
  link?: string,
): Shaped {
  const { shape } = tool;
  if (body.kind === "empty") return DONE;
  if (body.kind !== "json") {
    const isPromised = shape.kind !== "object" || shape.fields !== undefined;
    if (isPromised) throw refuseBody(body);
    return body.kind === "text" ? shapeText(body, shape) : shapeBinary(body, tool.name, shape);
  }
  const of = {
    columns,
    value: body.value,
    roots,
    ...(limit !== undefined && { limit }),
    ...(link !== undefined && { link }),
  };
  if (body.cut === undefined) return shapeJson(shape, of);
  return tellCut(shapeJson({ ...shape, budget: Math.max(shape.budget - CUT_BYTES, 0) }, of), body.cut, body.value);
}

interface Source {
  readonly columns: readonly Column[] | undefined;
  readonly value: Json;
  readonly roots: Roots;
  readonly limit?: number;
  readonly link?: string;
}

function shapeJson(shape: Tool["shape"], { columns, value, roots, limit, link }: Source): Shaped {
  switch (shape.kind) {
    case "list":
      return shapeList(shape, columns, value, roots, limit, link);
    case "value":
      return shapeValue(shape.value, value, roots, shape.budget);
    case "object":
      return shapeObject(columns, value, roots, shape.budget);
    default:
      return shape satisfies never;
  }
}

/** What telling of a cut takes, at most. */
const CUT_BYTES = 200;

/** Says first in `omitted` that the upstream's sequence was not read to its end; a list is then one that has more. */
function tellCut({ structured, blocks }: Shaped, cut: string, value: Json): Shaped {
  const count = Array.isArray(value) ? value.length : 0;
  const { omitted, data, hasMore, ...rest } = structured;
  const told = {
    ...rest,
    ...(hasMore !== undefined && { hasMore: true }),
    omitted: [
      { what: "items", kept: `the first ${count} of the upstream's: ${cut}` },
      ...(Array.isArray(omitted) ? (omitted as readonly Json[]) : []),
    ],
    ...(data !== undefined && { data }),
  };
  return { structured: told, ...(blocks !== undefined && { blocks }) };
}
