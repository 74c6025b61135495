import { capitalize } from "../../../model/capitalize.ts";
import type { Json } from "../../../model/json.ts";
import { escapeToken } from "../../../model/json-pointer.ts";
import { cutText } from "../../cut-text.ts";
import type { Change } from "../change.ts";
import { type ChangeRuleId, findChangeRule } from "../change-rules.ts";

/** Where in a manifest: a tool as callers see it (null: the server), and a JSON pointer from there. */
export interface Spot {
  readonly tool: string | null;
  readonly path: string;
}

const LONGEST_SHOWN = 160;

export function into({ tool, path }: Spot, ...keys: readonly string[]): Spot {
  const steps = keys.map((key) => `/${escapeToken(key)}`);
  return { tool, path: `${path}${steps.join("")}` };
}

/** `what` is what changed, as the subject of a sentence: `the maximum of limit`. Undefined: there was or is none. */
export function change(rule: ChangeRuleId, spot: Spot, before: unknown, after: unknown, what: string): Change {
  return changeSaying(rule, spot, before, after, `${capitalize(what)} ${told(before, after)}.`);
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
  return cutText(JSON.stringify(value) ?? "nothing", LONGEST_SHOWN);
}
