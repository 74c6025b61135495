import type { FieldType, FilterField, FilterOp } from "../../model/filter.ts";
import type { Json } from "../../model/json.ts";
import type { Input } from "../../model/tool.ts";
import type { Form, Value, ValueType } from "../../model/value.ts";
import { wholeInput } from "../inputs/check-mixing.ts";
import type { PinPlan } from "../pins/plan-pins.ts";
import { wholePin } from "./read-always.ts";

export interface SampleContext {
  /** Undefined where the author does not name the field. */
  readonly field: FilterField | undefined;
  readonly op: FilterOp | undefined;
  readonly inputs: readonly Input[];
  readonly pins: readonly PinPlan[];
}

/** A value such as a call may give for a condition of `always`: what an input sends, a literal itself, else something of the field's type. */
export function sampleValue(value: Value, context: SampleContext): Json {
  const ofField = sampleOfField(context);
  switch (value.kind) {
    case "literal":
      return value.value;
    case "list":
      return value.items.map((item) => sampleValue(item, context));
    case "text":
    case "object":
      return ofField;
    case "expression": {
      const name = wholeInput(value.expression);
      const input = context.inputs.find((one) => one.name === name);
      const pin = context.pins.find((one) => one.name === wholePin(value));
      if (pin?.value.kind === "literal") return pin.value.value;
      return input === undefined ? ofField : sampleOfInput(input.type, input.form, ofField);
    }
    default:
      return value satisfies never;
  }
}

const OF_TYPES: Readonly<Record<FieldType, Json>> = {
  string: "abc",
  enum: "abc",
  integer: "1",
  decimal: "1",
  boolean: "true",
  date: "2026-01-31",
  "date-time": "2026-01-31T00:00:00Z",
};

function sampleOfField({ field, op }: SampleContext): Json {
  if (op === "is_null" || op === "is_not_null") return true;
  return field === undefined ? "abc" : (field.values?.[0]?.text ?? OF_TYPES[field.type]);
}

const OF_FORMS: Readonly<Record<Form["as"], Json>> = {
  unix: 1_769_817_600,
  "unix-ms": 1_769_817_600_000,
  date: "2026-01-31",
  minor: 100,
  csv: "abc,def",
};

/** As it is sent to the upstream; a free text may be any text that the field takes. */
function sampleOfInput(type: ValueType, form: Form | undefined, ofField: Json): Json {
  if (form !== undefined) return OF_FORMS[form.as];
  switch (type.kind) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "date":
      return OF_TYPES.date;
    case "date-time":
      return OF_TYPES["date-time"];
    case "enum":
      return type.values[0]?.wire ?? ofField;
    case "array":
      return [sampleOfInput(type.items, undefined, ofField)];
    case "string":
    case "object":
    case "map":
    case "json":
      return ofField;
    default:
      return type satisfies never;
  }
}
