import { buildFilterSchema } from "../../filter/filter-schema.ts";
import { findDialect } from "../../filter/find-dialect.ts";
import { offerMatches, offerOps } from "../../filter/offer-ops.ts";
import { FILTER_OPS, type FilterField, type FilterTarget } from "../../model/filter.ts";
import type { PortableSchema } from "../../model/schema.ts";
import { anyFields } from "./sample-filter.ts";

export interface OfferedFilter {
  readonly target: FilterTarget;
  readonly fields: readonly FilterField[];
  /** Further fields are discovered when a call comes. */
  readonly discovers: boolean;
  /** The tool that lists them, by the name that callers see. */
  readonly lister?: string;
  readonly depth: number;
}

/** The built-in `filter` as callers see it. */
export function buildFilterInput({ target, fields, discovers, lister, depth }: OfferedFilter): PortableSchema {
  const any = anyFields(target).map((field) => ({ ...field, ops: offerOps(field, target) }));
  const all = discovers ? [...fields, ...any] : fields;
  const ops = FILTER_OPS.filter((op) => all.some((field) => field.ops?.includes(op)));
  const matches = depth === 0 ? [] : offerMatches(all, target);
  const { type, ...rest } = buildFilterSchema({ ...(!discovers && { fields }), ops, matches, depth });
  const negates = [
    ...ops.filter((op) => op === "ne" || op === "not_in"),
    ...matches.filter((match) => match === "none"),
  ];
  const description = [
    "Conditions on the rows; all other arguments hold as well.",
    ...(negates.length > 0 ? [`Rows without a value pass ${listed(negates)}.`] : []),
    ...(discovers ? [sayFields(fields, lister)] : []),
  ].join(" ");
  return { ...(type !== undefined && { type }), description, ...rest };
}

/** How deep groups are nested unless the author says: as deep as the language goes, and twice at most. */
export function defaultDepth(target: FilterTarget): number {
  return Math.min(DEPTH, findDialect(target).groups.depth);
}

const DEPTH = 2;

function sayFields(fields: readonly FilterField[], lister: string | undefined): string {
  const source = lister === undefined ? "Fields: the upstream's exact names." : `Fields: exact names of \`${lister}\`.`;
  return fields.length === 0 ? source : `${source} Also: ${fields.map(({ name }) => name).join(", ")}.`;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const OTHER_BUILT_IN: readonly string[] = ["limit", "pageToken", "confirm"];

/** The tool's schema with its filter: behind the author's inputs, before the other built-in ones. */
export function withFilterInput(schema: PortableSchema, filter: PortableSchema, required: boolean): PortableSchema {
  const entries = Object.entries(schema.properties ?? {});
  const at = entries.findIndex(([name]) => OTHER_BUILT_IN.includes(name));
  const before = at < 0 ? entries : entries.slice(0, at);
  const properties = Object.fromEntries([...before, ["filter", filter] as const, ...entries.slice(before.length)]);
  return {
    ...schema,
    properties,
    ...(required && { required: [...(schema.required ?? []), "filter"] }),
  };
}
