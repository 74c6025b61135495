import { compile } from "@jmespath-community/jmespath";
import { ExpressionFailed } from "../../model/errors.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Expression } from "../../model/value.ts";

/** A node of the library's syntax tree. */
export type Node = ReturnType<typeof compile>;

export interface ParsedExpression {
  readonly node: Node;
  /** It makes values of its own, so that its result can be larger than what it reads. */
  readonly makes: boolean;
}

const MOST_CHARACTERS = 20_000;
const MOST_DEPTH = 250;
const MAKERS = new Set(["MultiSelectHash", "MultiSelectList", "Function", "LetExpression", "Literal"]);

/** The syntax tree of an expression, made once. Throws `ExpressionFailed` where it does not parse or is too deep. */
export const parseExpression = onceFor(({ jmespath }: Expression): ParsedExpression => {
  const node = parse(jmespath);
  return { node, makes: inspect(node) };
});

function parse(source: string): Node {
  if (source.length > MOST_CHARACTERS) throw new ExpressionFailed("The expression is too long.");
  try {
    return compile(source);
  } catch (error) {
    throw new ExpressionFailed("The expression does not parse.", { cause: error });
  }
}

/** Whether any node makes values. Walks without recursion, so that depth cannot hurt it. */
function inspect(root: Node): boolean {
  let makes = false;
  const open: { node: object; depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > MOST_DEPTH) throw new ExpressionFailed("The expression is nested too deep.");
    const type = (node as Partial<Node>).type;
    makes ||= type !== undefined && MAKERS.has(type);
    if (type === "Literal") continue;
    for (const inside of Object.values(node)) {
      if (typeof inside === "object" && inside !== null)
        open.push({ node: inside, depth: depth + (type === undefined ? 0 : 1) });
    }
  }
  return makes;
}
