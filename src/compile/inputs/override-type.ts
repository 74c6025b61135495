import type { InputEntry } from "../../curation/format.ts";
import type { Json } from "../../model/json.ts";
import { nearestNames } from "../../model/nearest.ts";
import type { ValueType } from "../../model/value.ts";
import { type EntryPath, hintFor, type Report } from "../open-report.ts";
import { shownText } from "../types/read-enum.ts";
import { isEnforceable } from "../types/read-pattern.ts";

type Kind = ValueType["kind"];

/** The limits that an author may set, and the kinds of value that they are of. */
const LIMITS = {
  minimum: ["integer", "number"],
  maximum: ["integer", "number"],
  exclusiveMinimum: ["integer", "number"],
  exclusiveMaximum: ["integer", "number"],
  multipleOf: ["integer", "number"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  minItems: ["array"],
  maxItems: ["array"],
  uniqueItems: ["array"],
} as const satisfies Partial<Record<keyof InputEntry, readonly Kind[]>>;

const PAIRS = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
] as const;

/** What an author writes about an input, laid over what the spec says of its place. */
export function overrideType(
  type: ValueType,
  entry: InputEntry,
  at: EntryPath,
  checked: boolean,
  report: Report,
): ValueType {
  const listed =
    entry.enum === undefined ? type : onItems(type, (one) => withEnum(one, entry.enum!, at, checked, report));
  const limited = withLimits(listed, entry, at, report);
  return entry.describe === undefined ? limited : { ...limited, description: entry.describe };
}

/** Limits of a text in a list are those of its items. */
function onItems(type: ValueType, change: (type: ValueType) => ValueType): ValueType {
  return type.kind === "array" ? { ...type, items: change(type.items) } : change(type);
}

function withEnum(
  type: ValueType,
  values: readonly Json[],
  at: EntryPath,
  checked: boolean,
  report: Report,
): ValueType {
  const known = type.kind === "enum" ? type.values : undefined;
  const texts = known?.map(({ text }) => text) ?? [];
  const isEmpty = type.empty === true && values.includes("") && values.length > 1;
  const listed = values.flatMap((value, index) => {
    if (isEmpty && value === "") return [];
    const text = shownText(value);
    const same = known?.find((one) => one.text === text);
    if (known !== undefined && same === undefined && checked) {
      const hint = hintFor(nearestNames(text, texts), texts);
      report.add(
        "error",
        "unknown_enum_value",
        [...at, "enum", index],
        `The spec does not allow ${JSON.stringify(value)} here.`,
        hint,
      );
    }
    return [same ?? { text, wire: wireOf(type, value, text) }];
  });
  const distinct = [...new Map(listed.map((one) => [one.text, one])).values()];
  const { description, nullable } = type;
  return {
    kind: "enum",
    values: distinct,
    ...(description !== undefined && { description }),
    ...(nullable !== undefined && { nullable }),
    ...(isEmpty && { empty: true as const }),
  };
}

/** YAML writes `1` for a number and for what the upstream wants as text: the place decides. */
function wireOf(type: ValueType, value: Json, text: string): Json {
  if ((type.kind === "integer" || type.kind === "number") && text.trim() !== "" && Number.isFinite(Number(text)))
    return Number(text);
  if (type.kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return type.kind === "string" ? text : value;
}

function withLimits(type: ValueType, entry: InputEntry, at: EntryPath, report: Report): ValueType {
  const limits: Record<string, unknown> = {};
  const inner: Record<string, unknown> = {};
  for (const [keyword, kinds] of Object.entries(LIMITS) as [keyof typeof LIMITS, readonly Kind[]][]) {
    const value = entry[keyword];
    if (value === undefined) continue;
    const items = type.kind === "array" ? type.items.kind : undefined;
    if (keyword === "pattern" && !isEnforceable(String(value)))
      report.add(
        "error",
        "bad_pattern",
        [...at, keyword],
        "RE2 cannot read this pattern.",
        "Do without lookaround and backreferences.",
      );
    else if (kinds.includes(type.kind)) limits[keyword] = value;
    else if (items !== undefined && kinds.includes(items)) inner[keyword] = value;
    else
      report.add(
        "error",
        "bad_bounds",
        [...at, keyword],
        `\`${keyword}\` does not fit ${articled(type)}.`,
        fittingHint(kinds),
      );
  }
  const limited = { ...type, ...limits } as ValueType;
  const whole =
    limited.kind === "array" ? ({ ...limited, items: { ...limited.items, ...inner } } as ValueType) : limited;
  checkPairs(whole, entry, at, report);
  return whole;
}

function checkPairs(type: ValueType, entry: InputEntry, at: EntryPath, report: Report): void {
  const values = type as unknown as Record<string, unknown>;
  for (const [low, high] of PAIRS) {
    const [least, most] = [values[low], values[high]];
    if (typeof least !== "number" || typeof most !== "number" || least <= most) continue;
    const key = entry[high] !== undefined ? high : low;
    if (entry[key] === undefined) continue;
    report.add(
      "error",
      "bad_bounds",
      [...at, key],
      `\`${low}\` ${least} is more than \`${high}\` ${most}.`,
      "No value fits both.",
    );
  }
}

function articled(type: ValueType): string {
  return /^[aeiou]/.test(type.kind) ? `an ${type.kind}` : `a ${type.kind}`;
}

function fittingHint(kinds: readonly Kind[]): string {
  return `It is for ${kinds.join(" and ")}; set \`type\` where the spec's is wrong.`;
}
