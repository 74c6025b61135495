import { compile, tokenize } from "@jmespath-community/jmespath";
import { rememberBounded } from "../model/remember.ts";
import { endOfQuote, isQuote } from "./find-expressions.ts";

export type Ast = ReturnType<typeof compile>;

/** What is wrong with an expression. */
export interface ExpressionFault {
  readonly code: "bad_expression" | "unknown_function" | "unknown_root" | "forbidden_root";
  readonly message: string;
  readonly hint: string;
  /** Where inside the value that was given; empty for a text. */
  readonly path: readonly (string | number)[];
}

const LONGEST = 4_000;
const MOST_TOKENS = 800;
const DEEPEST = 100;

export function fault(code: ExpressionFault["code"], message: string, hint: string): ExpressionFault {
  return { code, message, hint, path: [] };
}

/** Expressions that are remembered: a curation has the same few in many tools, and each is asked about several times. */
const MOST_KNOWN = 1_000;

/** Parses JMESPath. What it gives is shared, and not to be changed. */
export const parseJmespath: (text: string) => Ast | ExpressionFault = rememberBounded(MOST_KNOWN, parse);

/** The library's parser recurses and lets open quotes pass, so both are looked at first. */
function parse(text: string): Ast | ExpressionFault {
  const bad = (why: string, hint: string) => fault("bad_expression", `\`${shorten(text)}\` ${why}.`, hint);
  if (text.trim() === "") return bad("is empty", "Write a path, for example items[].id.");
  if (text.length > LONGEST)
    return bad(`is longer than ${LONGEST} characters`, "Take it apart into smaller expressions.");
  const bare = withoutQuoted(text);
  if (bare === undefined) return bad("has a quote that is not closed", "Close it: 'text', \"name\" or `literal`.");
  try {
    // No text has more tokens than characters, but for one at its end.
    if (text.length >= MOST_TOKENS && tokenize(text).length > MOST_TOKENS)
      return bad("is too long", "Take it apart into smaller expressions.");
    const ast = compile(text);
    if (depthOf(ast) > DEEPEST) return bad("is nested too deep", "Take it apart into smaller expressions.");
    return ast;
  } catch (error) {
    const reason = plainReason(error);
    return bad(`is not JMESPath: ${reason}`, hintFor(bare, reason));
  }
}

export function isExpressionFault(parsed: object): parsed is ExpressionFault {
  return "hint" in parsed;
}

/** The nodes right below a node. */
export function childrenOf(node: Ast): Ast[] {
  return Object.values(node).flatMap((part: unknown) => {
    if (node.type === "Literal") return [];
    return (Array.isArray(part) ? part : [part]).filter(isNode);
  });
}

function isNode(part: unknown): part is Ast {
  return typeof part === "object" && part !== null && "type" in part;
}

function depthOf(node: Ast): number {
  return 1 + Math.max(0, ...childrenOf(node).map(depthOf));
}

/** The text with what stands in quotes blanked; undefined where a quote is not closed. */
function withoutQuoted(text: string): string | undefined {
  let bare = "";
  for (let at = 0; at < text.length; at += 1) {
    if (!isQuote(text[at]!)) {
      bare += text[at];
      continue;
    }
    const end = endOfQuote(text, at);
    if (end === undefined) return undefined;
    bare += " ".repeat(end - at + 1);
    at = end;
  }
  return bare;
}

const OUT_OF_PLACE = [
  /unexpected token type: (?<type>\w+), value: (?<text>.*)/,
  /invalid token \((?<type>\w+)\): "(?<text>.*)"/,
  /unexpected token: (?<text>.*)\((?<type>\w+)\)/,
  /expected \w+, got: (?<type>\w+)/,
];

const TOO_EARLY = "it ends too early";

/** The library names its own token types, which no author knows. */
function plainReason(error: unknown): string {
  const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const groups = OUT_OF_PLACE.map((pattern) => pattern.exec(message)?.groups).find((found) => found !== undefined);
  if (error instanceof TypeError || error instanceof RangeError || groups?.type === "EOF") return TOO_EARLY;
  if (groups !== undefined) return `${groups.text ? `\`${groups.text}\`` : "something"} is out of place`;
  return message.replace(/^Syntax error[:,] ?/i, "").replace("expecting", "it needs");
}

const HINTS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/\$\{/, "This key takes an expression bare: leave out ${ and }."],
  [/(^|[\s=<>!(,:&|+*/-])-?\d/, "Write a number in backticks, for example `1`."],
  [/(^|[^=!<>])=($|[^=])/, "Write == to compare."],
  [/(^|\W)(and|or|not)(\W|$)/, "Write &&, || and !."],
];

function hintFor(bare: string, reason: string): string {
  if (reason === TOO_EARLY) return "Close what is open, for example items[].id.";
  return (
    HINTS.find(([pattern]) => pattern.test(bare))?.[1] ??
    "Names with other characters stand in \"…\", texts in '…', numbers in backticks."
  );
}

export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
