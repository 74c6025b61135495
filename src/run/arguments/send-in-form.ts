import type { Json, JsonObject } from "../../model/json.ts";
import type { Input } from "../../model/tool.ts";
import { evaluateValue } from "../expressions/evaluate.ts";
import { exactDigits } from "../request/exact-number.ts";
import { type Converted, convertToForm } from "./convert-form.ts";
import { parseMoment } from "./parse-moment.ts";
import type { Argument } from "./reading.ts";
import { writeMoment } from "./write-moment.ts";

/** What the unit of a `minor` input may be made of. */
export interface FormRoots {
  readonly input: JsonObject;
  readonly pins: JsonObject;
}

/** An argument as the upstream gets it: in the input's form, an end as the upstream reads ends, else as it was read. */
export function sendInForm(input: Input, argument: Argument, roots: FormRoots): Converted {
  const { form, end } = input;
  if (form?.as === "csv" && isLeftOut(input, argument)) return { value: null };
  if (form && !(argument.wire === "" && input.type.empty)) {
    const unit = form.as === "minor" ? evaluateValue(form.unit, roots) : undefined;
    return convertToForm(form, argument.caller, { ...(unit !== undefined && { unit }), ...(end && { end }) });
  }
  const { kind } = input.type;
  // What is known to be a number becomes one again in its place; free-form data would stay a text.
  if (kind === "json") return { value: argument.wire };
  if (!end || (kind !== "date" && kind !== "date-time")) return { value: exactDigits(argument.wire) ?? argument.wire };
  return { value: sendEnd(argument, kind, end) };
}

/** As a list that is sent as a list: beside the path and the body one without items is not sent at all. */
function isLeftOut({ place, required }: Input, { caller }: Argument): boolean {
  return !required && Array.isArray(caller) && caller.length === 0 && BESIDE.has(place?.in);
}

const BESIDE: ReadonlySet<string | undefined> = new Set(["query", "header", "cookie"]);

function sendEnd({ caller, wire }: Argument, as: "date" | "date-time", end: "inclusive" | "exclusive"): Json {
  const moment = typeof caller === "string" ? parseMoment(caller) : "no_moment";
  return typeof moment === "string" ? wire : writeMoment(moment, { as, end });
}
