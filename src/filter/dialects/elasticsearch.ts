import type { Literal } from "../../model/filter.ts";
import type { Json } from "../../model/json.ts";
import { defineJsonDialect } from "../define-json-dialect.ts";
import { type Dialect, EVERY_OPERATOR, type Leaf } from "../dialect.ts";
import { toMilliseconds } from "../write-moment.ts";

/** The most values of one `terms` query (index.max_terms_count). */
const MOST_TERMS = 65_536;

/**
 * The query DSL of Elasticsearch and OpenSearch, over keyword fields, in filter context. `must_not` keeps documents without the field. The
 * names `boost` and `_name` are options beside a field there, and a `*` in a name stands for many.
 */
export const elasticsearch: Dialect = defineJsonDialect({
  name: "elasticsearch",
  capabilities: EVERY_OPERATOR,
  groups: { shape: "free", depth: 8 },
  nullOnNegation: "keep",
  fieldNames: /^(?!(boost|_name)$)[^*\p{C}]+$/u,
  refuse: (leaf) =>
    leaf.kind === "member" && leaf.values.length > MOST_TERMS ? `It takes at most ${MOST_TERMS} values.` : undefined,
  leaf: writeLeaf,
  group: (kind, parts) =>
    kind === "and" ? { bool: { filter: parts } } : { bool: { should: parts, minimum_should_match: 1 } },
});

const RANGES = { lt: "lt", lte: "lte", gt: "gt", gte: "gte" } as const;

function writeLeaf(leaf: Leaf): Json {
  const { to } = leaf.field;
  switch (leaf.op) {
    case "is_null":
      return without({ exists: { field: to } });
    case "is_not_null":
      return { exists: { field: to } };
    case "in":
      return { terms: { [to]: leaf.values.map(wire) } };
    case "not_in":
      return without({ terms: { [to]: leaf.values.map(wire) } });
    case "eq":
      return { term: { [to]: { value: wire(leaf.value) } } };
    case "ne":
      return without({ term: { [to]: { value: wire(leaf.value) } } });
    case "contains":
      return containing(leaf.value, to);
    case "not_contains":
      return without(containing(leaf.value, to));
    default:
      return { range: { [to]: { [RANGES[leaf.op]]: wire(leaf.value) } } };
  }
}

function without(query: Json): Json {
  return { bool: { must_not: [query] } };
}

function containing({ text }: Literal, to: string): Json {
  return { wildcard: { [to]: { value: `*${text.replace(/[*?\\]/g, "\\$&")}*` } } };
}

/** Numbers may be texts here, so that no digit is lost. */
function wire(value: Literal): Json {
  return value.type === "date-time" ? toMilliseconds(value.text) : value.wire;
}
