import type { Json } from "../../../model/json.ts";
import type { Change } from "../change.ts";
import { type ChangeRuleId, findChangeRule } from "../change-rules.ts";

/** Where in a manifest: a tool as callers see it (null: the server), and a JSON pointer from there. */
export interface Spot {
  readonly tool: string | null;
  readonly path: string;
}

const LONGEST_SHOWN = 160;

export function into({ tool, path }: Spot, ...keys: readonly string[]): Spot {
  // RFC 6901, section 3.
  const steps = keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return { tool, path: `${path}${steps.join("")}` };
}

/** `what` is what changed, as the subject of a sentence: `the maximum of limit`. Undefined: there was or is none. */
export function change(rule: ChangeRuleId, spot: Spot, before: unknown, after: unknown, what: string): Change {
  return changeSaying(
    rule,
    spot,
    before,
    after,
    `${what.charAt(0).toUpperCase()}${what.slice(1)} ${told(before, after)}.`,
  );
}

export function changeSaying(rule: ChangeRuleId, spot: Spot, before: unknown, after: unknown, message: string): Change {
  return {
    rule,
    class: findChangeRule(rule)!.class,
    ...spot,
    before: (before ?? null) as Json,
    after: (after ?? null) as Json,
    message,
  };
}

function told(before: unknown, after: unknown): string {
  if (before === undefined) return `is new: ${show(after)}`;
  return after === undefined ? `is gone; it was ${show(before)}` : `was ${show(before)} and is ${show(after)}`;
}

/** A value as JSON, cut. */
export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
