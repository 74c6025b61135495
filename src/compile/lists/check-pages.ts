import type { Schema } from "../../model/schema.ts";
import type { ShapeChecker } from "../reply/shape-checker.ts";
import type { BoundPages } from "./bind-pages.ts";

/** The expressions of how a list is paged, against what one of its pages holds. `operation` is named where the style is the API's. */
export function checkPages(
  { style, at, isOwn }: BoundPages,
  body: Schema,
  row: Schema,
  operation: string,
  check: ShapeChecker,
): void {
  const of = isOwn ? "" : ` of \`${operation}\``;
  if (style.more !== undefined) check.typeOf({ jmespath: style.more }, [...at, "more"], body, `the body${of}`);
  if (style.style === "token") check.typeOf({ jmespath: style.next }, [...at, "next"], body, `the body${of}`);
  if (style.style === "last") check.typeOf({ jmespath: style.next }, [...at, "next"], row, `a row${of}`);
}
