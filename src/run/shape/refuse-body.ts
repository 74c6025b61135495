import { ToolError } from "../../model/errors.ts";
import type { ReplyBody } from "../../model/exchange.ts";
import { isJsonObject, type Json } from "../../model/json.ts";
import { readableText } from "../errors/readable-text.ts";

const BEGINNING = 200;
const RECOVER =
  "Arguments do not change this: tell the user that the API's answer is not what its description promises.";

/** The error of a body that is not JSON where rows or fields were promised, with its beginning. */
export function refuseBody(body: Exclude<ReplyBody, { kind: "json" | "empty" }>): ToolError {
  const came = body.kind === "text" ? `: ${readableText(body.text, BEGINNING)}` : ` of ${body.data.byteLength} bytes.`;
  const message = `The upstream answered ${body.mediaType || "data without a type"} where JSON was promised${came}`;
  return new ToolError("upstream_bad_response", { message, recover: RECOVER, retryable: false });
}

/** The error of a JSON body that holds no list where the rows were promised; says what stands there, or what the body has instead. */
export function refuseRows(path: string, found: unknown, body: Json): ToolError {
  const came =
    found === null || found === undefined ? `nothing there: the answer is ${describe(body)}` : describe(found);
  const message = `The upstream's answer should hold a list of rows at \`${path.slice(0, 100)}\` and has ${came}.`;
  return new ToolError("upstream_bad_response", { message, recover: RECOVER, retryable: false });
}

/** The error of a JSON body, or of rows, that are no objects and of which no field finds anything. */
export function refuseMisfit(
  columns: readonly { readonly name: string }[],
  found: Json,
  of: "answer" | "rows",
): ToolError {
  const names = columns.slice(0, 5).map(({ name }) => `\`${name.slice(0, 40)}\``);
  const wanted = `${names.join(", ")}${columns.length > names.length ? " and more" : ""}`;
  const message =
    of === "answer"
      ? `The upstream's answer should be an object with ${wanted}, and is ${describe(found)}.`
      : `The upstream's rows should be objects with ${wanted}, and the first is ${describe(found)}.`;
  return new ToolError("upstream_bad_response", { message, recover: RECOVER, retryable: false });
}

export function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isJsonObject(value)) return `a ${typeof value === "string" ? "text" : typeof value}`;
  const names = Object.keys(value);
  if (names.length === 0) return "an empty object";
  const shown = names.slice(0, 8).map((name) => name.slice(0, 40));
  return `an object with ${shown.join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""}`;
}
