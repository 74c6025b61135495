import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { isJsonObject, type Json } from "../../model/json.ts";
import { unescapeToken } from "../../model/json-pointer.ts";
import { once } from "../../model/once.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Schema } from "../../model/schema.ts";
import { exactDigits } from "../request/exact-number.ts";
import { loadPatternMatcher, type MatchPattern, startSteps } from "./match-pattern.ts";

/** What the upstream's own schema says against a value: a phrase behind "must be", and where inside the value. */
export interface ResidualFault {
  readonly inside: string;
  readonly mustBe: string;
}

let steps = startSteps();

/** Checks a wire value against the part of a spec's schema that the portable types cannot say (combinators, dependencies). */
export async function checkResidual(schema: Schema, wire: Json): Promise<ResidualFault | undefined> {
  const validate = await compile(schema);
  // A validator runs without a pause, so these are its own.
  steps = startSteps();
  if (!validate || validate(plainNumbers(wire))) return undefined;
  return describe(validate.errors ?? []);
}

/** Exact numbers as the nearest number: a limit beyond 2^53 is one of the schema's own numbers, which are rounded too. */
function plainNumbers(wire: Json): Json {
  if (typeof wire !== "object" || wire === null) return wire;
  const digits = exactDigits(wire);
  if (digits !== undefined) return Number(digits);
  if (isJsonObject(wire))
    return Object.fromEntries(Object.entries(wire).map(([key, inner]) => [key, plainNumbers(inner)]));
  return (wire as readonly Json[]).map(plainNumbers);
}

/** Loaded when the first schema is checked, once: each `import` looks for the file again. A bundler gives of a CommonJS module the default export only. */
export const loadAjv = once(async () => (await import("ajv/dist/2020.js")).default);

/** Undefined for a schema that cannot be compiled: it is then left to the upstream. */
const compile = onceFor(async (schema: Schema): Promise<ValidateFunction | undefined> => {
  const [ajv, matches] = await Promise.all([loadAjv(), loadPatternMatcher()]);
  const engine = new ajv.Ajv2020({
    strict: false,
    allErrors: false,
    $data: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    code: { regExp: patternEngine(matches) },
  });
  try {
    return engine.compile(schema);
  } catch {
    return undefined;
  }
});

/** RE2 in the place of the backtracking engine; a pattern that it cannot express matches everything. */
function patternEngine(matches: MatchPattern) {
  const engine = (pattern: string) => ({ test: (text: string) => matches(pattern, text, steps) !== false });
  return Object.assign(engine, { code: "" });
}

type Describe = (params: Readonly<Record<string, unknown>>) => string;

const MUST_BE: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ["type", ({ type }) => `of type ${String(type).replaceAll(",", " or ")}`],
  ["const", ({ allowedValue }) => JSON.stringify(allowedValue)],
  ["enum", ({ allowedValues }) => `one of ${JSON.stringify(allowedValues).slice(1, -1)}`],
  ["required", ({ missingProperty }) => `given with \`${missingProperty}\``],
  [
    "dependentRequired",
    ({ property, missingProperty }) => `given with \`${missingProperty}\` where it has \`${property}\``,
  ],
  ["additionalProperties", ({ additionalProperty }) => `without \`${additionalProperty}\``],
  ["unevaluatedProperties", ({ unevaluatedProperty }) => `without \`${unevaluatedProperty}\``],
  ["minProperties", ({ limit }) => `given with at least ${limit} of its properties`],
  ["maxProperties", ({ limit }) => `given with at most ${limit} of its properties`],
  ["minItems", ({ limit }) => `a list of at least ${limit}`],
  ["maxItems", ({ limit }) => `a list of at most ${limit}`],
  ["uniqueItems", () => "a list without doubles"],
  ["contains", () => "a list that holds one of the items that the upstream asks for"],
  ["minLength", ({ limit }) => `at least ${limit} characters long`],
  ["maxLength", ({ limit }) => `at most ${limit} characters long`],
  ["pattern", ({ pattern }) => `a text that matches the pattern ${pattern}`],
  ["minimum", ({ limit }) => `at least ${limit}`],
  ["maximum", ({ limit }) => `at most ${limit}`],
  ["exclusiveMinimum", ({ limit }) => `greater than ${limit}`],
  ["exclusiveMaximum", ({ limit }) => `less than ${limit}`],
  ["multipleOf", ({ multipleOf }) => `a multiple of ${multipleOf}`],
  ["not", () => "other than this: the upstream excludes that combination"],
  ["anyOf", () => "of at least one of the forms that the upstream accepts"],
  [
    "oneOf",
    ({ passingSchemas }) =>
      passingSchemas ? "of one form only: this fits several" : "of one of the forms that the upstream accepts",
  ],
]);

/** A branch of a combinator fails before the combinator does, so the last error is the one that says what counts; of a condition, what it asks. */
function describe(errors: readonly ErrorObject[]): ResidualFault {
  const error = errors.findLast(({ keyword }) => keyword !== "if");
  const mustBe = error && MUST_BE.get(error.keyword)?.(error.params);
  const inside = (error?.instancePath ?? "").split("/").slice(1).map(unescapeToken).map(asStep).join("");
  return { inside, mustBe: mustBe ?? "as the upstream's schema asks" };
}

function asStep(part: string): string {
  return /^\d+$/.test(part) ? `[${part}]` : `.${part}`;
}
