import { parseUnit, ROOTS, valueRoots } from "../../curation/expression.ts";
import type { ToolEntry } from "../../curation/format.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Input } from "../../model/tool.ts";
import type { Value } from "../../model/value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import type { Target } from "../places/request-places.ts";
import { refuseLiteral } from "../places/wire-type.ts";
import { checkMixing } from "./check-mixing.ts";
import type { Sent } from "./sent-value.ts";

interface KnownNames {
  readonly input: readonly string[];
  readonly pins: readonly string[];
}

/** Names that no input or pin has, free text beside other text, and literals that the spec does not allow. */
export function checkArguments(
  sent: readonly Sent[],
  inputs: readonly Input[],
  pins: readonly PinPlan[],
  target: Target,
  report: Report,
): void {
  const byName = new Map(inputs.map((input) => [input.name, input]));
  const known = { input: [...byName.keys()], pins: pins.map(({ name }) => name) };
  for (const { at, site, value } of sent) {
    checkNames(value, at, known, report);
    if (site.place.in !== "path") checkMixing(value, at, byName, report);
    const refused =
      value.kind === "literal" && !target.unchecked ? refuseLiteral(value.value, site, target.reader) : undefined;
    if (refused !== undefined) report.add("error", "bad_value", at, refused.message, refused.hint);
  }
}

/** Names in the unit of an input, which is read before anything is sent. */
export function checkUnits(tool: ToolEntry, at: EntryPath, pins: readonly PinPlan[], report: Report): void {
  const inputs = Object.keys(tool.input ?? {}).map((name) => ({ name }));
  for (const [name, { unit }] of Object.entries(tool.input ?? {}))
    if (unit !== undefined) checkUnit(unit, [...at, "input", name, "unit"], inputs, pins, report);
}

/** Names in a unit that is read before anything is sent. */
export function checkUnit(
  unit: string,
  at: EntryPath,
  inputs: readonly Pick<Input, "name">[],
  pins: readonly PinPlan[],
  report: Report,
): void {
  const known = { input: inputs.map(({ name }) => name), pins: pins.map(({ name }) => name) };
  const { value } = parseUnit(unit, ROOTS.call, "roots");
  if (value !== undefined) checkNames(value, at, known, report);
}

/** Names of inputs and pins that there are not. */
export function checkNames(value: Value, at: EntryPath, known: KnownNames, report: Report): void {
  for (const { root, name } of valueRoots(value)) {
    if ((root !== "input" && root !== "pins") || name === undefined || known[root].includes(name)) continue;
    const [code, what] = root === "input" ? (["unknown_input", "input"] as const) : (["unknown_pin", "pin"] as const);
    const hint = hintFor(nearestNames(name, known[root]), known[root]) ?? `There is no ${what} at all.`;
    report.add("error", code, at, `There is no ${what} \`${name}\`.`, hint);
  }
}
