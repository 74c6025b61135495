import type { FieldType, Literal } from "../../model/filter.ts";
import {
  type CompareLeaf,
  capabilities,
  type Dialect,
  isText,
  type Leaf,
  ordered,
  TEXTS,
  templateOf,
} from "../dialect.ts";
import { leavesOf } from "../fit-groups.ts";
import { secondOfAKind } from "../write-parameters.ts";
import { fillTextTemplate } from "../write-template.ts";

const EQUAL: readonly FieldType[] = ["string", "integer", "boolean", "date", "enum"];
/** The qualifiers that `no:` knows. */
const MAY_BE_ABSENT = /^(label|milestone|assignee|project)$/;

/**
 * GitHub's search qualifiers, all of which hold. Of two positive ones of one name some are joined by OR, so that a second is refused; two bounds
 * become a range. `@me` and `@today` are variables, and what a quote or a backslash in quotes means differs by search. A negated qualifier
 * keeps what has no value.
 */
export const githubSearch: Dialect = {
  name: "github-search",
  capabilities: capabilities({
    eq: EQUAL,
    ne: EQUAL,
    ...ordered(["integer", "date", "date-time"]),
    is_null: TEXTS,
    is_not_null: TEXTS,
  }),
  groups: { shape: "all", depth: 1 },
  limits: { characters: 256 },
  nullOnNegation: "keep",
  fieldNames: /^[a-z][a-z-]*$/,
  insertion: "literal",
  takesControls: false,
  refuse: (leaf) =>
    leaf.kind === "null" && !MAY_BE_ABSENT.test(leaf.field.to)
      ? `github-search cannot ask whether there is a \`${leaf.field.name}\`.`
      : undefined,
  refuseValue: (value) => {
    if (!isText(value)) return undefined;
    if (/["\\]/.test(value.text)) return "github-search cannot write a quote or a backslash.";
    return /^[@*]/.test(value.text) ? "github-search would take this text for a variable." : undefined;
  },
  write: (clause) => ({ kind: "text", text: writeAll(leavesOf(clause).map(({ leaf }) => leaf)).join(" ") }),
};

function writeAll(leaves: readonly Leaf[]): string[] {
  return leaves.flatMap((leaf) => {
    const same = isPositive(leaf) ? leaves.filter((one) => isPositive(one) && one.field.to === leaf.field.to) : [leaf];
    if (same.length === 1) return [writeLeaf(leaf)];
    const lower = same.find(({ op }) => op === "gte");
    const upper = same.find(({ op }) => op === "lte");
    if (same.length > 2 || !lower || !upper || same.some((one) => templateOf(one) !== undefined))
      throw secondOfAKind(same[1]!);
    return leaf === same[0] ? [`${leaf.field.to}:${boundOf(lower)}..${boundOf(upper)}`] : [];
  });
}

function isPositive(leaf: Leaf): boolean {
  return leaf.op !== "ne" && leaf.kind !== "null";
}

function boundOf(leaf: Leaf): string {
  return (leaf as CompareLeaf).value.text;
}

const COMPARATORS: Readonly<Record<string, string>> = { eq: ":", lt: ":<", lte: ":<=", gt: ":>", gte: ":>=" };

function writeLeaf(leaf: Leaf): string {
  const { to } = leaf.field;
  const template = templateOf(leaf);
  if (template !== undefined) return fillTextTemplate(template, { leaf, word: leaf.op, literal });
  if (leaf.kind === "null") return `${leaf.op === "is_null" ? "" : "-"}no:${to}`;
  if (leaf.kind === "member") return `${to}:${leaf.values.map(literal).join(",")}`;
  return leaf.op === "ne" ? `-${to}:${literal(leaf.value)}` : `${to}${COMPARATORS[leaf.op]}${literal(leaf.value)}`;
}

/** Bare where nobody could read more into it, since some qualifiers, such as `repo`, do not take quotes. */
function literal(value: Literal): string {
  const isPlain = /^[A-Za-z0-9]([\w./-]*[A-Za-z0-9])?$/.test(value.text) && !value.text.includes("..");
  return isPlain || !isText(value) ? value.text : `"${value.text}"`;
}
