import type { Literal } from "../model/filter.ts";
import type { Leaf } from "./dialect.ts";

/** Why a text cannot be searched for where the upstream puts it into LIKE as it is. */
export function sqlWildcard({ text }: Literal, { op }: Leaf): string | undefined {
  return (op === "contains" || op === "not_contains") && /[%_\\]/.test(text)
    ? "The upstream would take %, _ or \\ in this text as wildcards."
    : undefined;
}
