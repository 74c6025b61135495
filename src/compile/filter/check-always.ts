import type { FilterEntry } from "../../curation/format.ts";
import { joinAlways } from "../../filter/join-always.ts";
import { sampleCondition } from "../../filter/offer-ops.ts";
import { NotExpressible } from "../../filter/refusal.ts";
import { writeFilter } from "../../filter/write-filter.ts";
import { type Condition, FILTER_OPS, type FilterField, type FilterTarget } from "../../model/filter.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Input } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { checkNames } from "../inputs/check-arguments.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import { readAlways, readAlwaysKey } from "./read-always.ts";
import { sampleValue } from "./sample-value.ts";

interface Conditions {
  /** Undefined where nothing can be written in the language, which was reported. */
  readonly target: FilterTarget | undefined;
  readonly fields: readonly FilterField[];
  /** Names of fields of which something was found wrong before. */
  readonly faulty: ReadonlySet<string>;
  readonly inputs: readonly Input[];
  readonly pins: readonly PinPlan[];
}

/**
 * What in `always` could never be sent: each condition is written with a value such as a call may give, then all together, then beside one of a
 * caller's. `at` is the path of `filter`.
 */
export function checkAlways(entry: FilterEntry, at: EntryPath, known: Conditions, report: Report): void {
  const samples = readAlways(entry).map(([key, value]) =>
    readSample(key, value, entry, [...at, "always", key], known, report),
  );
  const sound = samples.filter((one) => one !== undefined);
  const all = Object.fromEntries(sound.filter(([, value]) => value !== null));
  if (sound.length < samples.length || Object.keys(all).length === 0) return;
  const together = explain(all, known);
  if (together !== undefined) {
    const hint =
      "The language must be able to say AND; write a template for it, or send one of the conditions by `args`.";
    report.add("error", "filter_not_expressible", [...at, "always"], together, hint);
  } else if (entry.hidden !== true) checkBeside(all, [...at, "always"], known, report);
}

/** A condition with a value such as a call may give; undefined, and mostly a finding, where it can have none. */
function readSample(
  key: string,
  value: Value,
  entry: FilterEntry,
  at: EntryPath,
  known: Conditions,
  report: Report,
): readonly [key: string, sample: Json] | undefined {
  const { fields, faulty, inputs, pins } = known;
  checkNames(value, at, { input: inputs.map(({ name }) => name), pins: pins.map(({ name }) => name) }, report);
  const { name, op } = readAlwaysKey(key, entry);
  const field = fields.find((one) => one.name === name);
  if (isMisspelt(key, entry, fields, at, report) || faulty.has(name)) return undefined;
  if (isJsonObject(entry.always?.[key])) {
    const hint = "Write a value, or a list of which one has to hold; an operator stands in the key: created.gte.";
    report.add("error", "bad_value", at, "A condition has no mapping as its value.", hint);
    return undefined;
  }
  const sample = sampleValue(value, { field, op, inputs, pins });
  const reason = explain({ [key]: sample }, known);
  if (reason === undefined) return [key, sample];
  report.add("error", "filter_not_expressible", at, reason, HINT);
  return undefined;
}

/** A caller's conditions are joined with these: there must be some that can be. */
function checkBeside(all: JsonObject, at: EntryPath, known: Conditions, report: Report): void {
  const callers = known.fields.flatMap((field) => (field.ops ?? []).map((op) => sampleCondition(field, op)));
  const reasons = callers.map((caller) => explain(all, known, caller));
  const [reason] = reasons;
  if (reason === undefined || reasons.includes(undefined)) return;
  const message = `No condition of a caller can stand beside \`always\`: ${reason}`;
  report.add("error", "filter_not_expressible", at, message, "Set `hidden: true`, or let the language say AND.");
}

const HINT =
  "Give the field its `type` under `fields`, write its operator as a template, or send the condition through `args`.";

/** `created.gteq`: with the field there and something like an operator behind it, the whole is hardly a field's name. */
function isMisspelt(
  key: string,
  entry: FilterEntry,
  fields: readonly FilterField[],
  at: EntryPath,
  report: Report,
): boolean {
  const { op } = readAlwaysKey(key, entry);
  const dot = key.lastIndexOf(".");
  const has = (name: string) => fields.some((field) => field.name === name);
  if (op !== undefined || dot <= 0 || has(key) || !has(key.slice(0, dot))) return false;
  const word = key.slice(dot + 1);
  const near = nearestNames(word, FILTER_OPS);
  if (near.length === 0) return false;
  report.add("error", "unknown_operator", at, `There is no operator \`${word}\`.`, hintFor(near, FILTER_OPS));
  return true;
}

/** Why conditions cannot be written; undefined where they can. */
function explain(always: JsonObject, { fields, target }: Conditions, caller?: Condition): string | undefined {
  const byName = new Map(fields.map((field) => [field.name, field]));
  // Forms belong to running; here it is enough that there is a value in the upstream's form.
  const convert = ({ as }: FilterField) => ({ value: as?.as === "date" ? "2026-01-31" : 1 });
  try {
    const condition = joinAlways(always, caller, { fields: byName, convert });
    if (condition !== undefined && target !== undefined) writeFilter(condition, target);
    return undefined;
  } catch (error) {
    if (error instanceof NotExpressible) return error.message;
    throw error;
  }
}
