import { nearestNames } from "../model/nearest.ts";
import { type Ast, childrenOf, type ExpressionFault, fault } from "./parse-jmespath.ts";

export const ROOT_NAMES = ["input", "pins", "steps", "item", "captures", "env", "key"] as const;
export type RootName = (typeof ROOT_NAMES)[number];
/** The roots that an expression may read. */
export type Roots = readonly RootName[];
/** What an expression's bare names are read from: the roots themselves, or data (a body, a row). `$` is always the roots. */
export type CurrentNode = "roots" | "data";

/** One thing read below a root; without `name` the whole of it, or a part whose name only a call tells. */
export interface RootRead {
  readonly root: RootName;
  readonly name?: string;
}

/** Names from the roots to a value, `[]` for the roots themselves; undefined for data. */
type Origin = readonly string[] | undefined;

interface Walk {
  readonly allowed: Roots;
  readonly reads: Map<string, RootRead>;
  readonly faults: ExpressionFault[];
}

/** What an expression reads below the roots, however it writes it (`input.x`, `$.input.x`, through `let`), and which of it it may not. */
export function readRoots(
  ast: Ast,
  current: CurrentNode,
  allowed: Roots,
): { reads: RootRead[]; faults: ExpressionFault[] } {
  const walk: Walk = { allowed, reads: new Map(), faults: [] };
  take(visit(ast, current === "roots" ? [] : undefined, new Map(), walk), walk);
  return { reads: [...walk.reads.values()], faults: walk.faults };
}

type Scope = ReadonlyMap<string, Origin>;

function visit(node: Ast, current: Origin, scope: Scope, walk: Walk): Origin {
  const use = (child: Ast, from: Origin) => take(visit(child, from, scope, walk), walk);
  switch (node.type) {
    case "Root":
      return [];
    case "Current":
    case "Identity":
      return current;
    case "Field":
      return enter(node.name, current, walk);
    case "Subexpression":
    case "Pipe":
      return visit(node.right, visit(node.left, current, scope, walk), scope, walk);
    case "IndexExpression":
      return use(node.left, current);
    case "Projection":
    case "ValueProjection":
      use(node.left, current);
      return use(node.right, undefined);
    case "FilterProjection":
      use(node.left, current);
      use(node.condition, undefined);
      return use(node.right, undefined);
    case "ExpressionReference":
      return use(node.child, undefined);
    case "LetExpression": {
      const inner = new Map(scope);
      for (const { variable, reference } of node.bindings) inner.set(variable, visit(reference, current, scope, walk));
      return visit(node.expression, current, inner, walk);
    }
    case "Variable":
      if (!scope.has(node.name)) walk.faults.push(unbound(node.name));
      return scope.get(node.name);
    case "MultiSelectHash":
      for (const pair of node.children) use(pair.value, current);
      return undefined;
    default:
      for (const child of childrenOf(node)) use(child, current);
      return undefined;
  }
}

function enter(name: string, from: Origin, walk: Walk): Origin {
  if (from === undefined) return undefined;
  if (from.length === 0) {
    const refusal = refuseRoot(name, walk.allowed);
    if (refusal === undefined) return [name];
    walk.faults.push(refusal);
    return undefined;
  }
  if (from.length === 1) note({ root: from[0] as RootName, name }, walk);
  return [...from, name];
}

/** A value is used whole where it stands. */
function take(origin: Origin, walk: Walk): undefined {
  if (origin?.length === 1) note({ root: origin[0] as RootName }, walk);
  if (origin?.length === 0)
    walk.faults.push(
      fault("forbidden_root", "The roots cannot be taken as a whole.", "Name one of them, for example $.input."),
    );
}

function note(read: RootRead, walk: Walk): void {
  walk.reads.set(`${read.root}.${read.name ?? ""}`, read);
}

function refuseRoot(name: string, allowed: Roots): ExpressionFault | undefined {
  if (allowed.some((root) => root === name)) return undefined;
  const may = allowed.length === 0 ? "No root may be read here" : `Here one may read ${allowed.join(", ")}`;
  if (name === "env" || name === "key")
    return fault(
      "forbidden_root",
      `\`${name}\` may be read under \`api\` and \`pins\` only.`,
      `Make it a pin and read \`pins.NAME\`.`,
    );
  if (ROOT_NAMES.some((root) => root === name))
    return fault("forbidden_root", `\`${name}\` cannot be read here.`, `${may}.`);
  const [nearest] = nearestNames(name, allowed, 1);
  const hint = nearest === undefined ? `${may}.` : `Did you mean \`${nearest}\`?`;
  return fault("unknown_root", `\`${name}\` is not one of the roots.`, hint);
}

function unbound(name: string): ExpressionFault {
  const root = ROOT_NAMES.some((one) => one === name);
  const hint = root ? `Write \`$.${name}\`.` : `Bind it: let $${name} = … in ….`;
  return fault("bad_expression", `The variable \`$${name}\` is not bound.`, hint);
}
