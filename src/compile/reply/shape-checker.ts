import { parseValue, ROOTS } from "../../curation/expression.ts";
import type { Api } from "../../model/api.ts";
import type { Json } from "../../model/json.ts";
import type { Schema } from "../../model/schema.ts";
import type { Expression, Value } from "../../model/value.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import type { Miss } from "../expressions/infer-step.ts";
import { ANY, objectOf, STRING, tupleOf, typeOfLiteral } from "../expressions/type-algebra.ts";
import type { TypeRoots } from "../expressions/type-roots.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";

/** Types the expressions of one tool and reports their misses. */
export interface ShapeChecker {
  readonly api: Api;
  readonly report: Report;
  readonly roots: TypeRoots;
  /** A bare expression over `current`, which messages call `label`. */
  typeOf(expression: Expression, at: EntryPath, current: Schema, label: string): Schema;
  /** What a bare expression gives once its misspelt names are the nearest ones; undefined where that mends it not. */
  meantType(expression: Expression, current: Schema): Schema | undefined;
  /** A value with `${…}` over the roots, as written. */
  readValue(raw: Json, at: EntryPath): { readonly value: Value; readonly type: Schema };
  /** The same of one that was read. */
  typeOfValue(value: Value, at: EntryPath): Schema;
}

const CODES: Readonly<Record<Miss["kind"], string>> = {
  path: "path_not_in_spec",
  input: "unknown_input",
  pin: "unknown_pin",
  step: "unknown_step",
  argument: "wrong_argument_type",
};

/** Only a plain name can be told apart from a part of another one. */
function replaceName(text: string, name: string, by: string): string {
  return /^\w+$/.test(name) ? text.replace(new RegExp(`(?<!\\w)${name}(?!\\w)`), () => by) : text;
}

const ARGUMENT_HINT = "Give it a value of that type, or set `unchecked: true` where the spec is wrong.";
const NO_HINT = "Follow the spec's schema, or set `unchecked: true` where it is wrong.";

/** `unchecked`: what the spec says of the body is not believed, so only misses among the curation's own names are left. */
export function openChecker(api: Api, report: Report, roots: TypeRoots, unchecked: boolean): ShapeChecker {
  const typeOf: ShapeChecker["typeOf"] = (expression, at, current, label) => {
    const context = { api, current: unchecked && !roots.own.has(current) ? {} : current, at: label, roots };
    const { type, misses } = checkExpression(expression, context);
    for (const { kind, message, nearest, known } of misses)
      report.add(
        "error",
        CODES[kind],
        at,
        message,
        hintFor(nearest, known) ?? (kind === "argument" ? ARGUMENT_HINT : NO_HINT),
      );
    return type;
  };
  const meantType: ShapeChecker["meantType"] = (expression, current) => {
    const context = { api, current, at: "", roots };
    const jmespath = checkExpression(expression, context).misses.reduce(
      (text, { name, nearest: [near] }) =>
        name === undefined || near === undefined ? text : replaceName(text, name, near),
      expression.jmespath,
    );
    const { type, misses } = jmespath === expression.jmespath ? { misses: [] } : checkExpression({ jmespath }, context);
    return misses.length > 0 ? undefined : type;
  };
  const typeOfValue: ShapeChecker["typeOfValue"] = (value, at) => {
    const ofExpression = (one: Expression) => typeOf(one, at, roots.schema, "the roots");
    switch (value.kind) {
      case "literal":
        return typeOfLiteral(value.value);
      case "expression":
        return ofExpression(value.expression);
      case "text":
        for (const part of value.parts) if (typeof part !== "string") ofExpression(part);
        return STRING;
      case "list":
        return tupleOf(value.items.map((item) => typeOfValue(item, at)));
      case "object":
        return objectOf(value.entries.map(([name, entry]) => [name, typeOfValue(entry, at)] as const));
      default:
        return value satisfies never;
    }
  };
  const readValue: ShapeChecker["readValue"] = (raw, at) => {
    // Which roots may be read where was seen to when the curation was read.
    const { value, faults } = parseValue(raw, ROOTS.item);
    for (const fault of faults) report.add("error", fault.code, [...at, ...fault.path], fault.message, fault.hint);
    return value === undefined
      ? { value: { kind: "literal", value: raw }, type: ANY }
      : { value, type: typeOfValue(value, at) };
  };
  return { api, report, roots, typeOf, meantType, readValue, typeOfValue };
}
