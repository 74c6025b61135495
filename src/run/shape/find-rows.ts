import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Expression } from "../../model/value.ts";
import { evaluateExpression, type Roots } from "../expressions/evaluate.ts";
import { mayStandBeside } from "./find-further.ts";
import { refuseRows } from "./refuse-body.ts";

const PLAIN_PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

/**
 * The list of rows in a JSON body. A null that stands there is an empty list (many upstreams write it so), and so is a list that is left out of an
 * answer that says nothing else; anything else that is no list throws `upstream_bad_response`.
 */
export function findRows(rows: Expression, body: Json, roots: Roots): readonly Json[] {
  const found = evaluateExpression(rows, body, roots);
  if (Array.isArray(found)) return found;
  if (found === null && isEmpty(rows.jmespath, body)) return [];
  throw refuseRows(rows.jmespath, found, body);
}

/** JSON made of protocol buffers leaves lists without items out (ProtoJSON, "Presence and default values"). */
function isEmpty(path: string, body: Json): boolean {
  if (!PLAIN_PATH.test(path)) return false;
  let here: Json | undefined = body;
  let isBare = true;
  for (const name of path.split(".")) {
    if (!isJsonObject(here)) return false;
    isBare &&= Object.keys(here).every((one) => one === name || mayStandBeside(one));
    here = ownValue(here, name);
    if (here === undefined) return isBare;
  }
  return here === null;
}
