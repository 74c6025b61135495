import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import type { Expression } from "../../model/value.ts";
import { type ListSum, listSums, type Path } from "../expressions/list-sums.ts";
import { hasFurtherBeside } from "./find-further.ts";
import type { Omission } from "./omit.ts";

/** Why the list at a path is not all there is; undefined where nothing says so. */
export type WhyPartial = (path: Path) => string | undefined;

export interface WithheldSums {
  /** Parts of the expression that are null. */
  readonly cells: ReadonlySet<ListSum["cell"]>;
  readonly reason: string;
}

/** The sums that an expression makes over lists that are not whole (contract section 1, Expressions); undefined where there are none. */
export function withholdSums(expression: Expression, partial: WhyPartial): WithheldSums | undefined {
  const sums = listSums(expression).flatMap(({ cell, lists }) => {
    const reason = lists.map(partial).find((one) => one !== undefined);
    return reason === undefined ? [] : [{ cell, reason }];
  });
  const [first] = sums;
  return first && { cells: new Set(sums.map(({ cell }) => cell)), reason: first.reason };
}

export function tellWithheld(path: string, { reason }: WithheldSums): Omission {
  return { what: "value", path, kept: `no sum: ${reason}` };
}

type Headers = Parameters<typeof hasFurtherBeside>[2];

/** Why the list that a path leads to in a body is one page of several. */
export function sayPartial(body: Json, path: Path, headers: Headers): string | undefined {
  let here: Json | undefined = body;
  for (const name of path) if (isJsonObject(here)) here = ownValue(here, name);
  if (!Array.isArray(here) || !hasFurtherBeside(body, here.length, headers)) return undefined;
  return `the upstream has more than these ${here.length} (PARTIAL_PAGES)`;
}
