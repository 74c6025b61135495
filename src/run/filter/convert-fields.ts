import type { Convert } from "../../filter/read-filter.ts";
import type { Json } from "../../model/json.ts";
import type { Form } from "../../model/value.ts";
import { type Converted, convertToForm } from "../arguments/convert-form.ts";
import { parseMoment } from "../arguments/parse-moment.ts";
import { evaluateValue, type Roots } from "../expressions/evaluate.ts";

/**
 * Brings the values of a filter into the forms of their fields. A moment that the form would cut, a part of a second sent as Unix seconds, is
 * refused: a bound that moves selects other rows.
 */
export function convertFields(wire: Roots): Convert {
  return ({ as }, value): Converted => {
    if (as === undefined) return { value };
    const lost = lostPart(as, value);
    if (lost !== undefined) return { fault: lost };
    return convertToForm(as, value, as.as === "minor" ? { unit: evaluateValue(as.unit, wire) } : {});
  };
}

const WHOLE: Readonly<Partial<Record<Form["as"], { readonly milliseconds: number; readonly unit: string }>>> = {
  "unix-ms": { milliseconds: 1, unit: "milliseconds" },
  unix: { milliseconds: 1_000, unit: "seconds" },
  date: { milliseconds: 86_400_000, unit: "days" },
};

function lostPart(form: Form, value: Json): string | undefined {
  const whole = WHOLE[form.as];
  const moment = typeof value === "string" ? parseMoment(value) : undefined;
  if (whole === undefined || typeof moment !== "object" || moment.kind === "day") return undefined;
  const isFiner = /\.\d{3}\d*[1-9]/.test(moment.text);
  return isFiner || moment.milliseconds % whole.milliseconds !== 0
    ? `the upstream takes whole ${whole.unit}`
    : undefined;
}
