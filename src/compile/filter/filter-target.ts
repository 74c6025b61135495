import type { FilterEntry } from "../../curation/format.ts";
import type { FilterTarget } from "../../model/filter.ts";

/** The upstream's language and what the author says of it. */
export function readFilterTarget({ dialect, parameter, templates, nullOnNegation, limits }: FilterEntry): FilterTarget {
  return {
    dialect,
    ...(parameter !== undefined && { parameter }),
    ...(templates !== undefined && { templates }),
    ...(nullOnNegation !== undefined && { nullOnNegation }),
    ...(limits !== undefined && { limits }),
  };
}

/** How what a dialect writes is sent: at one place of the author, as query parameters of the dialect's own, or at the place of each field. */
export type FilterKind = "text" | "json" | "parameters" | "places";

const KINDS: ReadonlyMap<string, FilterKind> = new Map([
  ...["elasticsearch", "mongo", "directus", "notion", "aws-cost-explorer", "hubspot", "json"].map(
    (name) => [name, "json"] as const,
  ),
  ...["django", "postgrest", "strapi", "json-api"].map((name) => [name, "parameters"] as const),
  ["params", "places"],
]);

export function filterKind(dialect: string): FilterKind {
  return KINDS.get(dialect) ?? "text";
}
