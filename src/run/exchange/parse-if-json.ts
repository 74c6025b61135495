import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { isNestedOver, parseLossless } from "./parse-lossless.ts";

const MOST_DEPTH = 256;

/**
 * What a text says as JSON; undefined where it is none, or where its type does not state JSON and it looks like neither an object nor a list. Throws
 * ToolError `upstream_bad_response` for JSON that is nested too deep.
 */
export function parseIfJson(text: string, isStated: boolean): Json | undefined {
  if (!isStated && !/^\s*[[{]/.test(text)) return undefined;
  if (isNestedOver(text, MOST_DEPTH)) {
    throw new ToolError("upstream_bad_response", {
      message: `The upstream's answer is nested more than ${MOST_DEPTH} levels deep.`,
      recover: "Arguments do not change this: tell the user.",
      retryable: false,
    });
  }
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}
