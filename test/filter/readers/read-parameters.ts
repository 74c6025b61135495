import qs from "qs";
import type { FilterParameter } from "../../../src/model/filter.ts";
import { all, any, leaf, type Node, type NodeOp, not } from "../selects.ts";
import { type Grammar, need, needList, needQuoted, readText } from "./scan.ts";

type Parameters = readonly FilterParameter[];

const DJANGO: Readonly<Record<string, NodeOp>> = { lt: "lt", lte: "lte", gt: "gt", gte: "gte", contains: "contains" };

export function readDjango(parameters: Parameters): Node {
  refuseTwice(parameters);
  return all(
    parameters.map(([name, value]) => {
      const [field = "", suffix] = name.split("__");
      if (suffix === undefined) return leaf(field, "eq", value);
      if (suffix === "isnull") return leaf(field, value === "true" ? "is_null" : "is_not_null");
      if (suffix === "in") return leaf(field, "in", ...value.split(","));
      return leaf(field, DJANGO[suffix]!, value);
    }),
  );
}

export function readJsonApi(parameters: Parameters): Node {
  refuseTwice(parameters);
  return all(parameters.map(([name, value]) => leaf(/^filter\[(.*)\]$/.exec(name)![1]!, "in", ...value.split(","))));
}

function refuseTwice(parameters: Parameters): void {
  if (new Set(parameters.map(([name]) => name)).size < parameters.length) throw new Error("One parameter twice");
}

const POSTGREST_OPS: Readonly<Record<string, NodeOp>> = {
  eq: "eq",
  neq: "ne",
  lt: "lt",
  lte: "lte",
  gt: "gt",
  gte: "gte",
};

/** postgrest.org, "Tables and Views": in a tree of conditions every value may be quoted. */
const POSTGREST: Grammar = {
  and: /,/,
  or: /(?!)/,
  tight: "and",
  brackets: false,
  leaf: (at) => {
    const group = /^(and|or)\(/.exec(at.text.slice(at.at));
    if (group) {
      at.at += group[0].length;
      const parts: Node[] = [];
      do parts.push(POSTGREST.leaf(at));
      while (/^,/.test(at.text.slice(at.at)) && need(at, /,/));
      need(at, /\)/);
      return group[1] === "and" ? all(parts) : any(parts);
    }
    const field = need(at, /\w+/)[0];
    const isNegated = at.text.startsWith(".not.", at.at);
    if (isNegated) at.at += ".not".length;
    const node = readOperand(field, need(at, /\.(\w+)\./)[1]!);
    return isNegated ? not(node) : node;

    function readOperand(name: string, op: string): Node {
      if (op === "is") return need(at, /null/) && leaf(name, "is_null");
      if (op === "in") return leaf(name, "in", ...needList(at, /,/, () => needQuoted(at)));
      const value = needQuoted(at);
      if (op !== "like") return leaf(name, POSTGREST_OPS[op]!, value);
      const part = /^\*((?:[^*%_\\]|\\.)+)\*$/s.exec(value);
      if (!part) throw new Error(`No pattern of a part: ${value}`);
      return leaf(name, "contains", part[1]!.replace(/\\(.)/gs, "$1"));
    }
  },
};

export function readPostgrest(parameters: Parameters): Node {
  if (parameters.length !== 1) throw new Error("Not one parameter");
  const [name, value] = parameters[0]!;
  if ((name !== "and" && name !== "or") || !/^\(.*\)$/s.test(value)) throw new Error(`No tree: ${name}=${value}`);
  return readText(`${name}${value}`, POSTGREST);
}

const STRAPI: Readonly<Record<string, NodeOp>> = {
  $eq: "eq",
  $ne: "ne",
  $lt: "lt",
  $lte: "lte",
  $gt: "gt",
  $gte: "gte",
  $in: "in",
  $notIn: "not_in",
  $contains: "contains",
  $notContains: "not_contains",
  $null: "is_null",
  $notNull: "is_not_null",
};

/** Through the wire and `qs`, as Strapi sets it. */
export function readStrapi(parameters: Parameters): Node {
  const query = parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
  const parsed = qs.parse(query, { depth: 20, arrayLimit: 100, strictNullHandling: true, plainObjects: true });
  if (Object.keys(parsed).join() !== "filters") throw new Error(`Other parameters: ${query}`);
  return nodeOfStrapi(parsed["filters"] as Tree);
}

type Tree = { [key: string]: Tree | Tree[] | string | string[] };

function nodeOfStrapi(tree: Tree): Node {
  const entries = Object.entries(tree);
  if (entries.length !== 1) throw new Error(`Not one entry: ${JSON.stringify(tree)}`);
  const [key, inside] = entries[0]!;
  if (key === "$and") return all((inside as Tree[]).map(nodeOfStrapi));
  if (key === "$or") return any((inside as Tree[]).map(nodeOfStrapi));
  const [[word, value] = ["", ""]] = Object.entries(inside as Tree);
  const op = STRAPI[word]!;
  if (op === "is_null" || op === "is_not_null") return leaf(key, op);
  const values = (Array.isArray(value) ? value : [value]) as string[];
  if (values.some((one) => typeof one !== "string")) throw new Error(`No texts: ${JSON.stringify(value)}`);
  if (op.endsWith("contains") && /[%_\\]/.test(values[0]!)) throw new Error("A wildcard");
  return leaf(key, op, ...values);
}
