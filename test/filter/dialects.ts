import * as siftModule from "sift";
import type { FilterField, FilterTarget, NullOnNegation, WrittenFilter } from "../../src/model/filter.ts";
import { makeFields, TYPES } from "./conditions.ts";
import {
  readAws,
  readDirectus,
  readElasticsearch,
  readHubspot,
  readNotion,
  readTemplated,
} from "./readers/read-json.ts";
import { readLucene, readOdata, readRsql, readSoql } from "./readers/read-packages.ts";
import { readDjango, readJsonApi, readPostgrest, readStrapi } from "./readers/read-parameters.ts";
import {
  readAip160,
  readDatadog,
  readGithub,
  readJql,
  readKubernetes,
  readShopify,
  readStripe,
} from "./readers/read-texts.ts";
import { all, leaf, type Node, type Row, selects } from "./selects.ts";

/** One upstream of the tests: a target, its fields, and an independent reading of what was written to it. */
export interface Upstream {
  readonly title: string;
  readonly target: FilterTarget;
  readonly fields: readonly FilterField[];
  /** What it does with rows without a value when it negates: both where its language leaves that open. */
  readonly models: readonly NullOnNegation[];
  /** Fields that always have a value there. */
  readonly always?: Row;
  open(written: WrittenFilter): (row: Row, nulls: NullOnNegation) => boolean;
}

/** Its types and its module disagree about what the default is. */
const sift = siftModule.default as unknown as (query: unknown) => (row: Row) => boolean;

type Options = Partial<Pick<Upstream, "fields" | "models" | "title" | "always">> & {
  target?: Omit<FilterTarget, "dialect">;
};

const BOTH: readonly NullOnNegation[] = ["keep", "drop"];
const FIELDS = makeFields((name) => name);

/** Whatever has gone over the wire has been JSON or text once. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

function upstream(dialect: string, read: (written: WrittenFilter) => Node, options: Options = {}): Upstream {
  const { title = dialect, fields = FIELDS, models = BOTH, target = {}, always } = options;
  return {
    ...(always && { always }),
    title,
    target: { dialect, ...target },
    fields,
    models,
    open: (written) => {
      const node = read(sent(written));
      return (row, nulls) => selects(node, row, TYPES, nulls);
    },
  };
}

type Json = Parameters<typeof readElasticsearch>[0];
const ofText = (read: (text: string) => Node) => (written: WrittenFilter) => {
  if (written.kind !== "text" || written.text === "") throw new Error("No text");
  return read(written.text);
};
const ofJson = (read: (value: Json) => Node) => (written: WrittenFilter) => {
  if (written.kind !== "json" || written.value === null) throw new Error("No JSON");
  return read(written.value as Json);
};
const ofParameters = (read: typeof readDjango) => (written: WrittenFilter) => {
  if (written.kind !== "parameters" || written.parameters.length === 0) throw new Error("No parameters");
  return read(written.parameters);
};

const mongo: Upstream = {
  ...upstream("mongo", () => all([]), { models: ["keep"] }),
  open: (written) => {
    if (written.kind !== "json") throw new Error("No JSON");
    const test = sift(sent(written.value));
    return (row) => test(row);
  },
};

/** Each condition at its place, `is_null` through a template of the author. */
function readParams(written: WrittenFilter): Node {
  if (written.kind !== "places") throw new Error("No places");
  return all(
    written.values.flatMap(({ to, value }) => {
      const field = to.replace(/^query\./, "");
      if (Array.isArray(value)) return [leaf(field, "in", ...value.map(String))];
      if (typeof value === "object" && value !== null)
        return Object.entries(value).map(([op, bound]) => leaf(field, op as "gte", String(bound)));
      const text = String(value);
      if (field === "name" && text.startsWith("not:")) return [leaf(field, "ne", text.slice("not:".length))];
      if (field === "name" && text === "none") return [leaf(field, "is_null")];
      return [leaf(field, "eq", text)];
    }),
  );
}

const PARAMS_FIELDS = makeFields((name) => `query.${name}`).map((field): FilterField => {
  if (field.name === "name")
    return { ...field, templates: { eq: "{value}", ne: "not:{value}", is_null: "none", in: "{values}" } };
  if (field.type === "enum") return { ...field, templates: { eq: "{value}", in: "{values}" } };
  if (field.type === "integer" || field.type === "date-time") {
    const bounds = { gte: { gte: "{value}" }, lte: { lte: "{value}" }, gt: { gt: "{value}" }, lt: { lt: "{value}" } };
    return { ...field, templates: bounds };
  }
  return field;
});

const WORDS = Object.fromEntries(
  ["eq", "ne", "in", "not_in", "lt", "lte", "gt", "gte", "contains", "is_null", "is_not_null"].map((op) => [
    op,
    op.toUpperCase(),
  ]),
);
const SINGLE = { field: "{field}", op: "{op}", value: "{value}", values: "{values}" };
const GROUPS = { all: { and: "{conditions}" }, any: { or: "{conditions}" } };

/** Text by templates: `(name = "x" AND (qty > 5 OR …))`, texts in quotes without escapes. */
const TEXT_SIGNS: Readonly<Record<string, string>> = { eq: "=", ne: "!=", lt: "<", lte: "<=", gt: ">", gte: ">=" };
const TEXT_TEMPLATES = {
  single: '{field} {op} "{value}"',
  all: "({conditions: AND })",
  any: "({conditions: OR })",
  ops: {
    ...TEXT_SIGNS,
    is_null: "{field} !",
    is_not_null: "{field} ?",
    in: '{field} IN ("{values:","}")',
    contains: '{field} ~ "{value}"',
  },
};

export const UPSTREAMS: readonly Upstream[] = [
  upstream("odata", ofText(readOdata)),
  upstream("aip-160", ofText(readAip160)),
  upstream("rsql", ofText(readRsql)),
  upstream("soql", ofText(readSoql)),
  upstream("jql", ofText(readJql)),
  upstream("lucene", ofText(readLucene), { models: ["keep"] }),
  upstream("elasticsearch", ofJson(readElasticsearch), { models: ["keep"] }),
  mongo,
  upstream("django", ofParameters(readDjango)),
  upstream("postgrest", ofParameters(readPostgrest)),
  upstream("directus", ofJson(readDirectus)),
  upstream("strapi", ofParameters(readStrapi)),
  upstream("shopify", ofText(readShopify)),
  upstream(
    "notion",
    ofJson((value) => readNotion(value)),
    { always: { active: false } },
  ),
  upstream("datadog", ofText(readDatadog), { fields: makeFields((name) => `@${name}`) }),
  upstream("aws-cost-explorer", ofJson(readAws), {
    fields: makeFields((name) => (name === "code" || name === "stage" ? name.toUpperCase() : `Tags/${name}`)),
  }),
  upstream("hubspot", ofJson(readHubspot)),
  upstream("stripe-search", ofText(readStripe)),
  upstream("github-search", ofText(readGithub), {
    models: ["keep"],
    fields: makeFields((name) => (name === "name" ? "label" : name === "status" ? "milestone" : name)),
  }),
  upstream("kubernetes-selector", ofText(readKubernetes), { models: ["keep"] }),
  upstream("json-api", ofParameters(readJsonApi)),
  upstream("params", readParams, { fields: PARAMS_FIELDS }),
  upstream("json", ofJson(readTemplated), { target: { templates: { single: SINGLE, ...GROUPS, ops: WORDS } } }),
  upstream("text", ofText(readTemplateText), { target: { templates: TEXT_TEMPLATES } }),
];

/** The same upstreams where the author said what they do; those whose own word is another one are made to do it. */
export const DECLARED: readonly Upstream[] = [
  ...UPSTREAMS.filter(({ target }) => target.dialect !== "mongo").flatMap((one) =>
    BOTH.map((nulls) => ({
      ...one,
      title: `${one.title}, which ${nulls}s rows without a value`,
      target: { ...one.target, nullOnNegation: nulls },
      models: [nulls],
    })),
  ),
  ...BOTH.map((nulls) =>
    upstream("json", ofJson(readTemplated), {
      title: `json with \`none\`, which ${nulls}s rows without a value`,
      target: {
        nullOnNegation: nulls,
        templates: {
          single: SINGLE,
          ...GROUPS,
          none: { not: "{conditions}" },
          ops: { eq: "eq", gt: "gt", lt: "lt", contains: "contains", is_null: "is_null" },
        },
      },
      models: [nulls],
    }),
  ),
];

function readTemplateText(text: string): Node {
  let at = 0;
  const node = readUnit();
  if (at < text.length) throw new Error(`Something is left at ${at} of ${text}`);
  return node;

  function readUnit(): Node {
    if (text[at] !== "(") return readSingle();
    at += 1;
    const parts = [readUnit()];
    const sign = /^ (AND|OR) /.exec(text.slice(at))?.[1];
    while (text.startsWith(` ${sign} `, at)) {
      at += ` ${sign} `.length;
      parts.push(readUnit());
    }
    if (text[at] !== ")") throw new Error(`A bracket is missing at ${at} of ${text}`);
    at += 1;
    return sign === "OR" ? { kind: "or", parts } : all(parts);
  }

  function readSingle(): Node {
    const found = /^(\w+) (?:(!(?!=))|(\?)|(=|!=|<=|>=|<|>|~) "([^"\\]*)"|IN \(("[^"\\]*"(?:,"[^"\\]*")*)\))/.exec(
      text.slice(at),
    );
    if (!found) throw new Error(`No condition at ${at} of ${text}`);
    at += found[0].length;
    const [, field = "", isNull, isNotNull, sign, value = "", list] = found;
    if (isNull) return leaf(field, "is_null");
    if (isNotNull) return leaf(field, "is_not_null");
    if (list !== undefined) return leaf(field, "in", ...[...list.matchAll(/"([^"\\]*)"/g)].map((one) => one[1]!));
    const op = Object.entries(TEXT_SIGNS).find(([, one]) => one === sign)?.[0] ?? "contains";
    return leaf(field, op as "eq", value);
  }
}
