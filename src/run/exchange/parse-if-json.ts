import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import { MOST_DEPTH } from "../rows/scan-value.ts";
import { isNestedOver, parseLossless } from "./parse-lossless.ts";

/**
 * What a text says as JSON; undefined where it is none, or where its type does not state JSON and it looks like neither an object nor a list. Throws
 * ToolError `upstream_bad_response` for JSON that is nested too deep.
 */
export function parseIfJson(text: string, isStated: boolean): Json | undefined {
  if (!isStated && !/^\s*[[{]/.test(text)) return undefined;
  if (isNestedOver(text, MOST_DEPTH)) throw refuseDepth();
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}

export function refuseDepth(): ToolError {
  return new ToolError("upstream_bad_response", {
    message: `The upstream's answer is nested more than ${MOST_DEPTH} levels deep.`,
    recover: "Arguments do not change this: tell the user.",
    retryable: false,
  });
}
