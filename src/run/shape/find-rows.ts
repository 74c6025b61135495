import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Expression } from "../../model/value.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { refuseRows } from "./refuse-body.ts";

const PLAIN_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

/**
 * The list of rows in a JSON body. A null that stands there is an empty list (many upstreams write it so); anything else that is no list
 * throws `upstream_bad_response`.
 */
export function findRows(rows: Expression, body: Json, roots: Roots): readonly Json[] {
  const found = evaluateExpression(rows, body, roots);
  if (Array.isArray(found)) return found;
  if (found === null && isExplicitNull(rows.jmespath, body)) return [];
  throw refuseRows(rows.jmespath, found, body);
}

function isExplicitNull(path: string, body: Json): boolean {
  if (!PLAIN_PATH.test(path)) return false;
  let here: Json | undefined = body;
  for (const name of path.split(".")) {
    if (!isJsonObject(here)) return false;
    here = ownValue(here, name);
  }
  return here === null;
}
