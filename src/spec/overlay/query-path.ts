import { FunctionExpressionType, JSONPathEnvironment, JSONPathQuery, Nothing } from "json-p3";
import { RE2JS } from "re2js";
import type { Json } from "../../model/json.ts";
import { MAX_DEPTH } from "../check-bounds.ts";

/** A node that a query found: its steps from the root, and its value. */
export interface Found {
  readonly path: readonly (string | number)[];
  readonly value: Json;
}

export interface Query {
  /** In the order of the document. Throws where the document is too large for it. */
  find(root: Json): readonly Found[];
  /** The last nodes that could be reached where `find` finds none. */
  reach(root: Json): readonly Found[];
}

/** Objects that one query may look through. */
const MOST_OBJECTS = 5_000_000;

/** Compiles a JSONPath (RFC 9535). Gives what is wrong with it as text. */
export function compileQuery(text: string): Query | { readonly fault: string } {
  try {
    const query = openEnvironment().compile(text);
    return { find: (root) => run(query, root), reach: (root) => reach(query, root) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

function openEnvironment(): JSONPathEnvironment {
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MAX_DEPTH + 100 });
  let looked = 0;
  environment.entries = (object) => {
    looked += 1;
    if (looked > MOST_OBJECTS) throw new RangeError("the document is too large for it");
    return Object.entries(object);
  };
  // RFC 9535 2.4.6 and 2.4.7; RE2 cannot be made to run for ever.
  environment.functionRegister.set(
    "match",
    patternFunction((pattern, text) => pattern.matches(text)),
  );
  environment.functionRegister.set(
    "search",
    patternFunction((pattern, text) => pattern.matcher(text).find()),
  );
  return environment;
}

function patternFunction(test: (pattern: RE2JS, text: string) => boolean) {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown): boolean {
      if (typeof text !== "string" || typeof pattern !== "string" || text === (Nothing as unknown)) return false;
      try {
        return test(RE2JS.compile(pattern), text);
      } catch {
        return false;
      }
    },
  };
}

function run(query: JSONPathQuery, root: Json): Found[] {
  const nodes = query.query(root as Parameters<JSONPathQuery["query"]>[0]).nodes;
  return nodes.map(({ location, value }) => ({ path: location, value: value as Json }));
}

function reach(query: JSONPathQuery, root: Json): Found[] {
  for (let length = query.segments.length - 1; length > 0; length--) {
    const found = run(new JSONPathQuery(query.environment, query.segments.slice(0, length)), root);
    if (found.length > 0) return found;
  }
  return [{ path: [], value: root }];
}
