import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { Path } from "../finding.ts";
import type { Refuse } from "./write-expression.ts";

/** What a step here does by itself: any answer but a success ends the tool. */
const SUCCESS = /^\s*\$statusCode\s*(==\s*2\d\d|>=\s*200|<\s*300|<=\s*299)\s*$/;

const SUCCESS_PATTERN = /^\^?2(\d\d|\\d\\d|\.\.)\$?$/;

/** Conditions and actions that steps do not know: followed silently they would change what the workflow does, so each is a finding. */
export function checkCriteria(step: JsonObject, at: Path, isLast: boolean, refuse: Refuse): void {
  for (const [index, raw] of listOf(step.successCriteria).entries()) {
    const criterion = isJsonObject(raw) ? raw : {};
    if (saysSuccess(criterion)) continue;
    const { condition = "" } = criterion;
    const here = [...at, "successCriteria", index];
    const shown = typeof condition === "string" ? condition : JSON.stringify(condition);
    const message = `The criterion \`${shown.slice(0, 80)}\` has no counterpart: a step succeeds with any 2xx answer.`;
    refuse(
      "arazzo_unsupported",
      here,
      message,
      "Take it out, and let the steps after it say `when` in a curation of your own.",
    );
  }
  checkActions(step.onFailure, [...at, "onFailure"], "failure", isLast, refuse);
  checkActions(step.onSuccess, [...at, "onSuccess"], "success", isLast, refuse);
}

function saysSuccess({ type = "simple", condition, context }: JsonObject): boolean {
  if (typeof condition !== "string") return false;
  if (type === "regex") return context === "$statusCode" && SUCCESS_PATTERN.test(condition);
  return type === "simple" && condition.split(/&&|\|\|/).every((one) => SUCCESS.test(one));
}

/** What a step does next is fixed: the one below it, and after a failure nothing. */
export function checkActions(
  actions: Json | undefined,
  at: Path,
  on: "success" | "failure",
  isLast: boolean,
  refuse: Refuse,
): void {
  for (const [index, action] of listOf(actions).entries()) {
    if (isPlainEnd(action) && (on === "failure" || isLast)) continue;
    const message = on === "failure" ? "A step that fails ends the tool." : "Steps do not jump: the next one follows.";
    const hint = on === "failure" ? "Take the action out; `api.retries` sends reads again." : "Take the action out.";
    refuse("arazzo_unsupported", [...at, index], message, hint);
  }
}

function isPlainEnd(action: Json): boolean {
  return isJsonObject(action) && action.type === "end" && listOf(action.criteria).length === 0;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
