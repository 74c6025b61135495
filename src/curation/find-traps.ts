import { getRegisteredFunctions, TreeInterpreter } from "@jmespath-community/jmespath";
import { nearestNames } from "../model/nearest.ts";
import { type Ast, childrenOf, type ExpressionFault, fault } from "./parse-jmespath.ts";

/** What parses as JMESPath, yet cannot mean what its author wants: it would answer null or fail on every call. */
export function findTraps(ast: Ast, text: string): ExpressionFault[] {
  const bare = text.replace(/'[^']*'|"[^"]*"|`[^`]*`/g, (quoted) => " ".repeat(quoted.length));
  return [...dashedName(bare), ...walk(ast, undefined)];
}

/** The lexer reads `created-at` as a subtraction, and `3-1` as `3`. */
function dashedName(bare: string): ExpressionFault[] {
  const name = /[A-Za-z_]\w*-[A-Za-z_]\w*/.exec(bare)?.[0];
  if (name !== undefined)
    return [
      trap(
        `\`${name}\` is read as a subtraction.`,
        `Write "${name}" in quotes for a name, or spaces around the minus.`,
      ),
    ];
  return /\d-\d/.test(bare) ? [trap("Numbers cannot be subtracted here.", "Write the number that you mean.")] : [];
}

function walk(node: Ast, parent: Ast | undefined): ExpressionFault[] {
  const own = [negatedHead, bareWord, badFunction, strayReference, strayBinding].flatMap((find) => find(node, parent));
  return [...own, ...childrenOf(node).flatMap((child) => walk(child, node))];
}

function trap(message: string, hint: string): ExpressionFault {
  return fault("bad_expression", message, hint);
}

/** `!` binds closer than `.` and `[`, so `!a.b` is `(!a).b`. */
function negatedHead(node: Ast): ExpressionFault[] {
  const head = "left" in node ? node.left : node.type === "Flatten" ? node.child : undefined;
  const reachesInto = [
    "Subexpression",
    "IndexExpression",
    "Projection",
    "ValueProjection",
    "FilterProjection",
    "Flatten",
  ];
  if (head?.type !== "NotExpression" || !reachesInto.includes(node.type)) return [];
  const name = head.child.type === "Field" ? head.child.name : "a";
  return [trap(`\`!${name}.…\` is read as \`(!${name}).…\`, which is always null.`, `Write \`!(${name}.…)\`.`)];
}

const WORDS = new Set(["true", "false", "null"]);

function bareWord(node: Ast): ExpressionFault[] {
  if (node.type !== "Comparator") return [];
  return [node.left, node.right].flatMap((side) => {
    if (side.type !== "Field" || !WORDS.has(side.name)) return [];
    return [trap(`\`${side.name}\` is read as the name of a property.`, `Write \`${side.name}\` in backticks.`)];
  });
}

const FUNCTIONS = new Set(getRegisteredFunctions());

function badFunction(node: Ast): ExpressionFault[] {
  if (node.type !== "Function") return [];
  const { name, children } = node;
  if (!FUNCTIONS.has(name)) {
    const [nearest] = nearestNames(name, FUNCTIONS, 1);
    const hint =
      nearest === undefined ? `Functions: ${[...FUNCTIONS].sort().join(", ")}.` : `Did you mean \`${nearest}\`?`;
    return [fault("unknown_function", `There is no function \`${name}\`.`, hint)];
  }
  const signature = TreeInterpreter.runtime._functionTable[name]?._signature ?? [];
  const least = signature.filter((one) => one.optional !== true).length;
  const most = signature.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : signature.length;
  if (children.length >= least && children.length <= most) return [];
  const takes =
    least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
  return [
    trap(
      `\`${name}\` takes ${takes} ${most === 1 ? "argument" : "arguments"}, not ${children.length}.`,
      `Give it ${takes}.`,
    ),
  ];
}

function strayReference(node: Ast, parent: Ast | undefined): ExpressionFault[] {
  if (node.type !== "ExpressionReference" || parent?.type === "Function") return [];
  return [trap("`&` may stand only before an argument of a function.", "Write it as in `sort_by(rows, &cost)`.")];
}

/** The parser takes `=` anywhere, and anything between `let` and `in`. */
function strayBinding(node: Ast, parent: Ast | undefined): ExpressionFault[] {
  const isBinding = node.type === "Binding";
  const belongs = parent?.type === "LetExpression" && parent.expression !== node;
  return isBinding === belongs
    ? []
    : [trap("`=` binds a variable after `let` only.", "Write == to compare, or let $a = … in ….")];
}
