import type { Api } from "../../model/api.ts";
import type { Schema } from "../../model/schema.ts";
import type { Expression } from "../../model/value.ts";
import { isOpen, listAlternatives, propertyNames, propertyOf } from "../expressions/list-alternatives.ts";
import { ANY, elementsOf, listOf, objectOf, orNull, STRING } from "../expressions/type-algebra.ts";
import type { TypeRoots } from "../expressions/type-roots.ts";
import type { BoundPages } from "../lists/bind-pages.ts";
import { checkPages } from "../lists/check-pages.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import type { Target } from "../places/request-places.ts";
import { readSuccessBody } from "../reply/response-schema.ts";
import { openChecker } from "../reply/shape-checker.ts";
import type { ToolContext } from "../tool-context.ts";

/** What a look-up finds against what its operation answers: identifiers, or objects with an `id` and what tells them apart. */
export function checkCandidates(
  ids: Expression,
  at: EntryPath,
  target: Target,
  pages: BoundPages | undefined,
  { api, pins }: ToolContext,
  report: Report,
): void {
  const check = openChecker(api, report, aliasRoots(pins), false);
  const body = readSuccessBody(target.operation).schema;
  const type = check.typeOf(ids, at, body, "the body");
  const one = elementsOf(type, api) ?? type;
  if (pages !== undefined) checkPages(pages, body, one, target.operation.id ?? target.operation.key, check);
  if (mayIdentify(one, api)) return;
  const names = listAlternatives(one, api).flatMap(propertyNames);
  const message = `\`${ids.jmespath}\` gives neither identifiers nor objects with an \`id\`.`;
  const hint = hintFor([], names) ?? "Write for example items[].id, or items[].{id: taskId, title: title}.";
  report.add("error", "not_a_value", at, message, hint);
}

function mayIdentify(type: Schema, api: Api): boolean {
  const alternatives = listAlternatives(type, api).filter((one) => one.type !== "null");
  if (alternatives.length === 0) return true;
  return alternatives.some((one) => {
    if (one.type === "array" || one.type === "boolean") return false;
    return one.type !== "object" || isOpen(one) || propertyOf(one, "id") !== undefined;
  });
}

/** What an alias can read beside the body. */
function aliasRoots(pins: readonly PinPlan[]): TypeRoots {
  const pin = objectOf(pins.map(({ name }) => [name, ANY] as const));
  const schema = objectOf([
    ["captures", listOf(orNull(STRING))],
    ["pins", pin],
  ]);
  return { schema, own: new Map([[pin, "pin"]]) };
}
