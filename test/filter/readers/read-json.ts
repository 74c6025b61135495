import { all, any, leaf, type Node, type NodeOp, not } from "../selects.ts";

// Small evaluators of the languages of JSON.

type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };
type Fields = { readonly [key: string]: Value };

/** The only entry of an object. */
function only(value: Value): [string, Value] {
  const entries = Object.entries(value as Fields);
  if (entries.length !== 1) throw new Error(`Not one entry: ${JSON.stringify(value)}`);
  return entries[0]!;
}
const text = (value: Value): string => {
  if (typeof value === "object") throw new Error(`No scalar: ${JSON.stringify(value)}`);
  return String(value);
};
const texts = (value: Value): string[] => (value as readonly Value[]).map(text);

export function readElasticsearch(query: Value): Node {
  const [kind, inside] = only(query);
  switch (kind) {
    case "bool":
      return readBool(inside as Fields);
    case "exists":
      return leaf(text((inside as Fields)["field"]!), "is_not_null");
    case "terms": {
      const [field, values] = only(inside);
      return leaf(field, "in", ...texts(values));
    }
    case "term": {
      const [field, value] = only(inside);
      return leaf(field, "eq", text(only(value)[1]));
    }
    case "range": {
      const [field, bounds] = only(inside);
      const [op, bound] = only(bounds);
      return leaf(field, op as NodeOp, text(bound));
    }
    case "wildcard": {
      const [field, value] = only(inside);
      const part = /^\*((?:[^*?\\]|\\.)+)\*$/s.exec(text(only(value)[1]));
      return leaf(field, "contains", part![1]!.replace(/\\(.)/gs, "$1"));
    }
    default:
      throw new Error(`No query ${kind}`);
  }
}

function readBool({ filter, should, must_not, minimum_should_match }: Fields): Node {
  if (should && minimum_should_match !== 1) throw new Error("`should` alone may match nothing");
  if (filter) return all((filter as readonly Value[]).map(readElasticsearch));
  if (should) return any((should as readonly Value[]).map(readElasticsearch));
  return not(any((must_not as readonly Value[]).map(readElasticsearch)));
}

const DIRECTUS: Readonly<Record<string, NodeOp>> = {
  _eq: "eq",
  _neq: "ne",
  _lt: "lt",
  _lte: "lte",
  _gt: "gt",
  _gte: "gte",
  _in: "in",
  _nin: "not_in",
  _contains: "contains",
  _ncontains: "not_contains",
  _null: "is_null",
  _nnull: "is_not_null",
};

/** As the server reads it: some texts become other values, and LIKE knows wildcards. */
export function readDirectus(filter: Value): Node {
  const [key, inside] = only(filter);
  if (key === "_and") return all((inside as readonly Value[]).map(readDirectus));
  if (key === "_or") return any((inside as readonly Value[]).map(readDirectus));
  const [word, value] = only(inside);
  const op = DIRECTUS[word]!;
  if (op === "is_null" || op === "is_not_null") return leaf(key, op);
  const values = Array.isArray(value) ? texts(value) : [text(value as Value)];
  for (const [index, one] of (Array.isArray(value) ? value : [value]).entries()) {
    if (typeof one !== "string") continue;
    if (one.startsWith("$") || ["true", "false", "null", "NULL"].includes(one))
      throw new Error(`Taken for another: ${one}`);
    if (op.endsWith("contains") && /[%_\\]/.test(values[index]!)) throw new Error(`A wildcard: ${one}`);
  }
  return leaf(key, op, ...values);
}

const NOTION: Readonly<Record<string, NodeOp>> = {
  equals: "eq",
  does_not_equal: "ne",
  contains: "contains",
  does_not_contain: "not_contains",
  is_empty: "is_null",
  is_not_empty: "is_not_null",
  less_than: "lt",
  less_than_or_equal_to: "lte",
  greater_than: "gt",
  greater_than_or_equal_to: "gte",
  before: "lt",
  on_or_before: "lte",
  after: "gt",
  on_or_after: "gte",
};
const NOTION_KINDS: Readonly<Record<string, readonly string[]>> = {
  rich_text: ["equals", "does_not_equal", "contains", "does_not_contain", "is_empty", "is_not_empty"],
  number: [
    "equals",
    "does_not_equal",
    "less_than",
    "less_than_or_equal_to",
    "greater_than",
    "greater_than_or_equal_to",
    "is_empty",
    "is_not_empty",
  ],
  checkbox: ["equals", "does_not_equal"],
  select: ["equals", "does_not_equal", "is_empty", "is_not_empty"],
  date: ["equals", "before", "after", "on_or_before", "on_or_after", "is_empty", "is_not_empty"],
};

export function readNotion(filter: Value, level = 0): Node {
  const fields = filter as Fields;
  if (level > 2) throw new Error("Nested deeper than two levels");
  if (fields["and"]) return all((fields["and"] as readonly Value[]).map((one) => readNotion(one, level + 1)));
  if (fields["or"]) return any((fields["or"] as readonly Value[]).map((one) => readNotion(one, level + 1)));
  const { property, ...rest } = fields;
  const [kind, condition] = only(rest);
  const [word, value] = only(condition);
  if (!NOTION_KINDS[kind]!.includes(word)) throw new Error(`${kind} has no ${word}`);
  if (kind === "number" && word !== "is_empty" && word !== "is_not_empty" && typeof value !== "number")
    throw new Error("No number");
  const op = NOTION[word]!;
  return op === "is_null" || op === "is_not_null" ? leaf(text(property!), op) : leaf(text(property!), op, text(value));
}

export function readAws(expression: Value): Node {
  const [kind, inside] = only(expression);
  switch (kind) {
    case "And":
    case "Or": {
      const parts = (inside as readonly Value[]).map(readAws);
      if (parts.length < 2) throw new Error(`${kind} of fewer than two`);
      return kind === "And" ? all(parts) : any(parts);
    }
    case "Not":
      return not(readAws(inside));
    case "Dimensions":
    case "Tags": {
      const { Key, Values, MatchOptions } = inside as Fields;
      const field = text(Key!).toLowerCase();
      const [option] = MatchOptions as readonly Value[];
      if (option === "ABSENT" && kind === "Tags") return leaf(field, "is_null");
      if (option !== "EQUALS") throw new Error(`No option ${option}`);
      return leaf(field, "in", ...texts(Values!));
    }
    default:
      throw new Error(`No expression ${kind}`);
  }
}

const HUBSPOT: Readonly<Record<string, NodeOp>> = {
  EQ: "eq",
  NEQ: "ne",
  LT: "lt",
  LTE: "lte",
  GT: "gt",
  GTE: "gte",
  IN: "in",
  NOT_IN: "not_in",
  HAS_PROPERTY: "is_not_null",
  NOT_HAS_PROPERTY: "is_null",
};

export function readHubspot(request: Value): Node {
  const groups = (request as { filterGroups: readonly { filters: readonly Fields[] }[] }).filterGroups;
  if (groups.length > 5) throw new Error("More than five groups");
  return any(
    groups.map(({ filters }) => {
      if (filters.length === 0) throw new Error("A group of nothing");
      return all(
        filters.map(({ propertyName, operator, value, values }) => {
          const op = HUBSPOT[text(operator!)]!;
          if (op === "is_null" || op === "is_not_null") return leaf(text(propertyName!), op);
          const list = (values ?? [value!]) as readonly Value[];
          if (list.some((one) => typeof one !== "string")) throw new Error("Values are texts");
          return leaf(text(propertyName!), op, ...texts(list));
        }),
      );
    }),
  );
}

/** The shape that the tests' templates give. */
export function readTemplated(filter: Value): Node {
  const fields = filter as Fields;
  if (fields["and"]) return all((fields["and"] as readonly Value[]).map(readTemplated));
  if (fields["or"]) return any((fields["or"] as readonly Value[]).map(readTemplated));
  if (fields["not"]) return not(any((fields["not"] as readonly Value[]).map(readTemplated)));
  const { field, op, value, values } = fields;
  const word = text(op!).toLowerCase() as NodeOp;
  return leaf(
    text(field!),
    word,
    ...(values === undefined ? (value === undefined ? [] : [text(value)]) : texts(values)),
  );
}
