import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import { INPUT_NAME, RESERVED_INPUTS, STEP_ID } from "./entry-names.ts";
import type { Finding, Path } from "./finding.ts";
import { nameOf } from "./name-of.ts";
import { parseRelativeTime } from "./relative-time.ts";

/** What the shape of single keys cannot say: names, and keys that need or exclude each other. Takes data of any shape. */
export function checkEntries(file: Json): readonly Finding[] {
  if (!isJsonObject(file)) return [];
  return [
    ...entriesOf(file.tools).flatMap(([name, tool]) => checkTool(tool, ["tools", name])),
    ...entriesOf(isJsonObject(file.api) ? file.api.auth : null).flatMap(([name, entry]) =>
      exactlyOne(entry, ["api", "auth", name], ["apiKey", "bearer", "basic", "clientCredentials", "tokenExchange"]),
    ),
  ];
}

function checkTool(tool: JsonObject, path: Path): Finding[] {
  return [
    ...exactlyOne(tool, path, ["operation", "steps"]),
    ...checkStepKeys(tool, path),
    ...entriesOf(tool.input, true).flatMap(([name, input]) => checkInput(name, input, [...path, "input", name])),
    ...checkSteps(tool.steps, [...path, "steps"]),
    ...checkResult(tool.result, [...path, "result"]),
  ];
}

const CALL_ONLY = ["args", "filter", "pages", "accept", "contentType", "text"];

function checkStepKeys(tool: JsonObject, path: Path): Finding[] {
  if (!Object.hasOwn(tool, "steps") || Object.hasOwn(tool, "operation")) return [];
  return CALL_ONLY.filter((key) => Object.hasOwn(tool, key)).map((key) =>
    conflict([...path, key], `\`${key}\` cannot stand beside \`steps\`.`, "Write it on the step that it is for."),
  );
}

function checkInput(name: string, input: JsonObject, path: Path): Finding[] {
  const at = { path, at: "key" } as const;
  const findings: Finding[] = [];
  if (!INPUT_NAME.test(name))
    findings.push({
      code: "bad_name",
      ...at,
      message: `\`${name}\` is not a name for an input.`,
      hint: "Use letters, digits and _, a letter first, at most 64; `args` sends it to any place.",
    });
  if (RESERVED_INPUTS.includes(name))
    findings.push({
      code: "reserved_name",
      ...at,
      message: `\`${name}\` is the name of a built-in input.`,
      hint: `Choose another name and send it with args: { ${name}: "\${input.OTHER}" }.`,
    });
  return [...findings, ...checkForm(input, path), ...checkDefault(input, path), ...checkRanges(input, path)];
}

function checkForm(entry: JsonObject, path: Path): Finding[] {
  if (entry.as !== "minor" || Object.hasOwn(entry, "unit")) return [];
  const message = `\`${nameOf(path)}\` lacks \`unit\`, which \`as: minor\` needs.`;
  return [{ code: "missing_key", path, at: "key", message, hint: "For example unit: USD." }];
}

const RFC3339 = /^\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d))?$/;

function checkDefault(input: JsonObject, path: Path): Finding[] {
  const { type, default: given } = input;
  if (type !== "date" && type !== "date-time") return [];
  if (typeof given !== "string" || RFC3339.test(given) || parseRelativeTime(given) !== undefined) return [];
  const message = `\`${given.slice(0, 60)}\` is not a time.`;
  const hint = "Write it as 2026-01-31, or in words as 30 days ago, yesterday or start of last month.";
  return [{ code: "bad_value", path: [...path, "default"], at: "value", message, hint }];
}

const RANGES = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["default", "max"],
] as const;

function checkRanges(entry: JsonObject, path: Path): Finding[] {
  return RANGES.flatMap(([low, high]) => {
    const [least, most] = [entry[low], entry[high]];
    if (typeof least !== "number" || typeof most !== "number" || least <= most) return [];
    // What must be a whole number and is none is found elsewhere.
    if (low !== "minimum" && !(Number.isInteger(least) && Number.isInteger(most))) return [];
    const message = `\`${low}\` is more than \`${high}\`.`;
    return [{ code: "bad_value", path: [...path, low], at: "value", message, hint: `At most ${most}.` } as const];
  });
}

function checkSteps(steps: Json | undefined, path: Path): Finding[] {
  if (!Array.isArray(steps)) return [];
  const seen = new Set<string>();
  return steps.flatMap((step: Json, index): Finding[] => {
    const at = [...path, index];
    if (!isJsonObject(step)) return [];
    const id = step.id;
    const findings = [...exactlyOne(step, at, ["operation", "value"]), ...checkMax(step, at)];
    if (typeof id !== "string" || id === "") return findings;
    const twice = seen.has(id);
    seen.add(id);
    const idAt = { path: [...at, "id"], at: "value" } as const;
    if (!STEP_ID.test(id))
      findings.push({
        code: "bad_name",
        ...idAt,
        message: `\`${id}\` is not an ID for a step.`,
        hint: "Use letters, digits and _.",
      });
    if (twice)
      findings.push({
        code: "duplicate_key",
        ...idAt,
        message: `Two steps are called \`${id}\`.`,
        hint: "Give each its own id.",
      });
    return findings;
  });
}

function checkMax(step: JsonObject, path: Path): Finding[] {
  if (!Object.hasOwn(step, "max") || Object.hasOwn(step, "forEach")) return [];
  return [
    conflict(
      [...path, "max"],
      "`max` counts the items of `forEach`, which is not there.",
      "For pages write all: { max: 100 }.",
    ),
  ];
}

function checkResult(result: Json | undefined, path: Path): Finding[] {
  if (!isJsonObject(result)) return [];
  const apart = ["rows", "fields", "order", "limit", "all", "group", "totals", "search"];
  const beside = Object.hasOwn(result, "value") ? apart.filter((key) => Object.hasOwn(result, key)) : [];
  return [
    ...beside.map((key) =>
      conflict(
        [...path, key],
        `\`${key}\` cannot stand beside \`value\`.`,
        "Use `rows` for a list and `value` for an object.",
      ),
    ),
    ...entriesOf(result.fields).flatMap(([name, field]) => checkForm(field, [...path, "fields", name])),
    ...checkRanges(isJsonObject(result.limit) ? result.limit : {}, [...path, "limit"]),
  ];
}

function exactlyOne(entry: JsonObject, path: Path, keys: readonly string[]): Finding[] {
  const present = keys.filter((key) => Object.hasOwn(entry, key));
  const [first, second] = present;
  const list = keys.map((key) => `\`${key}\``).join(", ");
  if (first === undefined) {
    const message = `\`${nameOf(path)}\` needs one of ${list}.`;
    return [{ code: "missing_key", path, at: "key", message, hint: `Write ${keys[0]}: ….`, lacks: keys }];
  }
  if (second === undefined) return [];
  return [conflict([...path, second], `\`${second}\` cannot stand beside \`${first}\`.`, `Keep one of ${list}.`)];
}

function conflict(path: Path, message: string, hint: string): Finding {
  return { code: "conflicting_keys", path, at: "key", message, hint };
}

/** The entries of a mapping that are mappings themselves; with `empty`, an entry without content counts as `{}`. */
function entriesOf(value: Json | undefined, empty = false): [name: string, entry: JsonObject][] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    if (isJsonObject(entry)) return [[name, entry]];
    return empty ? [[name, {}]] : [];
  });
}
