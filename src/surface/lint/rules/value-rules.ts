import type { ValueType } from "../../../model/value.ts";
import type { LintRule } from "../lint-rule.ts";
import { eachInput, ofInputs, type WrittenInput, wordsOf } from "./each-input.ts";

const TIME_NAME = /(^|_)(date|datetime|timestamp)$|_at$/;
const SAYS_TIME =
  /iso.?8601|rfc.?3339|y{4}|unix|epoch|utc|second|\d{4}-\d\d|date.time|for example|e\.g\.|such as|format/i;

const untypedTime: LintRule = {
  code: "untyped_time",
  severity: "warning",
  title: "A time in no stated form",
  why: "Dates are written in a dozen ways; where neither type nor words name one, half of them are wrong.",
  check: ofInputs(({ name, type, described, entry, input }) => {
    if (!TIME_NAME.test(wordsOf(name).join("_")) || !isPlain(type) || entry.pattern !== undefined) return undefined;
    if (input.form !== undefined || (type.kind === "string" && type.format !== undefined)) return undefined;
    if (SAYS_TIME.test(described)) return undefined;
    const hint =
      "Give it `type: date-time` or `date`, with `as: unix` where the upstream counts seconds, or an example in `describe`.";
    return { severity: "warning", message: `\`${name}\` is a time, and nothing says in which form.`, hint };
  }),
};

function isPlain({ kind }: ValueType): boolean {
  return kind === "string" || kind === "integer" || kind === "number";
}

const UNIT_NAME = /^(amount|price|duration|timeout|ttl|interval|delay|weight|distance|size|length|age)$/;
/** Of these every model has another idea. */
const COSTLY = /^(amount|price|duration|timeout|ttl|interval|delay)$/;
/** Of how many, not of how much. */
const COUNTED = /(^|_)(page|batch|queue|pool|list|chunk)_size$/;
const SAYS_UNIT =
  /\b(ms|milli\w*|seconds?|secs?|minutes?|hours?|days?|weeks?|months?|years?|bytes?|[kmgt]i?b|bits?|cents?|minor|major|currency|usd|eur|gbp|dollars?|euros?|percent\w*|grams?|kg|lbs?|pounds?|met(er|re)s?|km|miles?|feet|inch\w*|pixels?|px|characters?|tokens?|rows?|items?|entries|elements|results?|records?|resources?|calls?|digits?|units?)\b|%/i;

const unitUnsaid: LintRule = {
  code: "unit_unsaid",
  severity: "warning",
  title: "A number without its unit",
  why: "Cents or euros, seconds or milliseconds: where nothing says which, a call is wrong by a factor and succeeds.",
  check: ofInputs(({ name, type, described, input }) => {
    if ((type.kind !== "integer" && type.kind !== "number") || input.form !== undefined) return undefined;
    const words = wordsOf(name);
    const last = words.at(-1) ?? "";
    if (input.type.kind === "array" || COUNTED.test(words.join("_"))) return undefined;
    if (!UNIT_NAME.test(last) || SAYS_UNIT.test(words.join(" ")) || SAYS_UNIT.test(described)) return undefined;
    const severity = COSTLY.test(last) ? "warning" : "note";
    const hint = "Say the unit in `describe`, or for money `as: minor` with its `unit`.";
    return { severity, message: `Nothing says in which unit \`${name}\` is counted.`, hint };
  }),
};

const RANGES: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/(^|_)(start|begin|from|since|after|gte?|min)($|_)/, /(^|_)(end|to|until|before|lte?|max)($|_)/],
];
const SAYS_END = /inclu|exclu|before|up to|until|not after|at or|at the latest|older|earlier/i;

const rangeEndUnsaid: LintRule = {
  code: "range_end_unsaid",
  severity: "note",
  title: "A range whose end may or may not belong to it",
  why: "Some APIs leave out the day that a range ends with: sums are then short by a day, and nothing shows it.",
  *check(subject) {
    const all = [...eachInput(subject)].filter(({ type }) => type.kind === "date" || type.kind === "date-time");
    for (const key of subject.tools.keys()) {
      const times = all.filter((one) => one.tool === key);
      for (const { name, at, input, described } of times) {
        if (input.end !== undefined || SAYS_END.test(described) || !isEndOf(name, times)) continue;
        const message = `Nothing says whether the moment of \`${name}\` itself belongs to the range.`;
        const hint = "Say it by `end: inclusive` or `end: exclusive`: how the upstream reads a date alone.";
        yield { severity: "note", at, tool: key, message, hint };
      }
    }
  },
};

function isEndOf(name: string, others: readonly WrittenInput[]): boolean {
  const folded = (text: string) => wordsOf(text).join("_");
  return RANGES.some(([start, end]) => end.test(folded(name)) && others.some((one) => start.test(folded(one.name))));
}

const sameNameOtherType: LintRule = {
  code: "input_of_two_types",
  severity: "note",
  title: "One name, two types",
  why: "What an agent learnt of an input in one tool it does in the next: a number there and a text here is a refused call.",
  *check(subject) {
    const first = new Map<string, WrittenInput>();
    for (const one of eachInput(subject)) {
      const other = first.get(one.name);
      if (other === undefined) first.set(one.name, one);
      else if (other.tool !== one.tool && family(other) !== family(one)) {
        const message = `\`${one.name}\` is ${family(one)} here and ${family(other)} in \`${other.tool}\`.`;
        yield { severity: "note", at: one.at, tool: one.tool, message, hint: "Give both one type, or two names." };
      }
    }
  },
};

/** What callers write. */
function family({ input, type }: WrittenInput): string {
  if (input.type.kind === "array") return `a list of ${FAMILIES[type.kind]}`;
  return FAMILIES[type.kind];
}

const FAMILIES: Readonly<Record<ValueType["kind"], string>> = {
  string: "text",
  enum: "text",
  date: "a date",
  "date-time": "a date",
  integer: "a number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  map: "an object",
  json: "text",
};

/** What of values is left to guess: their form, their unit, whether an end belongs to its range. */
export const VALUE_RULES: readonly LintRule[] = [untypedTime, unitUnsaid, rangeEndUnsaid, sameNameOtherType];
