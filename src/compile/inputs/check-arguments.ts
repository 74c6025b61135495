import { valueRoots } from "../../curation/expression.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { Input } from "../../model/tool.ts";
import { hintFor, type Report } from "../open-report.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import type { Target } from "../places/request-places.ts";
import { refuseLiteral } from "../places/wire-type.ts";
import { checkMixing } from "./check-mixing.ts";
import type { Sent } from "./sent-value.ts";

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
    for (const { root, name } of valueRoots(value)) {
      if ((root !== "input" && root !== "pins") || name === undefined || known[root].includes(name)) continue;
      const [code, what] = root === "input" ? ["unknown_input", "input"] : ["unknown_pin", "pin"];
      report.add(
        "error",
        code!,
        at,
        `There is no ${what} \`${name}\`.`,
        hintFor(nearestNames(name, known[root]), known[root]),
      );
    }
    if (site.place.in !== "path") checkMixing(value, at, byName, report);
    const refused =
      value.kind === "literal" && !target.unchecked ? refuseLiteral(value.value, site, target.reader) : undefined;
    if (refused !== undefined) report.add("error", "bad_value", at, refused.message, refused.hint);
  }
}
