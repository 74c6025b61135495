import { ToolError } from "../../model/errors.ts";
import type { Json } from "../../model/json.ts";
import type { Entity } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";
import { lookUp } from "./look-up.ts";
import type { MatchAlias } from "./match-alias.ts";
import type { Candidate } from "./read-candidates.ts";

/** What a text of a caller stands for. */
export type Identity =
  | { readonly kind: "one"; readonly id: string }
  | { readonly kind: "none" }
  | { readonly kind: "several"; readonly candidates: readonly Candidate[] };

/** Longer than any address that names a thing: such a text is no alias. */
const LONGEST = 2_048;

/**
 * The identifier that a text stands for, by the first alias whose pattern fits the whole of it; the text itself where none does. `asking` is that
 * of the tool's call. Throws what looking up does.
 */
export async function resolveIdentifier(
  text: string,
  { aliases }: Entity,
  match: MatchAlias,
  asking: Omit<Asking, "roots" | "wire">,
): Promise<Identity> {
  const written = text.trim();
  for (const alias of written.length > LONGEST ? [] : aliases) {
    const captures = match(alias.pattern, written);
    if (captures === undefined) continue;
    const roots: Roots = { input: {}, pins: asking.access.pins, captures };
    if (alias.kind === "rewrite") {
      const id = rewrite(alias.to, roots);
      // A group that took no part in the match has nothing to tell.
      if (id !== undefined) return { kind: "one", id };
      continue;
    }
    // How a tool explains its own failures says nothing of another operation's.
    const tool = { ...asking.tool, errors: [] };
    return judge(await lookUp(alias, written, { ...asking, tool, roots, wire: roots, reach: () => {} }));
  }
  return { kind: "one", id: text };
}

function rewrite(to: Value, roots: Roots): string | undefined {
  try {
    return textOf(evaluateValue(to, roots));
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function textOf(value: Json): string | undefined {
  return value === null || value === "" || typeof value === "object" ? undefined : String(value);
}

function judge(candidates: readonly Candidate[]): Identity {
  const [first, second] = candidates;
  if (first === undefined) return { kind: "none" };
  return second === undefined ? { kind: "one", id: first.id } : { kind: "several", candidates };
}
