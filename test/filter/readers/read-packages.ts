import { createRequire } from "node:module";
import { parseQuery } from "@jetstreamapp/soql-parser-js";
import { parse as parseRsql } from "@rsql/parser";
import lucene from "lucene";
import { all, any, leaf, type Node, type NodeOp, not } from "../selects.ts";
import { unescapeText } from "./scan.ts";

// Readers on top of parsers that others wrote.

const require = createRequire(import.meta.url);
/** Its module for `import` asks for a file that it does not ship. */
const { defaultParser } = require("@odata/parser") as { defaultParser: { filter(text: string): OdataToken } };

interface OdataToken {
  readonly type: string;
  readonly raw: string;
  readonly value: unknown;
}
const ODATA_COMPARISONS: Readonly<Record<string, NodeOp>> = {
  EqualsExpression: "eq",
  NotEqualsExpression: "ne",
  LesserThanExpression: "lt",
  LesserOrEqualsExpression: "lte",
  GreaterThanExpression: "gt",
  GreaterOrEqualsExpression: "gte",
};

export function readOdata(text: string): Node {
  const parsed = defaultParser.filter(text);
  if (parsed.raw !== text) throw new Error(`Only ${parsed.raw} was read of ${text}`);
  return nodeOfOdata(parsed);
}

function nodeOfOdata(token: OdataToken): Node {
  const pair = token.value as { left: OdataToken; right: OdataToken };
  switch (token.type) {
    case "AndExpression":
      return all([nodeOfOdata(pair.left), nodeOfOdata(pair.right)]);
    case "OrExpression":
      return any([nodeOfOdata(pair.left), nodeOfOdata(pair.right)]);
    case "NotExpression":
      return not(nodeOfOdata(token.value as OdataToken));
    case "MethodCallExpression": {
      const { method, parameters } = token.value as { method: string; parameters: readonly OdataToken[] };
      if (method !== "contains") throw new Error(`No method ${method}`);
      return leaf(parameters[0]!.raw, "contains", odataValue(parameters[1]!));
    }
    default: {
      const op = ODATA_COMPARISONS[token.type];
      if (op !== undefined) {
        if (pair.right.raw === "null") return leaf(pair.left.raw, op === "eq" ? "is_null" : "is_not_null");
        return leaf(pair.left.raw, op, odataValue(pair.right));
      }
      // Brackets and other wrappers.
      return nodeOfOdata(token.value as OdataToken);
    }
  }
}

function odataValue({ value, raw }: OdataToken): string {
  if (value === "Edm.String") return raw.slice(1, -1).replaceAll("''", "'");
  return raw;
}

type RsqlNode = ReturnType<typeof parseRsql>;
const RSQL: Readonly<Record<string, NodeOp>> = {
  "==": "eq",
  "!=": "ne",
  "=lt=": "lt",
  "=le=": "lte",
  "=gt=": "gt",
  "=ge=": "gte",
  "=in=": "in",
  "=out=": "not_in",
};

export function readRsql(text: string): Node {
  return nodeOfRsql(parseRsql(text));
}

function nodeOfRsql(node: RsqlNode): Node {
  if (node.type === "LOGIC") {
    const parts = [nodeOfRsql(node.left as RsqlNode), nodeOfRsql(node.right as RsqlNode)];
    return node.operator === ";" || node.operator === "and" ? all(parts) : any(parts);
  }
  const { selector } = node.left as { selector: string };
  const { value } = node.right as { value: string | string[] };
  if (node.operator === "=isnull=") return leaf(selector, value === "true" ? "is_null" : "is_not_null");
  return leaf(selector, RSQL[node.operator]!, ...(Array.isArray(value) ? value : [value]));
}

interface SoqlCondition {
  readonly openParen?: number;
  readonly closeParen?: number;
  readonly field?: string;
  readonly operator?: string;
  readonly value?: string | string[];
  readonly literalType?: string;
}
interface SoqlWhere {
  readonly left: SoqlCondition | null;
  readonly operator?: string;
  readonly right?: SoqlWhere;
}
type SoqlToken = "(" | ")" | "AND" | "OR" | "NOT" | Node;

/** The parser gives a chain of conditions with counts of brackets. */
export function readSoql(text: string): Node {
  const tokens: SoqlToken[] = [];
  let where = parseQuery(`SELECT Id FROM Thing WHERE ${text}`).where as SoqlWhere | undefined;
  while (where) {
    const { left } = where;
    for (let open = left?.openParen ?? 0; open > 0; open -= 1) tokens.push("(");
    if (left?.field !== undefined) tokens.push(nodeOfSoql(left));
    for (let close = left?.closeParen ?? 0; close > 0; close -= 1) tokens.push(")");
    if (where.operator) tokens.push(where.operator as SoqlToken);
    where = where.right;
  }
  const node = readChain(tokens);
  if (tokens.length > 0) throw new Error(`Something is left of ${text}`);
  return node;
}

/** Salesforce refuses AND beside OR without brackets; so does this. */
function readChain(tokens: SoqlToken[]): Node {
  const parts = [readSoqlUnit(tokens)];
  const sign = tokens[0];
  while (tokens[0] === "AND" || tokens[0] === "OR") {
    if (tokens.shift() !== sign) throw new Error("AND beside OR without brackets");
    parts.push(readSoqlUnit(tokens));
  }
  return parts.length === 1 ? parts[0]! : sign === "AND" ? all(parts) : any(parts);
}

function readSoqlUnit(tokens: SoqlToken[]): Node {
  const token = tokens.shift();
  if (token === "NOT") return not(readSoqlUnit(tokens));
  if (token === "(") {
    const inside = readChain(tokens);
    if (tokens.shift() !== ")") throw new Error("A bracket is missing");
    return inside;
  }
  if (typeof token !== "object") throw new Error(`No condition: ${token}`);
  return token;
}

const SOQL: Readonly<Record<string, NodeOp>> = {
  "=": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
  IN: "in",
  "NOT IN": "not_in",
};

function nodeOfSoql({ field = "", operator = "", value = "", literalType }: SoqlCondition): Node {
  if (literalType === "NULL") return leaf(field, operator === "=" ? "is_null" : "is_not_null");
  const values = (Array.isArray(value) ? value : [value]).map((one) =>
    one.startsWith("'") ? one.slice(1, -1) : one.replace(/^(TRUE|FALSE)$/, (word) => word.toLowerCase()),
  );
  if (operator === "LIKE") {
    const pattern = /^%((?:[^%_\\]|\\.)*)%$/s.exec(values[0]!);
    if (!pattern) throw new Error(`No pattern of a part: ${values[0]}`);
    return leaf(field, "contains", unescapeText(pattern[1]!));
  }
  return leaf(field, SOQL[operator]!, ...values.map(unescapeText));
}

interface LuceneNode {
  readonly left?: LuceneNode;
  readonly operator?: string;
  readonly right?: LuceneNode;
  readonly start?: string;
  readonly field?: string;
  readonly term?: string;
  readonly quoted?: boolean;
  readonly term_min?: string;
  readonly term_max?: string;
  readonly inclusive?: string;
}

export function readLucene(text: string): Node {
  return nodeOfLucene(lucene.parse(text) as LuceneNode);
}

function nodeOfLucene(node: LuceneNode): Node {
  if (node.start !== undefined) throw new Error(`A negation alone matches nothing: ${node.start}`);
  if (node.left !== undefined) {
    if (node.right === undefined) return nodeOfLucene(node.left);
    if (node.field !== undefined && node.field !== "<implicit>") return leaf(node.field, "in", ...listOf(node));
    const [left, right] = [nodeOfLucene(node.left), nodeOfLucene(node.right)];
    if (node.operator === "AND") return all([left, right]);
    if (node.operator === "OR") return any([left, right]);
    if (node.operator === "AND NOT") return all([left, not(right)]);
    throw new Error(`No operator ${node.operator}`);
  }
  const { field = "", term = "" } = node;
  if (field === "*" && term === "*") return all([]);
  if (field === "_exists_") return leaf(term, "is_not_null");
  if (node.term_min !== undefined) {
    const isInclusive = node.inclusive === "both";
    return node.term_min === "*"
      ? leaf(field, isInclusive ? "lte" : "lt", node.term_max!)
      : leaf(field, isInclusive ? "gte" : "gt", node.term_min);
  }
  if (node.quoted) return leaf(field, "eq", unescapeText(term));
  const part = /^\*((?:[^*?\\]|\\.)+)\*$/s.exec(term);
  if (!part) throw new Error(`No pattern of a part: ${term}`);
  return leaf(field, "contains", unescapeText(part[1]!));
}

function listOf(node: LuceneNode): string[] {
  if (node.left === undefined) return [unescapeText(node.term!)];
  return [node.left, ...(node.right ? [node.right] : [])].flatMap(listOf);
}
